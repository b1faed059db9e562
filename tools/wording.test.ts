import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import REPEATED_EXPORTS from "./repeated-exports.json" with { type: "json" };
import { findRepeatedExports, findWordingFaults } from "./wording.ts";

const root = join(import.meta.dirname, "..");
const read = (...patterns: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    globSync(patterns, { cwd: root, exclude: ["**/node_modules/**", "**/dist/**", "tools/wording*"] }).map(
      (path) => [path.replaceAll("\\", "/"), readFileSync(join(root, path), "utf8")] as const,
    ),
  );

test("comments, texts, constants and documents follow the rules of wording", () => {
  const files = read("{packages,scenarios,bench,tools,examples}/**/*.{ts,tsx}", "packages/**/*.{yaml,md}", "docs/**/*.md", "*.md");
  expect(files.size).toBeGreaterThan(1500);
  expect([...files].flatMap(([path, text]) => findWordingFaults(path, text))).toEqual([]);
});

// The listed names have one meaning with two builds: for Node and browsers, or for sources and the built command. Examples of rules
// are built with the same words in each protocol.
test("no further name is exported twice", () => {
  const sources = [...read("packages/*/src/**/*.{ts,tsx}")].filter(([path]) => !path.endsWith("/example-events.ts"));
  expect(findRepeatedExports(new Map(sources))).toEqual(REPEATED_EXPORTS);
});

test.each([
  ["// Who asks first is answered first.", 1],
  ["/** So many events fit. */", 1],
  ["/** What a session needs. */", 1],
  ["/** The caller waits. */", 0],
  ['const text = "Whoever is there";', 2],
  ["const MOST = 50;", 1],
  ["const MAX_ROWS = 50;", 0],
  ["What went wrong lately", 1],
])("%s", (line, faults) => {
  expect(findWordingFaults("a.ts", line)).toHaveLength(faults);
});

test("an exported name counts once per file", () => {
  const sources = new Map([
    ["a.ts", "export const one = 1;\nexport type Two = 2;"],
    ["b.ts", "export function one() {}\nexport interface Three {}"],
  ]);
  expect(findRepeatedExports(sources)).toEqual(["one"]);
});
