import { describe, expect, it } from "vitest";
import { agoInWords, clockTime, dayInWords, momentInWords } from "./amounts.ts";

/** By the local clock, wherever the test runs. */
const NOW = new Date(2026, 10, 15, 14, 2, 11).getTime();
const before = (ms: number) => NOW - ms;

describe("moments in words", () => {
  it.each([
    [before(0), "just now"],
    [before(-5000), "just now"],
    [before(1999), "just now"],
    [before(12_000), "12 seconds ago"],
    [before(60_000), "1 minute ago"],
    [before(59 * 60_000 + 59_000), "59 minutes ago"],
    [before(5 * 3_600_000), "5 hours ago, at 09:02:11"],
    [new Date(2026, 10, 14, 23, 59, 0).getTime(), "yesterday at 23:59:00"],
    [new Date(2026, 10, 13, 9, 0, 0).getTime(), "13 November 2026 at 09:00:00"],
  ])("%d: %s", (at, words) => {
    expect(agoInWords(at, NOW)).toBe(words);
  });

  it("gives the day with a moment of another day only", () => {
    expect(momentInWords(before(60_000), NOW)).toBe("14:01:11");
    expect(momentInWords(new Date(2025, 0, 2, 3, 4, 5).getTime(), NOW)).toBe("2 January 2025 at 03:04:05");
  });

  it("has a word for a time that is none", () => {
    expect([clockTime(Number.NaN), dayInWords(Number.NaN)]).toEqual(["at an unknown time", "an unknown day"]);
  });
});
