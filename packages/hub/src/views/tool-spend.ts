import { hash53 } from "./hash53.ts";

/**
 * Tokens spent by the tool calls of one session, each call once, as a plain value of bounded size.
 *
 * A call that was reported twice (the same `tool_call_id`, said again with another number) counts once, with the higher
 * amount. For that its id has to be remembered, and a session may have any number of calls. Remembered are the ids whose
 * hashes are lowest: which ones these are does not depend on the order in which they arrive, so neither does the sum.
 * Past the bound every report counts as a call of its own, which is exact unless a call is reported twice;
 * `uncompared` says how many reports that concerns.
 */
export interface ToolSpend {
  /** By hash of the call's id: its highest amount, the sum of its amounts, how often it was reported. */
  readonly calls: Record<string, [highest: number, sum: number, reports: number]>;
  count: number;
  /** The highest hash in `calls`: the one that goes when a lower one comes. -1 when there is none. */
  limit: number;
  /** What the calls that are not remembered spent. */
  rest: number;
  uncompared: number;
}

export const REMEMBERED_CALLS = 256;

export function openToolSpend(): ToolSpend {
  return { calls: {}, count: 0, limit: -1, rest: 0, uncompared: 0 };
}

/** Whole tokens: adding fractions gives another sum in another order. */
export function addSpend(spend: ToolSpend, callId: string, tokens: number): void {
  const amount = Math.min(Math.round(tokens), Number.MAX_SAFE_INTEGER);
  const hash = hash53(callId);
  const known = spend.calls[hash];
  if (known !== undefined) {
    known[0] = Math.max(known[0], amount);
    known[1] = plus(known[1], amount);
    known[2]++;
    return;
  }
  if (spend.count >= REMEMBERED_CALLS) {
    if (hash > spend.limit) {
      spend.rest = plus(spend.rest, amount);
      spend.uncompared++;
      return;
    }
    forgetHighest(spend);
  }
  spend.calls[hash] = [amount, amount, 1];
  spend.count++;
  if (hash > spend.limit) spend.limit = hash;
}

/** Undefined when no call said what it spent. */
export function totalSpend(spend: ToolSpend): number | undefined {
  if (spend.count === 0) return undefined;
  let total = spend.rest;
  for (const hash in spend.calls) total = plus(total, spend.calls[hash]?.[0] ?? 0);
  return total;
}

/** Rare once the table is full: a new id must have one of the lowest hashes so far. */
function forgetHighest(spend: ToolSpend): void {
  const call = spend.calls[spend.limit];
  if (call !== undefined) {
    spend.rest = plus(spend.rest, call[1]);
    spend.uncompared += call[2];
    delete spend.calls[spend.limit];
    spend.count--;
  }
  spend.limit = -1;
  for (const hash in spend.calls) spend.limit = Math.max(spend.limit, Number(hash));
}

/** Stays at the largest exact number instead of passing it, in any order of addition. */
function plus(left: number, right: number): number {
  return Math.min(left + right, Number.MAX_SAFE_INTEGER);
}
