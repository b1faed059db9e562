import { alignEqual } from "./align-equal.ts";
import { alignWeighted } from "./align-weighted.ts";
import type { Gap, Pairs, Rows } from "./alignment.ts";
import { findAnchors } from "./find-anchors.ts";

export interface Alignment {
  readonly pairs: Pairs;
  /** Steps that were too many and too different to be laid side by side at once: they were cut into pieces, and pairs across a cut are lost. */
  readonly cut: number;
}

/** A gap is weighed cell by cell up to this many, and a whole comparison up to that many. */
const MOST_CELLS = 1_000_000;
const MOST_CELLS_IN_ALL = 24_000_000;
/** A piece of a gap that cannot be weighed at once, on its longer side. */
const PIECE = 400;
const LAST_PIECE = 60;

/**
 * Lays two rows side by side so that as much as possible stands beside its like. What is equal at both ends is taken off; short gaps are
 * weighed; long ones are taken apart where steps are unique on both sides, then where most equal steps are in order, and as a last resort at
 * equal portions. Time and memory are bounded for rows of any length.
 */
export function alignRows(rows: Rows): Alignment {
  const pairs: [number, number][] = [];
  const waiting: Gap[] = [{ fromA: 0, toA: rows.a.length, fromB: 0, toB: rows.b.length }];
  let [cells, cut] = [0, 0];
  for (let gap = waiting.pop(); gap !== undefined; gap = waiting.pop()) {
    const inner = trim(rows, gap, pairs);
    const size = (inner.toA - inner.fromA) * (inner.toB - inner.fromB);
    if (size === 0) continue;
    if (size <= MOST_CELLS && (cells + size <= MOST_CELLS_IN_ALL || size <= LAST_PIECE * LAST_PIECE)) {
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
    for (const piece of piecesOf(inner, cells + size > MOST_CELLS_IN_ALL ? LAST_PIECE : PIECE)) waiting.push(piece);
  }
  return { pairs: pairs.sort(([one], [other]) => one - other), cut };
}

function anchorsOf(rows: Rows, gap: Gap): [number, number][] {
  const anchors = findAnchors(rows.a, rows.b, gap);
  return anchors.length > 0 ? anchors : (alignEqual(rows.a, rows.b, gap) ?? []);
}

/** Takes equal steps off both ends. */
function trim({ a, b }: Rows, gap: Gap, pairs: [number, number][]): Gap {
  let { fromA, toA, fromB, toB } = gap;
  while (fromA < toA && fromB < toB && a[fromA] === b[fromB]) pairs.push([fromA++, fromB++]);
  while (fromA < toA && fromB < toB && a[toA - 1] === b[toB - 1]) pairs.push([--toA, --toB]);
  return { fromA, toA, fromB, toB };
}

function gapsBetween(known: readonly [number, number][], { fromA, toA, fromB, toB }: Gap): Gap[] {
  const gaps: Gap[] = [];
  let [lastA, lastB] = [fromA, fromB];
  for (const [one, other] of known) {
    if (one > lastA && other > lastB) gaps.push({ fromA: lastA, toA: one, fromB: lastB, toB: other });
    [lastA, lastB] = [one + 1, other + 1];
  }
  if (toA > lastA && toB > lastB) gaps.push({ fromA: lastA, toA, fromB: lastB, toB });
  return gaps;
}

function piecesOf({ fromA, toA, fromB, toB }: Gap, longest: number): Gap[] {
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
