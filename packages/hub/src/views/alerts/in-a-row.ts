import type { Activity } from "@earshot/protocol/activities";
import { shorten } from "../bounded.ts";
import { type Detector, describeCount, NO_SIGHTINGS } from "./detector.ts";

/**
 * Detects consecutive failures: calls that failed or timed out, and errors, with no successful call between them. Denied or cancelled
 * calls and calls without an outcome are neutral. A failed call directly next to an error is one failure reported twice.
 */
export interface FailureState {
  calls: number;
  errors: number;
  /** The failure reported by the previous entry. */
  last: "call" | "error" | null;
  raised: boolean;
}

const MAX_NAME = 100;

export const errorCascadeDetector: Detector<FailureState> = {
  open: () => ({ calls: 0, errors: 0, last: null, raised: false }),

  apply(state, { activities, position, receivedAt }, { thresholds: { failures } }) {
    if (failures === 0) return NO_SIGHTINGS;
    let failed: "call" | "error" | undefined;
    let tool: string | undefined;
    for (const activity of activities) {
      const outcome = outcomeOf(activity);
      if (outcome === "well") Object.assign(state, errorCascadeDetector.open());
      if (outcome === "call" || outcome === "error") failed ??= outcome;
      if (activity.kind === "tool.ended" && outcome === "call") tool = activity.tool;
    }
    const before = state.last;
    // Heartbeats and entries without activities do not separate two failures.
    if (activities.some(({ kind }) => kind !== "heartbeat")) state.last = failed ?? null;
    if (failed === undefined) return NO_SIGHTINGS;
    if (before !== null && before !== failed) {
      state.last = null; // reported twice by now; a third one is another
      return NO_SIGHTINGS;
    }
    if (failed === "call") state.calls++;
    else state.errors++;
    if (state.raised || state.calls + state.errors < failures) return NO_SIGHTINGS;
    state.raised = true;
    return [{ severity: "critical", message: describe(state, tool), position, at: receivedAt }];
  },
};

function outcomeOf(activity: Activity): "well" | "call" | "error" | undefined {
  switch (activity.kind) {
    case "tool.ended":
      if (activity.outcome === "succeeded") return "well";
      return activity.outcome === "failed" || activity.outcome === "timeout" ? "call" : undefined;
    case "error":
      return "error";
    case "session.closed":
      return "well";
    default:
      return undefined;
  }
}

function describe({ calls, errors }: FailureState, tool: string | undefined): string {
  const last = tool === undefined || tool === "" ? "" : `, the last one of "${shorten(tool, MAX_NAME)}"`;
  if (errors === 0) return `${describeCount(calls, "call")} in a row failed${last}.`;
  if (calls === 0) return `${describeCount(errors, "error")} came one after the other, and no call succeeded in between.`;
  return `${describeCount(calls, "call")} failed and ${describeCount(errors, "error")} came one after the other, and no call succeeded in between.`;
}

/** Detects consecutive thoughts of low confidence. An uncertainty with a confidence counts as a thought. */
export interface LowConfidenceState {
  low: number;
  raised: boolean;
}

export const confidenceDropDetector: Detector<LowConfidenceState> = {
  open: () => ({ low: 0, raised: false }),

  apply(state, { activities, position, receivedAt }, { thresholds: { lowThoughts } }) {
    if (lowThoughts === 0) return NO_SIGHTINGS;
    for (const activity of activities) {
      const low = isLow(activity);
      if (low === undefined) continue;
      state.low = low ? state.low + 1 : 0;
      if (!low) state.raised = false;
    }
    if (state.raised || state.low < lowThoughts) return NO_SIGHTINGS;
    state.raised = true;
    const message = `${state.low} thoughts in a row had low confidence.`;
    return [{ severity: "warning", message, position, at: receivedAt }];
  },
};

function isLow(activity: Activity): boolean | undefined {
  switch (activity.kind) {
    case "thought":
      return activity.confidence === "low";
    case "uncertainty":
      return activity.confidence === undefined ? undefined : activity.confidence === "low";
    case "session.closed":
      return false;
    default:
      return undefined;
  }
}
