import type { Activity } from "@earshot/protocol/activities";

/** The session state that an activity implies. */
export function impliedState(activity: Activity): string | undefined {
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
