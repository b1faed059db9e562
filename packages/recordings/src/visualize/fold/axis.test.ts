import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Gaps, layAxis, placeAt, silentInBoth } from "./axis.ts";

const SECOND = 1000;
const HOUR = 3600 * SECOND;

function axisOf(times: readonly number[]) {
  const gaps = new Gaps();
  for (const time of times) gaps.see(time);
  return layAxis("time", { from: times[0] ?? 0, to: times.at(-1) ?? 0 }, gaps.silent().slice(1, -1), times.length);
}

describe("the axis", () => {
  it("keeps the order of moments and stays within the picture", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 0, max: 1e9 })), { minLength: 1, maxLength: 200 }),
        (steps) => {
          let at = 0;
          const times = steps.map((step) => {
            at += step;
            return at;
          });
          const axis = axisOf(times);
          const places = times.map((time) => placeAt(axis, time));
          for (const [index, place] of places.entries()) {
            expect(place).toBeGreaterThanOrEqual(0);
            expect(place).toBeLessThanOrEqual(1);
            expect(place).toBeGreaterThanOrEqual((places[index - 1] ?? 0) - 1e-9);
          }
        },
      ),
    );
  });

  it("uses its whole length", () => {
    const axis = axisOf([0, 1000, 2000, 3000]);
    expect([0, 1500, 3000].map((time) => placeAt(axis, time))).toEqual([0, 0.5, 1]);
  });

  it("draws one long night short", () => {
    const day = Array.from({ length: 20 }, (_none, index) => index * SECOND);
    const axis = axisOf([...day, ...day.map((time) => time + 9 * HOUR)]);
    expect(axis.silences).toEqual([{ from: 19 * SECOND, to: 9 * HOUR }]);
    expect(placeAt(axis, 19 * SECOND)).toBeGreaterThan(0.4);
  });

  it("draws several nights short, of which none is long beside the others", () => {
    const day = Array.from({ length: 30 }, (_none, index) => index * SECOND);
    const axis = axisOf([0, 1, 2, 3, 4].flatMap((night) => day.map((time) => time + night * 9 * HOUR)));
    expect(axis.silences).toHaveLength(4);
  });

  it("takes an even pace for no silence, however slow", () => {
    expect(axisOf([0, HOUR, 2 * HOUR, 3 * HOUR, 4 * HOUR]).silences).toEqual([]);
    expect(axisOf([0, 60 * SECOND]).silences).toEqual([]);
  });

  it("stands in the middle when everything happened at once", () => {
    expect(placeAt(axisOf([5, 5, 5]), 5)).toBe(0.5);
  });
});

describe("what is silent in both", () => {
  it("is where neither speaks", () => {
    expect(
      silentInBoth(
        [
          { from: 0, to: 10 },
          { from: 20, to: 30 },
        ],
        [{ from: 5, to: 25 }],
      ),
    ).toEqual([
      { from: 5, to: 10 },
      { from: 20, to: 25 },
    ]);
  });
});

describe("gaps", () => {
  it("are the longest ones, in order, with all before and after", () => {
    const gaps = new Gaps();
    let at = 0;
    for (let index = 0; index < 1000; index++) {
      at += index % 100 === 50 ? 500 + index : 1;
      gaps.see(at);
    }
    const silent = gaps.silent();
    expect(silent).toHaveLength(26);
    expect(silent[0]?.from).toBe(-Infinity);
    expect(silent.at(-1)?.to).toBe(Infinity);
    expect(silent.filter(({ from, to }) => to - from > 400 && Number.isFinite(to - from))).toHaveLength(10);
    expect(silent.every(({ from }, index) => from >= (silent[index - 1]?.to ?? -Infinity))).toBe(true);
  });
});
