import { describe, expect, test } from "vitest";
import { ENGLISH } from "../words/english.ts";
import { GERMAN } from "../words/german.ts";
import { allTokens, approximateDuration, spokenCost, spokenTokens } from "./quantities.ts";

test.each([
  [900, "about a second", "etwa eine Sekunde"],
  [7000, "about seven seconds", "etwa sieben Sekunden"],
  [31_000, "about 30 seconds", "etwa 30 Sekunden"],
  [60_000, "about a minute", "etwa eine Minute"],
  [120_000, "about two minutes", "etwa zwei Minuten"],
  [1_500_000, "about 25 minutes", "etwa 25 Minuten"],
  [3_600_000, "about an hour", "etwa eine Stunde"],
  [10_800_000, "about three hours", "etwa drei Stunden"],
  [259_200_000, "about three days", "etwa drei Tage"],
])("%i milliseconds are %s", (ms, english, german) => {
  expect(approximateDuration(ms, ENGLISH)).toBe(english);
  expect(approximateDuration(ms, GERMAN)).toBe(german);
});

test.each([
  [0.0004, "less than a cent", "weniger als ein Cent"],
  [0.01, "1 cent", "1 Cent"],
  [0.03, "3 cents", "3 Cent"],
  [1, "1 dollar", "1 Dollar"],
  [1.2, "1 dollar and 20 cents", "1 Dollar und 20 Cent"],
  [12.01, "12 dollars and 1 cent", "12 Dollar und 1 Cent"],
  [1234.56, "1,235 dollars", "1.235 Dollar"],
])("%f dollars are %s", (dollars, english, german) => {
  expect(spokenCost(dollars, ENGLISH)).toBe(english);
  expect(spokenCost(dollars, GERMAN)).toBe(german);
});

test.each([
  [1, "1 token", "1 Token"],
  [950, "950 tokens", "950 Token"],
  [12_345, "12 thousand tokens", "12 Tausend Token"],
  [999_600, "1 million tokens", "1 Million Token"],
  [1_234_567, "1.2 million tokens", "1,2 Millionen Token"],
])("%i tokens are %s", (tokens, english, german) => {
  expect(spokenTokens(tokens, ENGLISH)).toBe(english);
  expect(spokenTokens(tokens, GERMAN)).toBe(german);
});

describe("all tokens", () => {
  test("are the total, or what went in and came out", () => {
    expect(allTokens({ counts: "total", total: 5, input: 1 })).toBe(5);
    expect(allTokens({ counts: "total", input: 3, output: 1, cacheRead: 100 })).toBe(4);
    expect(allTokens({ counts: "total" })).toBeUndefined();
  });
});
