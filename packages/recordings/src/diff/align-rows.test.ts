import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alignEqual, alignRows, alignWeighted, findAnchors, type Pairs, type RowGap } from "./align-rows.ts";

const keys = fc.array(fc.nat(4), { maxLength: 30 }).map((numbers) => Uint32Array.from(numbers));
const never = () => 0;
const wholeOf = (a: Uint32Array, b: Uint32Array): RowGap => ({ fromA: 0, toA: a.length, fromB: 0, toB: b.length });

function rises(pairs: Pairs): boolean {
  return pairs.every(([a, b], index) => index === 0 || (a > (pairs[index - 1]?.[0] ?? -1) && b > (pairs[index - 1]?.[1] ?? -1)));
}

/** Reference implementation: length of the longest common subsequence. */
function mostCommon(a: Uint32Array, b: Uint32Array): number {
  const lengths = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = lengths[i] ?? [];
      row[j] = a[i] === b[j] ? (lengths[i + 1]?.[j + 1] ?? 0) + 1 : Math.max(lengths[i + 1]?.[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return lengths[0]?.[0] ?? 0;
}

describe("Rows side by side", () => {
  it("have as many equal pairs as there can be, weighed or by their equal steps alone", () => {
    fc.assert(
      fc.property(keys, keys, (a, b) => {
        const most = mostCommon(a, b);
        const equal = alignEqual(a, b, wholeOf(a, b));
        expect(equal).toHaveLength(most);
        expect(rises(equal ?? [])).toBe(true);
        for (const [one, other] of equal ?? []) expect(a[one]).toBe(b[other]);
        expect(alignWeighted({ a, b, likeness: never }, wholeOf(a, b))).toHaveLength(most);
        expect(alignRows({ a, b, likeness: never }).pairs).toHaveLength(most);
      }),
    );
  });

  it("have anchors that are unique on both sides, equal, and in order", () => {
    const distinct = fc.uniqueArray(fc.nat(40), { maxLength: 25 }).map((numbers) => Uint32Array.from(numbers));
    fc.assert(
      fc.property(distinct, distinct, (a, b) => {
        const anchors = findAnchors(a, b, wholeOf(a, b));
        expect(rises(anchors)).toBe(true);
        for (const [one, other] of anchors) expect(a[one]).toBe(b[other]);
        expect(anchors).toHaveLength(mostCommon(a, b));
      }),
    );
    expect(findAnchors(Uint32Array.of(1, 1, 2), Uint32Array.of(1, 2, 2), { fromA: 0, toA: 3, fromB: 0, toB: 3 })).toEqual([]);
  });

  it("prefer the more alike of two candidates", () => {
    const likeness = (a: number, b: number) => (a === 0 && b === 1 ? 0.9 : 0.5);
    expect(alignRows({ a: Uint32Array.of(1), b: Uint32Array.of(2, 3), likeness }).pairs).toEqual([[0, 1]]);
  });

  it("leave apart what is hardly alike", () => {
    expect(alignRows({ a: Uint32Array.of(1), b: Uint32Array.of(2), likeness: () => 0.49 }).pairs).toEqual([]);
  });

  it("are cut into pieces when they are long and have nothing in common, and it is said", () => {
    const length = 3000;
    const a = Uint32Array.from({ length }, (_, index) => index);
    const b = Uint32Array.from({ length }, (_, index) => index + length);
    const { pairs, cut } = alignRows({ a, b, likeness: (one, other) => (one === other ? 0.8 : 0) });
    expect(cut).toBe(2 * length);
    expect(pairs).toHaveLength(length);
  });

  it("are aligned exactly when they are long and differ little, however often a step is repeated", () => {
    const a = Uint32Array.from({ length: 50_000 }, (_, index) => index % 3);
    const b = Uint32Array.from([...a.slice(0, 700), 9, ...a.slice(700, 40_000), ...a.slice(40_005)]);
    const { pairs, cut } = alignRows({ a, b, likeness: never });
    expect(cut).toBe(0);
    expect(rises(pairs)).toBe(true);
    expect(pairs.length).toBeGreaterThanOrEqual(a.length - 6);
  });
});
