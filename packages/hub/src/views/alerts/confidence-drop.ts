import type { Activity } from "@earshot/protocol/activities";
import { type Detector, NOTHING } from "./detector.ts";

/** Thoughts of low confidence in a row. A doubt that is told as such counts like a thought when it says how strong it is. */
export interface ConfidenceState {
  low: number;
  told: boolean;
}

export const confidenceDrop: Detector<ConfidenceState> = {
  open: () => ({ low: 0, told: false }),

  hear(state, { activities, position, receivedAt }, { lowThoughts }) {
    if (lowThoughts === 0) return NOTHING;
    for (const activity of activities) {
      const low = isLow(activity);
      if (low === undefined) continue;
      state.low = low ? state.low + 1 : 0;
      if (!low) state.told = false;
    }
    if (state.told || state.low < lowThoughts) return NOTHING;
    state.told = true;
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
