import type { Activity } from "@earshot/protocol/activities";
import type { TokenCount } from "./api.ts";

/** Cost in billionths of a dollar, and tokens. Integers, because floating-point sums depend on the order. */
export interface Amounts {
  readonly cost: number | null;
  readonly input: number | null;
  readonly output: number | null;
  readonly total: number | null;
}

export const SPEND_MEASURES = ["cost", "input", "output", "total"] as const;
export type Measure = (typeof SPEND_MEASURES)[number];

/** The session's total so far. A reported total takes precedence over the sum of parts. */
export type Spend = Record<Measure, { sum: number; reported: boolean } | null>;

const NANO = 1e9;
/** Above any real amount of one event; limits what a wrong number can do to sums. */
const MAX_AMOUNT = 1e14;
const NOTHING: Amounts = { cost: null, input: null, output: null, total: null };

export function openSpend(): Spend {
  return { cost: null, input: null, output: null, total: null };
}

/** The additions and totals an activity reports. Undefined when it reports none. */
export function amountsOf({ tokens, costUsd }: Activity): { readonly delta: Amounts; readonly total: Amounts } | undefined {
  if (tokens === undefined && costUsd === undefined) return undefined;
  const cost = costUsd === undefined ? null : whole(costUsd.value * NANO);
  const spoken: Amounts = { cost: null, input: whole(tokens?.input), output: whole(tokens?.output), total: whole(tokens?.total) };
  const delta = { ...(tokens?.counts === "delta" ? spoken : NOTHING), cost: costUsd?.counts === "delta" ? cost : null };
  const total = { ...(tokens?.counts === "total" ? spoken : NOTHING), cost: costUsd?.counts === "total" ? cost : null };
  return isZeroAmount(delta) && isZeroAmount(total) ? undefined : { delta, total };
}

/** Adds reported amounts. Returns the change of the session's total. */
export function addToSpend(spend: Spend, said: { readonly delta: Amounts; readonly total: Amounts }): Amounts {
  const change: Record<Measure, number | null> = { ...NOTHING };
  for (const measure of SPEND_MEASURES) {
    const delta = said.delta[measure];
    const total = said.total[measure];
    if (delta === null && total === null) continue;
    const known = spend[measure] ?? { sum: 0, reported: false };
    const before = known.sum;
    if (delta !== null && !known.reported) known.sum = Math.min(known.sum + delta, Number.MAX_SAFE_INTEGER);
    if (total !== null) {
      known.sum = known.reported ? Math.max(known.sum, total) : total;
      known.reported = true;
    }
    change[measure] = known.sum - before;
    spend[measure] = known;
  }
  return change;
}

export function isZeroAmount(amounts: Amounts): boolean {
  return SPEND_MEASURES.every((measure) => amounts[measure] === null);
}

export function toDollars(nano: number | null): number | undefined {
  return nano === null ? undefined : nano / NANO;
}

export function toTokenCount({ input, output, total }: Omit<Amounts, "cost">): TokenCount | undefined {
  if (input === null && output === null && total === null) return undefined;
  return { ...(input === null ? {} : { input }), ...(output === null ? {} : { output }), ...(total === null ? {} : { total }) };
}

function whole(value: number | undefined): number | null {
  return value === undefined || !Number.isFinite(value) || value < 0 ? null : Math.min(Math.round(value), MAX_AMOUNT);
}
