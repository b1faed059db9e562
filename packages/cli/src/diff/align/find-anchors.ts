import type { Gap } from "./alignment.ts";

/**
 * Steps that are there once on either side, and are the same: the longest run of them that is in order on both. Such a step is hardly there
 * by chance, so that what lies between two of them can be aligned by itself. This is patience diff.
 */
export function findAnchors(a: Uint32Array, b: Uint32Array, { fromA, toA, fromB, toB }: Gap): [number, number][] {
  const inA = onceIn(a, fromA, toA);
  const inB = onceIn(b, fromB, toB);
  const common: [number, number][] = [];
  for (let index = fromA; index < toA; index++) {
    const key = a[index] ?? 0;
    const there = inA.get(key) === index ? inB.get(key) : undefined;
    if (there !== undefined && there >= 0) common.push([index, there]);
  }
  return longestRise(common);
}

const OFTEN = -1;

function onceIn(keys: Uint32Array, from: number, to: number): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  for (let index = from; index < to; index++) {
    const key = keys[index] ?? 0;
    places.set(key, places.has(key) ? OFTEN : index);
  }
  return places;
}

/** Of pairs in the order of A, the most that are in the order of B too. */
function longestRise(pairs: readonly [number, number][]): [number, number][] {
  const ends: number[] = []; // per length, the pair on which the rise with the lowest end ends
  const before: number[] = [];
  pairs.forEach(([, place], index) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    before[index] = low === 0 ? -1 : (ends[low - 1] ?? -1);
    ends[low] = index;
  });
  const rise: [number, number][] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) {
    const pair = pairs[index];
    if (pair !== undefined) rise.push(pair);
  }
  return rise.reverse();
}
