import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../tools/test-volume.ts";
import { createSignFinder } from "./sign-finder.ts";

const SIGNS = ["abc", "a_b", "---", "sk-", "K=1"];
const hasSign = createSignFinder(SIGNS);
/** Characters of the signs, some that share bits with them, and some that need more than one byte. */
const texts = fc.string({ unit: fc.constantFrom(..."abcABC!_-k1=sKšŢţ☡😀", ""), maxLength: 60 });

describe("the finder of signs", () => {
  it("finds what searching for each of them finds", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(hasSign(text)).toBe(SIGNS.some((sign) => text.includes(sign)));
      }),
      { numRuns: propertyRuns() },
    );
  });

  it("finds the same in the low bytes of a text, whatever stands behind them", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const bytes = Uint8Array.from({ length: text.length + 3 }, (_, index) => `${text}abc`.charCodeAt(index) & 255);
        expect(hasSign(text, bytes)).toBe(hasSign(text));
      }),
      { numRuns: propertyRuns() },
    );
  });
});
