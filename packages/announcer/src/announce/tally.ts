import type { ActivityTally } from "@earshot/narrate";
import type { Activity } from "@earshot/protocol/activities";

export const NOTHING_TALLIED: ActivityTally = { calls: 0, failures: 0, outputs: 0, messages: 0 };

export function isNothing({ calls, failures, outputs, messages }: ActivityTally): boolean {
  return calls + failures + outputs + messages === 0;
}

export function addTallies(one: ActivityTally, other: ActivityTally): ActivityTally {
  return {
    calls: one.calls + other.calls,
    failures: one.failures + other.failures,
    outputs: one.outputs + other.outputs,
    messages: one.messages + other.messages,
  };
}

const CALL: ActivityTally = { ...NOTHING_TALLIED, calls: 1 };
const FAILURE: ActivityTally = { ...NOTHING_TALLIED, failures: 1 };
const OUTPUT: ActivityTally = { ...NOTHING_TALLIED, outputs: 1 };
const MESSAGE: ActivityTally = { ...NOTHING_TALLIED, messages: 1 };

/** An activity's part of a summary. States, ends and requests are announced through the session's state. */
export function tallyOf(activity: Activity): ActivityTally {
  switch (activity.kind) {
    case "tool.requested":
    case "tool.started":
      return CALL;
    case "tool.ended":
      return activity.outcome === "failed" || activity.outcome === "timeout" ? FAILURE : NOTHING_TALLIED;
    case "error":
      return FAILURE;
    case "response":
      return OUTPUT;
    case "output.chunk":
      return activity.last && activity.of !== "thought" ? OUTPUT : NOTHING_TALLIED;
    case "notification":
    case "custom":
    case "decision":
    case "uncertainty":
      return MESSAGE;
    default:
      return NOTHING_TALLIED;
  }
}
