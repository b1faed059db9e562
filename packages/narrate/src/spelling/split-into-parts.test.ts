import fc from "fast-check";
import { expect, test } from "vitest";
import { splitIntoParts } from "./split-into-parts.ts";

test("a short text is one part, and has no number", () => {
  expect(splitIntoParts("rm, space, slash tmp", "en")).toEqual(["rm, space, slash tmp"]);
  expect(splitIntoParts("", "en")).toEqual([""]);
});

test("a long text is cut at pauses, and every part says which it is", () => {
  expect(splitIntoParts("one two, three four, five six, seven", "en", 4)).toEqual([
    "Part 1 of 2. one two, three four",
    "Part 2 of 2. five six, seven",
  ]);
  expect(splitIntoParts("eins zwei drei vier", "de", 2)).toEqual(["Teil 1 von 2. eins zwei", "Teil 2 von 2. drei vier"]);
});

test("no word is lost, and no part is too long", () => {
  const word = fc.constantFrom("one", "two,", "three.", "four");
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 200 }), fc.integer({ min: 1, max: 50 }), (words, most) => {
      const parts = splitIntoParts(words.join(" "), "en", most);
      const heard = parts.map((part) => part.replace(/^Part \d+ of \d+\. /, "")).join(" ");
      expect(heard.replaceAll(",", "")).toBe(words.join(" ").replaceAll(",", ""));
      for (const part of parts) expect(part.replace(/^Part \d+ of \d+\. /, "").split(" ").length).toBeLessThanOrEqual(most);
    }),
  );
});
