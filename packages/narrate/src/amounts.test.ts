import { describe, expect, it } from "vitest";
import {
  formatAgo,
  formatClock,
  formatCount,
  formatDay,
  formatDuration,
  formatLabel,
  formatList,
  formatMoment,
  formatMoney,
  formatShortDuration,
  formatShortMoney,
  formatSize,
  formatTime,
  formatTokens,
  spaceWords,
} from "./amounts.ts";

describe("amounts in words", () => {
  it.each([
    [0, "0 milliseconds"],
    [1, "1 millisecond"],
    [350, "350 milliseconds"],
    [1000, "1 second"],
    [1249, "1.2 seconds"],
    [9960, "10 seconds"],
    [12_400, "12 seconds"],
    [59_700, "1 minute"],
    [61_000, "1 minute 1 second"],
    [252_000, "4 minutes 12 seconds"],
    [3_599_700, "1 hour"],
    [7_500_000, "2 hours 5 minutes"],
    [86_400_000 * 3 + 14_400_000, "3 days 4 hours"],
    [86_399_999, "1 day"],
    [-5, "0 milliseconds"],
    [Number.POSITIVE_INFINITY, "unknown time"],
  ])("%d ms is %s", (ms, words) => {
    expect(formatDuration(ms)).toBe(words);
  });

  it.each([
    [0, "0.00 US dollars"],
    [0.5, "0.50 US dollars"],
    [0.12, "0.12 US dollars"],
    [0.0042, "0.0042 US dollars"],
    [0.004, "0.004 US dollars"],
    [0.999, "1.00 US dollars"],
    [12.345, "12.35 US dollars"],
    [1234.5, "1,234.50 US dollars"],
  ])("%d is %s", (usd, words) => {
    expect(formatMoney(usd)).toBe(words);
  });

  it("says of tokens what was said, and adds nothing up", () => {
    expect(formatTokens({ total: 1540 })).toBe("1,540 tokens");
    expect(formatTokens({ total: 1 })).toBe("1 token");
    expect(formatTokens({ input: 1200, output: 340 })).toBe("tokens 1,200 in, 340 out");
    expect(formatTokens({ input: 1200, output: 340, total: 1540 })).toBe("1,540 tokens, 1,200 in, 340 out");
    expect(formatTokens({ input: 12_000, output: 800, total: 2700 })).toBe("2,700 tokens; reported in parts: 12,000 in, 800 out");
    expect(formatTokens({})).toBe("");
  });

  it("counts and lists", () => {
    expect([formatCount(1, "call"), formatCount(2, "call"), formatCount(1500, "entry", "entries")]).toEqual([
      "1 call",
      "2 calls",
      "1,500 entries",
    ]);
    expect([formatList([]), formatList(["a"]), formatList(["a", "b"]), formatList(["a", "b", "c"])]).toEqual([
      "",
      "a",
      "a and b",
      "a, b and c",
    ]);
  });
});

/** In local time, in any time zone. */
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
    expect(formatAgo(at, NOW)).toBe(words);
  });

  it("gives the day with a moment of another day only", () => {
    expect(formatMoment(before(60_000), NOW)).toBe("14:01:11");
    expect(formatMoment(new Date(2025, 0, 2, 3, 4, 5).getTime(), NOW)).toBe("2 January 2025 at 03:04:05");
  });

  it("has a word for a time that is none", () => {
    expect([formatClock(Number.NaN), formatDay(Number.NaN)]).toEqual(["at an unknown time", "an unknown day"]);
  });
});

describe("short amounts", () => {
  it("have units of one sign", () => {
    const durations = [0, 210, 3400, 42_000, 200_000, 3_600_000, 5_000_000, 90_000_000];
    expect(durations.map(formatShortDuration)).toEqual(["0 ms", "210 ms", "3.4 s", "42 s", "3 min 20 s", "1 h", "1 h 23 min", "1 d 1 h"]);
    expect([0, 999, 1500, 45_900_000, 999_600_000, 2e9].map(formatSize)).toEqual([
      "0 bytes",
      "999 bytes",
      "1.5 kB",
      "46 MB",
      "1 GB",
      "2 GB",
    ]);
    expect([0.0042, 12.345, -0.5].map(formatShortMoney)).toEqual(["$0.0042", "$12.35", "-$0.50"]);
  });

  it("have the time of day, and the date when it is another", () => {
    expect(formatTime(before(60_000), NOW)).toBe("14:01");
    expect(formatTime(new Date(2026, 10, 13, 9, 0, 0).getTime(), NOW)).toBe("09:00 on 13 November 2026");
  });

  it("in another language have its units", () => {
    expect([formatDuration(252_000, "de"), formatDuration(1200, "de")]).toEqual(["4 Minuten 12 Sekunden", "1,2 Sekunden"]);
  });
});

it("names of programs become words", () => {
  expect(["in_progress", "ran-despite-denial", "readFile"].map(spaceWords)).toEqual(["in progress", "ran despite denial", "read File"]);
  expect(["expectedMs", "token_spend"].map(formatLabel)).toEqual(["Expected milliseconds", "Token spend"]);
});
