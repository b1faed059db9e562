import type { Activity } from "@earshot/protocol/activities";

/** The state that an activity says the session is in. */
export function stateIn(activity: Activity): string | undefined {
  switch (activity.kind) {
    case "state":
      return activity.to;
    case "turn.ended":
      return "idle";
    case "heartbeat":
      return activity.status;
    default:
      return undefined;
  }
}
