import type { Activity } from "@earshot/protocol/activities";
import type { AlertThresholds } from "./detector.ts";
import { type Detector, NOTHING } from "./detector.ts";

/**
 * A step that costs many times as much as is usual in its own session. A step is what one entry adds: as it says itself, or
 * by how much the total grew since the total before it. Usual is the median of the last steps of the same kind: what calls
 * cost each is not compared with what is spent between two heartbeats. Where the cost is told in dollars, tokens are not
 * looked at. It is told once; a step as usual ends it.
 */
export interface CostState {
  readonly steps: Record<Kind, number[]>;
  /** The last totals. Null where none was told. */
  readonly totals: { dollars: number | null; tokens: number | null };
  told: boolean;
}

type Unit = "dollars" | "tokens";
type Kind = `${Unit} ${"delta" | "total"}`;

const MOST_STEPS = 32;
/** Before that, nobody knows what is usual. */
const FEWEST_STEPS = 8;

export const costSpike: Detector<CostState> = {
  open: () => ({
    steps: { "dollars delta": [], "dollars total": [], "tokens delta": [], "tokens total": [] },
    totals: { dollars: null, tokens: null },
    told: false,
  }),

  hear(state, { activities, position, receivedAt }, thresholds) {
    if (thresholds.spikeFactor === 0) return NOTHING;
    let message: string | undefined;
    for (const activity of activities) message ??= hearActivity(state, activity, thresholds);
    return message === undefined ? NOTHING : [{ severity: "warning", message, position, at: receivedAt }];
  },
};

function hearActivity(state: CostState, { costUsd, tokens }: Activity, thresholds: AlertThresholds): string | undefined {
  if (costUsd !== undefined) return hearAmount(state, "dollars", costUsd, thresholds);
  if (tokens === undefined || state.totals.dollars !== null || state.steps["dollars delta"].length > 0) return undefined;
  const { counts, total, input = 0, output = 0 } = tokens;
  return hearAmount(state, "tokens", { counts, value: total ?? input + output }, thresholds);
}

function hearAmount(
  state: CostState,
  unit: Unit,
  { counts, value }: { readonly counts: "total" | "delta"; readonly value: number },
  thresholds: AlertThresholds,
): string | undefined {
  const step = counts === "delta" ? value : growth(state, unit, value);
  // What costs nothing is no step: a total is often repeated.
  if (step === undefined || !(step > 0) || !Number.isFinite(step)) return undefined;
  const steps = state.steps[`${unit} ${counts}`];
  const usual = steps.length < FEWEST_STEPS ? undefined : median(steps);
  steps.push(step);
  if (steps.length > MOST_STEPS) steps.shift();
  if (usual === undefined) return undefined;
  const least = unit === "dollars" ? thresholds.spikeCents / 100 : thresholds.spikeTokens;
  if (step < usual * thresholds.spikeFactor || step < least) {
    state.told = false;
    return undefined;
  }
  if (state.told) return undefined;
  state.told = true;
  const times = Math.floor(step / usual);
  return `A single step cost ${shown(step, unit)}, ${times} times as much as the ${shown(usual, unit)} that are usual in this session.`;
}

/** Undefined for the first total: nobody knows since when it was spent. */
function growth(state: CostState, unit: Unit, total: number): number | undefined {
  const before = state.totals[unit];
  state.totals[unit] = before === null ? total : Math.max(before, total);
  return before === null ? undefined : total - before;
}

function median(values: readonly number[]): number {
  const ordered = values.toSorted((one, other) => one - other);
  return ordered[ordered.length >> 1] ?? 0;
}

function shown(amount: number, unit: Unit): string {
  if (unit === "tokens") return `${Math.round(amount)} tokens`;
  return `$${amount.toFixed(amount < 0.1 ? 4 : 2)}`;
}
