import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ENGLISH_PHRASES } from "../words/english-phrases.ts";
import { countSpokenWords, cutText, cutToWords, MARKUP_START, toSpoken, toSpokenPart, toSpokenWhole } from "./speakable.ts";

describe("a text with markup", () => {
  test.each([
    ["# Done\n\nAll **30** tests *pass*.", "Done All 30 tests pass."],
    ["- one\n- two\n1. three\n> four", "one two three four"],
    ["See [the log](https://ci.example.org/1?a=b) or ![a chart](x.png)", "See the log or a chart"],
    ["Look at https://example.org/very/long?x=1.", "Look at a link to example.org"],
    ["Run `npm test` in `packages/sdk`", "Run npm test in packages/sdk"],
    ["Set `total = items.reduce((a, b) => a + b)` there", "Set some code there"],
    ["Use ``a `b` c`` or `x`", "Use a b c or x"],
    ["Open `src/announce/words.ts` now", "Open words.ts in announce now"],
    ["See /home/ana/shop/packages/sdk/src/words.ts, line 3", "See words.ts in src, line 3"],
    ["It is in C:\\Users\\ana\\shop\\cart.ts", "It is in cart.ts in shop"],
    ["Either/or, and/or, src/cart.ts, 1/2/3", "Either/or, and/or, src/cart.ts, 1/2/3"],
    ["Commit 3f2a9bc41d0e8f7a6b5c4d3e2f1a0b9c8d7e6f5a is in", "Commit 3f2a9bc is in"],
    ["Session 123e4567-e89b-12d3-a456-426614174000 ended", "Session 123e4567 ended"],
    ["The decade 1990 and facade and 123456789012 stay", "The decade 1990 and facade and 123456789012 stay"],
    [`Key ${"QUJD".repeat(30)}== here`, "Key QUJDQUJDQUJDQUJDQUJD… here"],
    ["\u001b[1;31mError\u001b[0m: \u001b]0;title\u0007no", "Error: no"],
    ["Done 🎉🎉🎉🎉🚀🚀 now", "Done 🎉 now"],
    ["Fine 👍 and 👩‍💻", "Fine 👍 and 👩‍💻"],
    ["- [x] Read\n- [ ] Fix", "Read Fix"],
    ["````\ncode\n````", "Code, 1 line."],
    ["| a |\n|:-:|\n| b |\n| |", "a b"],
    ["<script>alert(1)</script>", "alert(1)"],
    ["Before\n```ts\nconst a = 1;\nconst b = 2;\n```\nAfter", "Before Code, 2 lines. After"],
    ["~~~\nrm -rf /\n", "Code, 1 line."],
    ["| File | Lines |\n|---|---|\n| a.ts | 3 |", "File, Lines a.ts, 3"],
    ["<b>Bold</b> and a < b", "Bold and a < b"],
    ["---\nfine\n***", "fine"],
    ["orders_old and *.ts and 2 * 3 * 4 and snake_case_name", "orders_old and *.ts and 2 * 3 * 4 and snake_case_name"],
    ["a\u202egnp.exe\u0007 b\u200b", "a gnp.exe b"],
  ])("%j is heard as %j", (text, heard) => {
    expect(toSpokenWhole(text, ENGLISH_PHRASES)).toBe(heard);
  });

  test("in pieces keeps its place in a block of code", () => {
    const [first, place] = toSpokenPart("Look:\n```\nsecret();\n", MARKUP_START, ENGLISH_PHRASES);
    const [second, later] = toSpokenPart("more();\n", place, ENGLISH_PHRASES);
    const [third, end] = toSpokenPart("```\nDone.", later, ENGLISH_PHRASES);
    expect([first, second, third]).toEqual(["Look:", "", "Code, 2 lines. Done."]);
    expect(end.codeLines).toBeUndefined();
  });
});

test("code in a sentence is not read out either where it comes in pieces", () => {
  const [first, place] = toSpokenPart("Call `total.sum(a, b).", MARKUP_START, ENGLISH_PHRASES);
  const [second, later] = toSpokenPart(" more(x)", place, ENGLISH_PHRASES);
  const [third, end] = toSpokenPart("and(y)` then it's done", later, ENGLISH_PHRASES);
  expect([first, second, third]).toEqual(["Call some code", "", "then it's done"]);
  expect(end.inCode).toBe(false);
  const [fourth] = toSpokenPart("next line", toSpokenPart("An open `a(b", MARKUP_START, ENGLISH_PHRASES)[1], ENGLISH_PHRASES);
  expect(fourth).toBe("");
  expect(toSpokenWhole("An open `a(b)\nand a line", ENGLISH_PHRASES)).toBe("An open some code and a line");
});

test("a sentence that was meant to be spoken keeps its signs", () => {
  expect(toSpoken("Reading *.ts in orders_old: `all` of them.", ENGLISH_PHRASES)).toBe("Reading *.ts in orders_old: `all` of them.");
});

test("secrets are never heard", () => {
  const text = "The key is sk-proj-Ab3dEf6hIj9kLm2nOp5qRs8t and more";
  expect(toSpoken(text, ENGLISH_PHRASES)).toBe("The key is a secret and more");
  expect(toSpokenWhole(text, ENGLISH_PHRASES)).toBe("The key is a secret and more");
});

test("words are counted and cut in languages without spaces too", () => {
  expect(countSpokenWords("one two three")).toBe(3);
  expect(countSpokenWords("今日は天気がいいです。")).toBeGreaterThan(3);
  expect(cutToWords("one, two, three, four.", 2)).toEqual({ text: "one, two,", left: 2 });
  expect(cutToWords("short", 2)).toEqual({ text: "short", left: 0 });
});

test("what has no words has a length too", () => {
  expect(countSpokenWords("😀".repeat(100))).toBe(8);
  expect(countSpokenWords("x".repeat(250))).toBe(10);
  const { text, left } = cutToWords("😀".repeat(1000), 4);
  expect(text.length).toBeLessThanOrEqual(100);
  expect(left).toBe(76);
  expect(cutToWords("ä".repeat(1000), 2).text).toHaveLength(50);
});

test("data is heard by its beginning", () => {
  expect(toSpoken(`It is ${"abc0".repeat(100)} now`, ENGLISH_PHRASES)).toBe("It is abc0abc0abc0abc0abc0… now");
});

test("floods of marks take no time", () => {
  for (const flood of ["`", "*", "[", "| ", "/a", "a/", "<", "_", "0a", "😀", "\u001b[", "https://"]) {
    const text = toSpokenWhole(flood.repeat(20_000), ENGLISH_PHRASES);
    expect(text.length).toBeLessThanOrEqual(25_000);
  }
});

test("cutting leaves no half of a character behind", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(20), (text, characters) => {
      expect(cutText(text, characters).isWellFormed()).toBe(true);
      expect(toSpokenWhole(text, ENGLISH_PHRASES)).not.toMatch(/[\p{Cc}]/u);
    }),
  );
});
