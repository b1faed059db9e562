import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isSlow, patternsIn } from "../../../tools/pattern-growth.ts";
import { oneOf } from "./catalogue/names.ts";

const HERE = "packages/policy/src";

/** These patterns never receive a text without their end: see `withoutQuoting` in match/compile-match.ts. */
const GUARDED: readonly string[] = [String.raw`/\$\{[^}]*\}/g`, String.raw`/\$\([^)]*\)/g`];

function literals(): readonly RegExp[] {
  const sources = globSync(`${HERE}/**/*.ts`).filter((path) => !/\.(?:test|deep)\.ts$/.test(path));
  return sources.flatMap((path) => patternsIn(path, readFileSync(path, "utf8")));
}

/** The catalogue's lists of names that are compiled to patterns. */
function lists(): readonly RegExp[] {
  const read = (name: string): unknown => JSON.parse(readFileSync(`${HERE}/catalogue/${name}.json`, "utf8"));
  const rows = ["code-names", "variables", "tools"].flatMap((name) => read(name) as readonly { readonly names: string }[]);
  const names = read("names") as Readonly<Record<string, string>>;
  return [...Object.values(names), ...rows.map((row) => row.names)].map((words) => oneOf(words, "i"));
}

describe("a text that makes a pattern of the rules slow", () => {
  it("does not exist: time grows with the length of the text, not with its square", () => {
    const patterns = new Map([...literals(), ...lists()].map((pattern) => [String(pattern), pattern]));
    for (const guarded of GUARDED) expect(patterns.delete(guarded), guarded).toBe(true);
    expect(patterns.size).toBeGreaterThan(400);
    expect([...patterns.values()].filter((pattern) => isSlow(pattern)).map(String)).toEqual([]);
  });

  it("is found in a source where there is one", () => {
    const [pattern = /x/] = patternsIn("x.ts", "export const trim = (text: string) => text.replace(/\\/+$/, '');");
    expect([pattern.source, isSlow(pattern)]).toEqual(["\\/+$", true]);
  });
});
