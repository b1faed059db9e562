import fc from "fast-check";
import { expect, test } from "vitest";
import { readSearchText } from "./search-query.ts";

function told(text: string): readonly string[] {
  const { required, excluded } = readSearchText(text);
  const show = (sign: string, all: typeof required) => all.map(({ text: said, isBeginning }) => `${sign}${said}${isBeginning ? "*" : ""}`);
  return [...show("+", required), ...show("-", excluded)];
}

test.each<[typed: string, wanted: readonly string[]]>([
  ["one", ["+one"]],
  ["  one   two ", ["+one", "+two"]],
  ['"one two" three', ["+one two", "+three"]],
  ["“one two” „three“", ["+one two", "+three"]],
  ['"not closed', ["+not closed"]],
  ['one"two"three', ["+one", "+two", "+three"]],
  ["begin*", ["+begin*"]],
  ["begin***", ["+begin*"]],
  ['"a begin"*', ["+a begin*"]],
  ["src/*", ["+src/"]],
  ["one -two", ["+one", "-two"]],
  ['one -"two three"', ["+one", "-two three"]],
  ["one -two*", ["+one", "-two*"]],
  ["--force", ["+--force"]],
  ["a-b", ["+a-b"]],
  ["foo_bar src/a.ts", ["+foo_bar", "+src/a.ts"]],
  ["one AND two OR NOT NEAR(x)", ["+one", "+AND", "+two", "+OR", "+NOT", "+NEAR(x)"]],
  ["! one ? ()", ["+one"]],
  ["東京 日本", ["+東京", "+日本"]],
])("%j is read as %j", (typed, wanted) => {
  expect(told(typed)).toEqual(wanted);
});

test.each<[typed: string, message: string]>([
  ["", "There is no word to look for."],
  [" \n\t", "There is no word to look for."],
  ['"" ** - -- ???', "There is no word to look for."],
  ["-one -two", "There are only words that must not occur."],
  ["x".repeat(1001), "What is looked for is longer than 1000 characters."],
  ["x ".repeat(33), "There are more than 32 words to look for."],
])("%j leaves nothing to look for", (typed, message) => {
  expect(() => told(typed)).toThrow(
    expect.objectContaining({ problem: { code: "WRONG_QUERY", message, hint: expect.stringContaining("words that must all occur") } }),
  );
});

test("whatever is typed is read, or refused with a hint", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (typed) => {
      try {
        for (const wanted of told(typed)) expect(wanted).toMatch(/[\p{L}\p{N}]/u);
      } catch (error) {
        expect(error).toMatchObject({ problem: { code: "WRONG_QUERY", hint: expect.any(String) } });
      }
    }),
  );
});
