import { describe, expect, it } from "vitest";
import { durationInWords, whenInWords } from "./time-words.ts";

describe("durations in words", () => {
  it.each([
    [0, "0 seconds"],
    [499, "0 seconds"],
    [1000, "1 second"],
    [20_000, "20 seconds"],
    [59_600, "1 minute"],
    [90_000, "1 minute and 30 seconds"],
    [570_000, "9 minutes and 30 seconds"],
    [645_000, "11 minutes"],
    [1_198_000, "20 minutes"],
    [3_600_000, "1 hour"],
    [5_400_000, "1 hour and 30 minutes"],
    [90_000_000, "1 day and 1 hour"],
    [-5000, "0 seconds"],
  ])("%d milliseconds are %s", (ms, words) => {
    expect(durationInWords(ms)).toBe(words);
  });
});

describe("times in words", () => {
  const now = Date.UTC(2026, 6, 1, 9, 0);
  it("tells the time of day where the person is, and the date when it is another", () => {
    expect(whenInWords(now + 600_000, now, "UTC")).toBe("09:10");
    expect(whenInWords(now + 600_000, now, "America/New_York")).toBe("05:10");
    expect(whenInWords(now - 86_400_000, now, "UTC")).toBe("09:00 on 30 June 2026");
  });
});
