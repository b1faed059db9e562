import type { Gap } from "./alignment.ts";

/** Differences and steps of work that are looked at before it gives up: what is more different has no middle worth finding. */
const MOST_DIFFERENCES = 2000;
const MOST_WORK = 60_000_000;

/**
 * The most equal steps in order, after Myers: quick where little differs, however often the same step is repeated. Undefined when
 * the two differ too much.
 */
export function alignEqual(a: Uint32Array, b: Uint32Array, { fromA, toA, fromB, toB }: Gap): [number, number][] | undefined {
  const [height, width] = [toA - fromA, toB - fromB];
  const most = Math.min(height + width, MOST_DIFFERENCES);
  if (Math.abs(height - width) > most) return undefined;
  // Per diagonal, how far in A one gets with so many differences.
  const furthest = new Int32Array(2 * most + 3);
  const middle = most + 1;
  const traces: Int32Array[] = [];
  let work = 0;
  for (let differences = 0; differences <= most; differences++) {
    traces.push(furthest.slice(middle - differences - 1, middle + differences + 2));
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      const isDown =
        diagonal === -differences ||
        (diagonal !== differences && at(furthest, middle + diagonal - 1) < at(furthest, middle + diagonal + 1));
      let x = isDown ? at(furthest, middle + diagonal + 1) : at(furthest, middle + diagonal - 1) + 1;
      let y = x - diagonal;
      while (x < height && y < width && a[fromA + x] === b[fromB + y]) {
        x++;
        y++;
        work++;
      }
      furthest[middle + diagonal] = x;
      if (x >= height && y >= width) return walkBack(traces, { fromA, toA, fromB, toB });
    }
    work += differences;
    if (work > MOST_WORK) return undefined;
  }
  return undefined;
}

function walkBack(traces: readonly Int32Array[], { fromA, toA, fromB, toB }: Gap): [number, number][] {
  const pairs: [number, number][] = [];
  let [x, y] = [toA - fromA, toB - fromB];
  for (let differences = traces.length - 1; differences >= 0; differences--) {
    const furthest = traces[differences] ?? new Int32Array();
    const middle = differences + 1;
    const diagonal = x - y;
    const isDown =
      diagonal === -differences || (diagonal !== differences && at(furthest, middle + diagonal - 1) < at(furthest, middle + diagonal + 1));
    const before = isDown ? diagonal + 1 : diagonal - 1;
    const beforeX = differences === 0 ? 0 : at(furthest, middle + before);
    const beforeY = differences === 0 ? 0 : beforeX - before;
    while (x > beforeX && y > beforeY) pairs.push([fromA + --x, fromB + --y]);
    [x, y] = [beforeX, beforeY];
  }
  return pairs.reverse();
}

function at(numbers: Int32Array, index: number): number {
  return numbers[index] ?? 0;
}
