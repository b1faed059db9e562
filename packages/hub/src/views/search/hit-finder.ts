import { setImmediate as nextTurn } from "node:timers/promises";
import type { Statements } from "../statements.ts";
import type { MatchExpression } from "./match-expression.ts";

/** Where to look, and how many to find. */
export interface Hunt {
  readonly expression: MatchExpression;
  readonly low: number;
  readonly high: number;
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
  /** Says whether an entry that has the words is a hit. */
  readonly accept: (position: number) => boolean;
  /** When to give up. */
  readonly mostMs?: number;
}

export interface Found {
  /** Newest first. */
  readonly positions: readonly number[];
  /** Everything from here on has been looked at: go on below it. Undefined when all has. */
  readonly reached: number | undefined;
  /** It was ended because it took too long. */
  readonly cut: boolean;
}

/** How many positions are looked through at once. Words that never meet are looked for in vain in all of them. */
const FIRST_SPAN = 16_384;
const SPAN_GROWTH = 8;
/** A look that took less is followed by a wider one. */
const QUICK_MS = 2;
const MOST_MS = 100;
const AT_ONCE = 256;

/**
 * Looks through the index from the newest entry to the oldest, a range of positions after the other, and lets others work in
 * between. What can be looked for in vain for long is given up after a while, with a place to go on from.
 */
export async function findHits(sql: Statements, hunt: Hunt): Promise<Found> {
  const { expression, low, limit, signal, mostMs = MOST_MS } = hunt;
  const positions: number[] = [];
  let span = expression.isDirect ? Number.MAX_SAFE_INTEGER : FIRST_SPAN;
  const began = performance.now();
  for (let high = hunt.high; high >= low; ) {
    const from = Math.max(low, high - span + 1);
    const lookedAt = performance.now();
    const rows = look(sql, expression.match, from, high);
    for (const position of rows) {
      if (hunt.accept(position)) positions.push(position);
      if (positions.length >= limit) return { positions, reached: position, cut: false };
    }
    const now = performance.now();
    high = rows.length === AT_ONCE ? (rows.at(-1) ?? from) - 1 : from - 1;
    if (now - lookedAt < QUICK_MS) span *= SPAN_GROWTH;
    if (high < low) break;
    if (now - began > mostMs) return { positions, reached: high + 1, cut: true };
    await nextTurn();
    signal?.throwIfAborted();
  }
  return { positions, reached: undefined, cut: false };
}

function look(sql: Statements, match: string, low: number, high: number): readonly number[] {
  return sql
    .all(
      "SELECT rowid FROM search_words WHERE search_words MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?",
      match,
      // Any other number is bound as a real one, by which the index cannot seek: it would read everything newer first.
      BigInt(low),
      BigInt(high),
      AT_ONCE,
    )
    .map((row) => Number(row["rowid"]));
}
