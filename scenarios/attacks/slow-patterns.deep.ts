import { globSync, readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { oneWordOf } from "../../packages/policy/src/catalogue/names.ts";
import { isSlow, patternsIn } from "../../tools/pattern-growth.ts";

const CATALOGUE = "packages/policy/src/catalogue";
const NOT_SHIPPED = /\.(?:test|deep|scenario|browser|contract)\.tsx?$|testing/;

/** These patterns never receive a text without their end: see `withoutQuoting` in policy/src/match/compile-match.ts. */
const GUARDED: readonly string[] = [String.raw`/\$\{[^}]*\}/g`, String.raw`/\$\([^)]*\)/g`];

function literals(): readonly RegExp[] {
  const sources = globSync("packages/*/src/**/*.{ts,tsx}").filter((path) => !NOT_SHIPPED.test(path));
  return sources.flatMap((path) => patternsIn(path, readFileSync(path, "utf8")));
}

/** The catalogue's lists of names that are compiled to patterns. */
function lists(): readonly RegExp[] {
  const read = (name: string): unknown => JSON.parse(readFileSync(`${CATALOGUE}/${name}.json`, "utf8"));
  const rows = ["code-names", "variables", "tools"].flatMap((name) => read(name) as readonly { readonly names: string }[]);
  const names = read("names") as Readonly<Record<string, string>>;
  return [...Object.values(names), ...rows.map((row) => row.names)].map((words) => oneWordOf(words, "i"));
}

describe("a text that makes a pattern of the product slow", () => {
  it("does not exist for any regular expression in a source file: time grows with the length of the text, not with its square", () => {
    const patterns = new Map([...literals(), ...lists()].map((pattern) => [String(pattern), pattern]));
    for (const guarded of GUARDED) expect(patterns.delete(guarded), guarded).toBe(true);
    expect(patterns.size).toBeGreaterThan(900);
    expect([...patterns.values()].filter((pattern) => isSlow(pattern)).map(String)).toEqual([]);
  });

  test("is found in a source where there is one", () => {
    const [pattern = /x/] = patternsIn("x.ts", "export const trim = (text: string) => text.replace(/\\/+$/, '');");
    expect([pattern.source, isSlow(pattern)]).toEqual(["\\/+$", true]);
  });
});
