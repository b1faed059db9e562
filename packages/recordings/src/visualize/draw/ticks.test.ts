import { describe, expect, it } from "vitest";
import { formatElapsed, ticksOf } from "./ticks.ts";

describe("ticks", () => {
  it("are round, spread over the axis and begin at nothing", () => {
    const ticks = ticksOf({ kind: "time", from: 1_000_123, to: 1_090_123, silences: [] }, 9, 0.05);
    expect(ticks.map(({ label }) => label)).toEqual([
      "0 s",
      "10 s",
      "20 s",
      "30 s",
      "40 s",
      "50 s",
      "1 min",
      "1 min 10 s",
      "1 min 20 s",
      "1 min 30 s",
    ]);
    expect(ticks.at(-1)?.place).toBe(1);
  });

  it("stay out of silences, however long these are", () => {
    const silence = { from: 10_000, to: 30 * 86_400_000 };
    const axis = { kind: "time" as const, from: 0, to: silence.to + 10_000, silences: [silence] };
    const ticks = ticksOf(axis, 9, 0.05);
    expect(ticks.length).toBeLessThan(12);
    expect(ticks.every(({ place }) => place <= 0.49 || place >= 0.51)).toBe(true);
  });

  it("count entries where only their order is known", () => {
    expect(ticksOf({ kind: "order", from: 1, to: 5, silences: [] }, 9, 0).map(({ label }) => label)).toEqual(["1", "2", "3", "4", "5"]);
  });

  it("say elapsed time in two units at most", () => {
    expect([0, 250, 45_000, 270_000, 8_100_000, 180_000_000, 3_599_999].map(formatElapsed)).toEqual([
      "0 s",
      "0.25 s",
      "45 s",
      "4 min 30 s",
      "2 h 15 min",
      "2 d 2 h",
      "60 min",
    ]);
  });
});
