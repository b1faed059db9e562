import { globSync, readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { isSlow, patternsIn } from "../../tools/pattern-growth.ts";

const SOURCES = globSync("packages/*/src/**/*.{ts,tsx}").filter(
  (path) => !/\.(?:test|scenario|deep|browser|contract)\.|\/(?:testing|attacks)\//.test(path.replaceAll("\\", "/")),
);

describe("held: a text makes a pattern slow", () => {
  it("any pattern of the product: time grows with the length of the text, not with its square", () => {
    const patterns = new Map(SOURCES.flatMap((path) => patternsIn(path, readFileSync(path, "utf8")).map((one) => [String(one), path])));
    expect(patterns.size).toBeGreaterThan(900);
    const slow = [...patterns].filter(([text]) => {
      const [, source = "", flags = ""] = /^\/(.*)\/(\w*)$/s.exec(text) ?? [];
      return isSlow(new RegExp(source, flags));
    });
    expect(slow).toEqual([]);
  });

  test("a pattern that is slow is found in a source", () => {
    const [pattern = /x/] = patternsIn("x.ts", "export const trim = (text: string) => text.replace(/\\/+$/, '');");
    expect([pattern.source, isSlow(pattern)]).toEqual(["\\/+$", true]);
  });
});
