import type { Activity } from "@earshot/protocol/activities";
import { shorten } from "../bounded.ts";
import { type Detector, NOTHING, several } from "./detector.ts";

/**
 * One failure after the other: calls that failed or ran out of time, and errors, with no call between them that succeeded. What
 * was denied or cancelled, and what does not say how it went, is neither. A failed call and an error that follows it at once
 * are one failure told twice, in either order.
 */
export interface FailureState {
  calls: number;
  errors: number;
  /** What the entry before this one told, if that was a failure. */
  last: "call" | "error" | null;
  told: boolean;
}

const MAX_NAME = 100;

export const errorCascade: Detector<FailureState> = {
  open: () => ({ calls: 0, errors: 0, last: null, told: false }),

  hear(state, { activities, position, receivedAt }, { failures }) {
    if (failures === 0) return NOTHING;
    let failed: "call" | "error" | undefined;
    let tool: string | undefined;
    for (const activity of activities) {
      const outcome = outcomeOf(activity);
      if (outcome === "well") Object.assign(state, errorCascade.open());
      if (outcome === "call" || outcome === "error") failed ??= outcome;
      if (activity.kind === "tool.ended" && outcome === "call") tool = activity.tool;
    }
    const before = state.last;
    // An entry that means nothing, or only that somebody is there, comes between nothing.
    if (activities.some(({ kind }) => kind !== "heartbeat")) state.last = failed ?? null;
    if (failed === undefined) return NOTHING;
    if (before !== null && before !== failed) {
      state.last = null; // told twice by now; a third one is another
      return NOTHING;
    }
    if (failed === "call") state.calls++;
    else state.errors++;
    if (state.told || state.calls + state.errors < failures) return NOTHING;
    state.told = true;
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
  if (errors === 0) return `${several(calls, "call")} in a row failed${last}.`;
  if (calls === 0) return `${several(errors, "error")} came one after the other, and no call succeeded in between.`;
  return `${several(calls, "call")} failed and ${several(errors, "error")} came one after the other, and no call succeeded in between.`;
}
