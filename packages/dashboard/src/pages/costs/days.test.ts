import { describe, expect, it } from "vitest";
import { daysUntil, fillDays, tokensOf } from "./days.ts";

describe("days of costs", () => {
  it("end with the day of the moment, and those without costs are there", () => {
    const days = daysUntil(Date.UTC(2026, 2, 1, 23), 3);
    expect(days).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
    const lines = fillDays(days, [{ name: "2026-02-28", costUsd: 2, events: 4 }]);
    expect(lines.map(({ costUsd, events }) => [costUsd, events])).toEqual([
      [undefined, 0],
      [2, 4],
      [undefined, 0],
    ]);
  });

  it.each([
    [{}, undefined],
    [{ tokens: { total: 5, input: 9 } }, 5],
    [{ tokens: { input: 9, output: 1 } }, 10],
  ])("%j has %s tokens", (line, tokens) => {
    expect(tokensOf(line)).toBe(tokens);
  });
});
