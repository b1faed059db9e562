import { LIKENESS_OF_ONE } from "../likeness-meter.ts";
import type { Gap, Rows } from "./alignment.ts";

const BOTH = 1;
const ONLY_A = 2;
const ONLY_B = 3;

/**
 * The best alignment of a small gap, after Needleman and Wunsch: leaving a step alone costs 1 on either side, a pair costs the
 * more the less alike its steps are, and pairs that are hardly alike are none. Takes room and time for every cell.
 */
export function alignWeighted({ a, b, likeness }: Rows, { fromA, toA, fromB, toB }: Gap): [number, number][] {
  const [height, width] = [toA - fromA, toB - fromB];
  const moves = new Uint8Array((height + 1) * (width + 1));
  // What the rest costs from each cell on: two rows at a time, from the end.
  let below = Float64Array.from({ length: width + 1 }, (_, column) => width - column);
  moves.fill(ONLY_B, height * (width + 1));
  for (let row = height - 1; row >= 0; row--) {
    const costs = new Float64Array(width + 1);
    costs[width] = height - row;
    moves[row * (width + 1) + width] = ONLY_A;
    for (let column = width - 1; column >= 0; column--) {
      let [least, move] = [(below[column] ?? 0) + 1, ONLY_A];
      const onlyB = (costs[column + 1] ?? 0) + 1;
      if (onlyB < least) [least, move] = [onlyB, ONLY_B];
      const [one, other] = [fromA + row, fromB + column];
      const rest = below[column + 1] ?? 0;
      // A pair can cost nothing at best: where even that would be too much, likeness need not be measured.
      if (rest <= least) {
        const like = a[one] === b[other] ? 1 : Math.min(likeness(one, other), ALMOST);
        const both = like < LIKENESS_OF_ONE ? Number.POSITIVE_INFINITY : rest + 2 * (1 - like);
        if (both <= least) [least, move] = [both, BOTH];
      }
      costs[column] = least;
      moves[row * (width + 1) + column] = move;
    }
    below = costs;
  }
  return follow(moves, width, { fromA, toA, fromB, toB });
}

/** What is not equal is never as good as what is. */
const ALMOST = 0.99;

function follow(moves: Uint8Array, width: number, { fromA, toA, fromB, toB }: Gap): [number, number][] {
  const pairs: [number, number][] = [];
  let [one, other] = [fromA, fromB];
  while (one < toA && other < toB) {
    const move = moves[(one - fromA) * (width + 1) + (other - fromB)];
    if (move === BOTH) pairs.push([one, other]);
    if (move !== ONLY_B) one++;
    if (move !== ONLY_A) other++;
  }
  return pairs;
}
