import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Pacer } from "./pacer.ts";

const ALL = Number.POSITIVE_INFINITY;

function play(options: { speed?: number; maxGapMs?: number }, ...events: readonly (readonly [string, number | undefined])[]) {
  const pacer = new Pacer({ speed: options.speed ?? 1, maxGapMs: options.maxGapMs ?? ALL });
  return { due: events.map(([session, at]) => pacer.dueMs(session, at)), troubles: pacer.troubles };
}

describe("when events of a recording are due", () => {
  it("keeps the distances, at any speed", () => {
    expect(play({}, ["a", 5000], ["b", 5100], ["a", 7000]).due).toEqual([0, 100, 2000]);
    expect(play({ speed: 10 }, ["a", 5000], ["b", 5100], ["a", 7000]).due).toEqual([0, 10, 200]);
  });

  it("plays what has no time with what came before it", () => {
    const { due, troubles } = play({}, ["a", undefined], ["a", 5000], ["", undefined], ["a", 5010]);
    expect(due).toEqual([0, 0, 0, 10]);
    expect(troubles).toEqual({ untimed: 2, backward: 0, shortened: 0 });
  });

  it("keeps its place for what goes back in time, and goes on by the same clock", () => {
    const { due, troubles } = play({}, ["a", 5000], ["a", 6000], ["a", 5500], ["a", 6500]);
    expect(due).toEqual([0, 1000, 1000, 1500]);
    expect(troubles.backward).toBe(1);
  });

  it("lets a session of an earlier recording begin where the one before it ended", () => {
    const { due, troubles } = play({}, ["a", 90_000], ["a", 91_000], ["b", 1000], ["b", 3000], ["a", 91_500]);
    expect(due).toEqual([0, 1000, 1000, 3000, 3000]);
    expect(troubles).toEqual({ untimed: 0, backward: 1, shortened: 0 });
  });

  it("makes silences shorter, once for everybody", () => {
    const { due, troubles } = play({ maxGapMs: 500, speed: 2 }, ["a", 0], ["b", 10], ["a", 60_010], ["b", 60_110], ["a", 60_120]);
    expect(due).toEqual([0, 5, 255, 305, 310]);
    expect(troubles.shortened).toBe(1);
  });

  it("never plays anything before what stands before it, and never waits longer than allowed", () => {
    const times = fc.option(fc.integer({ min: -1e6, max: 1e12 }), { nil: undefined });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), times)),
        fc.integer({ min: 1, max: 1e9 }),
        fc.integer({ min: 1, max: 100 }),
        (events, maxGapMs, speed) => {
          const { due } = play({ maxGapMs, speed }, ...events);
          for (const [index, at] of due.entries()) {
            const gap = at - (due[index - 1] ?? 0);
            expect(gap).toBeGreaterThanOrEqual(0);
            expect(gap * speed).toBeLessThanOrEqual(maxGapMs * 1.000001 + 0.01);
          }
        },
      ),
    );
  });
});
