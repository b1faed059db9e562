import { MIN_LIKENESS_OF_CHANGED } from "./likeness-meter.ts";

/** Indexes of aligned steps of A and B, ascending on both sides. A step without a pair exists in one run only. */
export type Pairs = readonly (readonly [a: number, b: number])[];

/** Two rows to align. */
interface Rows {
  /** Equal numbers represent equal steps. */
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  /** Similarity of the step of A at the first index and the step of B at the second, from 0 to 1. */
  readonly likeness: (a: number, b: number) => number;
}

/** A range of both rows: from the first index up to and excluding the second. */
export interface RowGap {
  readonly fromA: number;
  readonly toA: number;
  readonly fromB: number;
  readonly toB: number;
}

export interface Alignment {
  readonly pairs: Pairs;
  /** Number of steps in gaps too large to align at once. They were cut into pieces, and pairs across a cut are lost. */
  readonly cut: number;
}

/** Limits of the cost matrix: cells for a single gap, and cells for a whole comparison. */
const MAX_CELLS = 1_000_000;
const MAX_CELLS_IN_ALL = 24_000_000;
/** Maximum length, on the longer side, of the pieces of a gap too large for the cost matrix. */
const PIECE = 400;
const LAST_PIECE = 60;

/**
 * Aligns two rows to pair as many similar steps as possible. Equal steps at both ends are paired first. Short gaps use a cost matrix.
 * Long gaps are split at steps that are unique on both sides (patience diff), then along the longest common subsequence (Myers), and as a
 * last resort into equal portions. Time and memory are bounded for rows of any length.
 */
export function alignRows(rows: Rows): Alignment {
  const pairs: [number, number][] = [];
  const waiting: RowGap[] = [{ fromA: 0, toA: rows.a.length, fromB: 0, toB: rows.b.length }];
  let [cells, cut] = [0, 0];
  for (let gap = waiting.pop(); gap !== undefined; gap = waiting.pop()) {
    const inner = trim(rows, gap, pairs);
    const size = (inner.toA - inner.fromA) * (inner.toB - inner.fromB);
    if (size === 0) continue;
    if (size <= MAX_CELLS && (cells + size <= MAX_CELLS_IN_ALL || size <= LAST_PIECE * LAST_PIECE)) {
      cells += size;
      for (const pair of alignWeighted(rows, inner)) pairs.push(pair);
      continue;
    }
    const known = anchorsOf(rows, inner);
    if (known.length > 0) {
      for (const pair of known) pairs.push(pair);
      for (const one of gapsBetween(known, inner)) waiting.push(one);
      continue;
    }
    cut += inner.toA - inner.fromA + inner.toB - inner.fromB;
    for (const piece of piecesOf(inner, cells + size > MAX_CELLS_IN_ALL ? LAST_PIECE : PIECE)) waiting.push(piece);
  }
  return { pairs: pairs.sort(([one], [other]) => one - other), cut };
}

function anchorsOf(rows: Rows, gap: RowGap): [number, number][] {
  const anchors = findAnchors(rows.a, rows.b, gap);
  return anchors.length > 0 ? anchors : (alignEqual(rows.a, rows.b, gap) ?? []);
}

/** Pairs equal steps at both ends. */
function trim({ a, b }: Rows, gap: RowGap, pairs: [number, number][]): RowGap {
  let { fromA, toA, fromB, toB } = gap;
  while (fromA < toA && fromB < toB && a[fromA] === b[fromB]) pairs.push([fromA++, fromB++]);
  while (fromA < toA && fromB < toB && a[toA - 1] === b[toB - 1]) pairs.push([--toA, --toB]);
  return { fromA, toA, fromB, toB };
}

function gapsBetween(known: readonly [number, number][], { fromA, toA, fromB, toB }: RowGap): RowGap[] {
  const gaps: RowGap[] = [];
  let [lastA, lastB] = [fromA, fromB];
  for (const [one, other] of known) {
    if (one > lastA && other > lastB) gaps.push({ fromA: lastA, toA: one, fromB: lastB, toB: other });
    [lastA, lastB] = [one + 1, other + 1];
  }
  if (toA > lastA && toB > lastB) gaps.push({ fromA: lastA, toA, fromB: lastB, toB });
  return gaps;
}

function piecesOf({ fromA, toA, fromB, toB }: RowGap, longest: number): RowGap[] {
  const [height, width] = [toA - fromA, toB - fromB];
  const count = Math.ceil(Math.max(height, width) / longest);
  const cutAt = (length: number, piece: number) => Math.floor((length * piece) / count);
  return Array.from({ length: count }, (_, piece) => ({
    fromA: fromA + cutAt(height, piece),
    toA: fromA + cutAt(height, piece + 1),
    fromB: fromB + cutAt(width, piece),
    toB: fromB + cutAt(width, piece + 1),
  }));
}

/** Limits on differences and work steps before the search gives up: rows with more differences have no useful split. */
const MAX_DIFFERENCES = 2000;
const MAX_WORK = 60_000_000;

/**
 * The longest common subsequence after Myers: fast for few differences, regardless of repeated steps. Undefined if the rows differ too
 * much.
 */
export function alignEqual(a: Uint32Array, b: Uint32Array, { fromA, toA, fromB, toB }: RowGap): [number, number][] | undefined {
  const [height, width] = [toA - fromA, toB - fromB];
  const most = Math.min(height + width, MAX_DIFFERENCES);
  if (Math.abs(height - width) > most) return undefined;
  // Per diagonal, the furthest index in A that is reachable with this number of differences.
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
    if (work > MAX_WORK) return undefined;
  }
  return undefined;
}

function walkBack(traces: readonly Int32Array[], { fromA, toA, fromB, toB }: RowGap): [number, number][] {
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

/**
 * Patience diff: the longest increasing sequence of equal steps that occur once on each side. Such a step rarely matches by chance, so the
 * steps between two of them can be aligned separately.
 */
export function findAnchors(a: Uint32Array, b: Uint32Array, { fromA, toA, fromB, toB }: RowGap): [number, number][] {
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

/** The longest subsequence of pairs, sorted by A, that is also in the order of B. */
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

const BOTH = 1;
const ONLY_A = 2;
const ONLY_B = 3;

/**
 * The optimal alignment of a small gap after Needleman and Wunsch. An unpaired step costs 1 on either side, a pair costs more the less
 * similar its steps are, and steps below the minimum similarity are never paired. Time and memory are proportional to the number of
 * cells.
 */
export function alignWeighted({ a, b, likeness }: Rows, { fromA, toA, fromB, toB }: RowGap): [number, number][] {
  const [height, width] = [toA - fromA, toB - fromB];
  const moves = new Uint8Array((height + 1) * (width + 1));
  // The remaining cost from each cell, computed from the end with two rows in memory.
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
      // A pair costs at least 0. If even that exceeds the current minimum, the similarity is not computed.
      if (rest <= least) {
        const like = a[one] === b[other] ? 1 : Math.min(likeness(one, other), ALMOST);
        const both = like < MIN_LIKENESS_OF_CHANGED ? Number.POSITIVE_INFINITY : rest + 2 * (1 - like);
        if (both <= least) [least, move] = [both, BOTH];
      }
      costs[column] = least;
      moves[row * (width + 1) + column] = move;
    }
    below = costs;
  }
  return follow(moves, width, { fromA, toA, fromB, toB });
}

/** Upper limit for the similarity of unequal steps. */
const ALMOST = 0.99;

function follow(moves: Uint8Array, width: number, { fromA, toA, fromB, toB }: RowGap): [number, number][] {
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
