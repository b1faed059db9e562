import type { Activity } from "@earshot/protocol/activities";
import { type AlertThresholds, type Detector, NO_SIGHTINGS } from "./detector.ts";

/**
 * Detects a step that costs many times as much as usual in its session. A step is what one entry adds, either reported directly or as the
 * growth since the previous total. The usual cost is the median of recent steps of the same kind, because per-call costs are not
 * comparable with spending between two heartbeats. Sessions that report dollars are not checked for tokens. Raised once; a step at the
 * usual cost resets it.
 */
export interface CostState {
  readonly steps: Record<Kind, number[]>;
  /** The last totals; null before the first. */
  readonly totals: { dollars: number | null; tokens: number | null };
  raised: boolean;
}

type Unit = "dollars" | "tokens";
type Kind = `${Unit} ${"delta" | "total"}`;

const MAX_STEPS = 32;
/** Minimum steps for a usual cost. */
const MIN_STEPS = 8;

export const costSpikeDetector: Detector<CostState> = {
  open: () => ({
    steps: { "dollars delta": [], "dollars total": [], "tokens delta": [], "tokens total": [] },
    totals: { dollars: null, tokens: null },
    raised: false,
  }),

  apply(state, { activities, position, receivedAt }, { thresholds }) {
    if (thresholds.spikeFactor === 0) return NO_SIGHTINGS;
    let message: string | undefined;
    for (const activity of activities) message ??= applyActivity(state, activity, thresholds);
    return message === undefined ? NO_SIGHTINGS : [{ severity: "warning", message, position, at: receivedAt }];
  },
};

function applyActivity(state: CostState, { costUsd, tokens }: Activity, thresholds: AlertThresholds): string | undefined {
  if (costUsd !== undefined) return applyAmount(state, "dollars", costUsd, thresholds);
  if (tokens === undefined || state.totals.dollars !== null || state.steps["dollars delta"].length > 0) return undefined;
  const { counts, total, input = 0, output = 0 } = tokens;
  return applyAmount(state, "tokens", { counts, value: total ?? input + output }, thresholds);
}

function applyAmount(
  state: CostState,
  unit: Unit,
  { counts, value }: { readonly counts: "total" | "delta"; readonly value: number },
  thresholds: AlertThresholds,
): string | undefined {
  const step = counts === "delta" ? value : growth(state, unit, value);
  // Totals are often repeated: a step of zero is ignored.
  if (step === undefined || !(step > 0) || !Number.isFinite(step)) return undefined;
  const steps = state.steps[`${unit} ${counts}`];
  const usual = steps.length < MIN_STEPS ? undefined : median(steps);
  steps.push(step);
  if (steps.length > MAX_STEPS) steps.shift();
  if (usual === undefined) return undefined;
  const least = unit === "dollars" ? thresholds.spikeCents / 100 : thresholds.spikeTokens;
  if (step < usual * thresholds.spikeFactor || step < least) {
    state.raised = false;
    return undefined;
  }
  if (state.raised) return undefined;
  state.raised = true;
  const times = Math.floor(step / usual);
  return `A single step cost ${shown(step, unit)}, ${times} times as much as the ${shown(usual, unit)} that are usual in this session.`;
}

/** Undefined for the first total, because the time it was spent is unknown. */
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
