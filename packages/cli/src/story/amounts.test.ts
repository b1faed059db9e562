import { describe, expect, it } from "vitest";
import { counted, durationInWords, listed, moneyInWords, tokensInWords } from "./amounts.ts";

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
    expect(durationInWords(ms)).toBe(words);
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
    expect(moneyInWords(usd)).toBe(words);
  });

  it("says of tokens what was said, and adds nothing up", () => {
    expect(tokensInWords({ total: 1540 })).toBe("1,540 tokens");
    expect(tokensInWords({ total: 1 })).toBe("1 token");
    expect(tokensInWords({ input: 1200, output: 340 })).toBe("tokens 1,200 in, 340 out");
    expect(tokensInWords({ input: 1200, output: 340, total: 1540 })).toBe("1,540 tokens, 1,200 in, 340 out");
    expect(tokensInWords({ input: 12_000, output: 800, total: 2700 })).toBe("2,700 tokens; reported in parts: 12,000 in, 800 out");
    expect(tokensInWords({})).toBe("");
  });

  it("counts and lists", () => {
    expect([counted(1, "call"), counted(2, "call"), counted(1500, "entry", "entries")]).toEqual(["1 call", "2 calls", "1,500 entries"]);
    expect([listed([]), listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])]).toEqual(["", "a", "a and b", "a, b and c"]);
  });
});
