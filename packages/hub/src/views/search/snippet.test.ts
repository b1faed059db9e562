import fc from "fast-check";
import { expect, test } from "vitest";
import type { SearchText } from "./search-texts.ts";
import { openIndex, searchDocument } from "./testing/open-index.ts";

/** The snippet with matches in brackets. */
function shown(typed: string, ...texts: readonly string[]): string {
  return marked(
    typed,
    texts.map((text) => ({ field: "other", text })),
  );
}

function marked(typed: string, texts: readonly SearchText[]): string {
  const { snippet, marks } = find(typed, texts);
  let out = "";
  let from = 0;
  for (const [start, end] of marks) {
    out += `${snippet.slice(from, start)}[${snippet.slice(start, end)}]`;
    from = end;
  }
  return out + snippet.slice(from);
}

function find(typed: string, texts: readonly SearchText[]) {
  using search = openIndex();
  search.add({ ...searchDocument(1, ""), texts });
  const [hit] = search.index.search({ text: typed, limit: 1 }).items;
  if (hit === undefined) throw new Error("It is not found.");
  return hit;
}

test.each<[typed: string, text: string, expected: string]>([
  ["two", "one two three", "one [two] three"],
  ["TWO", "one Two three two", "one [Two] three [two]"],
  ["two", "twofold untwo two", "twofold untwo [two]"],
  ["two*", "twofold untwo two", "[twofold] untwo [two]"],
  ['"two three"', "two, three two four three", "[two, three] two four three"],
  ["one three", "one two three", "[one] two [three]"],
  ["foo_bar", "a foo_bar and foo bar, not foo_barn", "a [foo_bar] and [foo bar], not foo_barn"],
  ["src/a.ts", "in src/a.ts:3", "in [src/a.ts]:3"],
  ["cafe", "Le Café noir", "Le [Café] noir"],
  ["café", "the cafe", "the [cafe]"],
  ["cafe", "Le Cafe\u0301 noir", "Le [Cafe\u0301] noir"],
  ["東京", "私は東京都に住む", "私は[東京]都に住む"],
  ["한국어", "이것은 한국어 입니다", "이것은 [한국어] 입니다"],
  ["naïve", "so naive 🙂 naïve", "so [naive] 🙂 [naïve]"],
  ["two", "one\ntwo\tthree", "one [two] three"],
])("%j in %j", (typed, text, expected) => {
  expect(shown(typed, text)).toBe(expected);
});

test("is taken from the text in which most of it stands, with its field", () => {
  const texts: readonly SearchText[] = [
    { field: "tool", text: "run" },
    { field: "command", text: "npm run build" },
    { field: "output", text: "the build and the run" },
  ];
  expect(find("build run", texts).field).toBe("command");
  expect(find("run", texts).field).toBe("tool");
});

test("is cut out of a long text between words, around the first match", () => {
  const text = `${"before ".repeat(100)}needle ${"after ".repeat(100)}`;
  expect(shown("needle", text)).toMatch(/^…(?:before )+\[needle\] (?:after )+.*…$/);
});

test("marks lie within the snippet and do not overlap, whatever the text", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 600 }),
      fc.array(fc.constantFrom("a", "b*", "é", "東", '"a b"'), { minLength: 1 }),
      (text, words) => {
        const { snippet, marks } = find(words.slice(0, 20).join(" "), [{ field: "other", text: `${text} a b é 東 ${text}` }]);
        let last = 0;
        for (const [start, end] of marks) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(snippet.length);
        expect(snippet.isWellFormed()).toBe(true);
        expect(snippet.length).toBeLessThanOrEqual(242);
      },
    ),
  );
});
