import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../tools/test-volume.ts";
import { countCodePoints } from "./code-points.ts";

describe("code points", () => {
  it.each([
    ["nothing", "", 0],
    ["letters", "abc", 3],
    ["a pair", "a😀b", 3],
    ["pairs side by side", "😀😀", 2],
    ["a first half alone", "\ud83d", 1],
    ["a second half alone", "\ude00", 1],
    ["halves the wrong way round", "\ude00\ud83d", 2],
    ["a first half before a pair", "\ud83d😀", 2],
  ])("of %s", (_name, text, count) => {
    expect(countCodePoints(text)).toBe(count);
  });

  it("are counted as an iterator counts them, in the whole and in a part", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat({ max: 20 }), fc.nat({ max: 20 }), (text, one, other) => {
        const [start, end] = [Math.min(one, other, text.length), Math.min(Math.max(one, other), text.length)];
        expect(countCodePoints(text)).toBe([...text].length);
        expect(countCodePoints(text, start, end)).toBe([...text.slice(start, end)].length);
      }),
      { numRuns: propertyRuns() },
    );
  });
});
