import { isObject, type JsonObject } from "@earshot/protocol/json";
import type { Activity, ActivityBase, ActivityDetails } from "../activity.ts";
import { amount, anything, NOTHING, object, text } from "../members.ts";
import { tell, withoutSpend } from "../tell.ts";
import { toolName } from "./call.ts";

type Verdict = ActivityDetails["tool.decided"]["verdict"];

const BEHAVIORS: ReadonlyMap<unknown, Verdict> = new Map([
  ["allow", "approved"],
  ["continue", "approved"],
  ["deny", "denied"],
  ["block", "denied"],
  ["stop", "denied"],
  ["ask", "asked"],
  ["defer", "deferred"],
  ["abstain", "abstained"],
]);
const OUTCOMES: ReadonlyMap<unknown, Verdict> = new Map([
  ["approved", "approved"],
  ["denied", "denied"],
]);

/** What a hook was answered. The behaviour is what the agent goes by; the outcome is what was written down about it. */
export function hookResponse(base: ActivityBase, response: JsonObject): Activity {
  const control = object(response, "control") ?? NOTHING;
  const decision = object(response, "decision") ?? NOTHING;
  return tell(base, "tool.decided", {
    callId: text(response, "action_id"),
    requestEventId: text(response, "request_event_id"),
    verdict: BEHAVIORS.get(control["behavior"]) ?? OUTCOMES.get(decision["outcome"]) ?? "unknown",
    behavior: text(control, "behavior"),
    ...wordsOf(decision),
    message: text(control, "message") ?? text(decision, "feedback"),
    newInput: anything(control, "updated_input"),
    addedContext: text(control, "additional_context"),
  });
}

/** A decision that an event itself reports: always there when the event means one. */
export function decisionOf(base: ActivityBase, event: JsonObject, meant?: Verdict): readonly Activity[] {
  const { decision } = event;
  const verdict = isObject(decision) ? (OUTCOMES.get(decision["outcome"]) ?? meant) : meant;
  if (verdict === undefined) return [];
  const said = isObject(decision) ? decision : NOTHING;
  return [
    tell(withoutSpend(base), "tool.decided", {
      callId: text(object(event, "action") ?? NOTHING, "id"),
      tool: toolName(event),
      verdict,
      ...wordsOf(said),
      message: text(said, "feedback"),
    }),
  ];
}

function wordsOf(decision: JsonObject) {
  return {
    by: text(decision, "by"),
    why: text(decision, "reason"),
    policy: text(decision, "policy_id"),
    afterMs: amount(decision, "response_time_ms"),
  };
}
