import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Files that lay out what `narrate` describes, and must have no words of their own: those would exist in one language only. */
const RENDERERS = [
  "packages/terminal/src/{json-in-words,narration-lines,passage,saying}.ts",
  "packages/cli/src/story/{phrases,print-story,story-printer,session-lines}.ts",
];

const root = join(import.meta.dirname, "..");

test("renderers contain no sentences", () => {
  const files = globSync(RENDERERS, { cwd: root }).filter((path) => !path.includes(".test."));
  expect(files.length).toBe(8);
  const found = files.flatMap((path) => findSentences(readFileSync(join(root, path), "utf8")).map((text) => `${path}: ${text}`));
  expect(found).toEqual([]);
});

test.each([
  ['const text = "It ended";', 1],
  ["const text = `$" + "{name} ended`;", 1],
  ["const text = `$" + "{name}, $" + "{state}`;", 0],
  ['const text = sessions.at("x");', 0],
  ['import { a } from "two words";', 0],
  ["/** `It ended`. */", 0],
])("%s", (source, found) => {
  expect(findSentences(source)).toHaveLength(found);
});

/** String literals with a capitalized word, or with a word next to a blank. */
function findSentences(source: string): readonly string[] {
  const code = source
    .replaceAll(/\/\*.*?\*\//gs, "")
    .replaceAll(/^\s*\/\/.*$/gm, "")
    .replaceAll(/\bfrom "[^"]*"/g, "");
  const literals = [...code.matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].map(([, plain, template]) => plain ?? template ?? "");
  return literals.filter((text) =>
    /(?:^|\s)[A-Z]?[a-z]{2,} | [a-z]{2,}/.test(text.replaceAll(/\$\{[^{}]*\}/g, "x").replaceAll(/\\./g, "")),
  );
}
