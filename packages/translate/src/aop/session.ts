import { readAmount, readText } from "@earshot/protocol/aop";
import type { JsonObject } from "@earshot/protocol/json";
import type { Activity, ActivityBase } from "../activity.ts";
import { amount, NOTHING, object, text } from "../members.ts";
import { outcomeOf } from "../outcome.ts";
import { tell } from "../tell.ts";

export function sessionStarted(base: ActivityBase, payload: JsonObject, event: JsonObject): Activity {
  const metadata = object(payload, "metadata") ?? NOTHING;
  return tell(base, "session.opened", {
    goal: text(payload, "goal"),
    // The documents put it into the payload, the collector into the envelope.
    version: text(payload, "agent_version") ?? text(event, "agent_version") ?? text(metadata, "agent_version"),
  });
}

export function sessionHeartbeat(base: ActivityBase, payload: JsonObject): Activity {
  const metadata = object(payload, "metadata") ?? NOTHING;
  return tell(base, "heartbeat", {
    status: text(payload, "status"),
    step: readAmount("session.heartbeat", payload, "step"),
    goal: text(payload, "current_goal") ?? text(metadata, "current_goal"),
  });
}

export function sessionEnded(base: ActivityBase, payload: JsonObject): Activity {
  const outcome = readText("session.ended", payload, "outcome");
  return tell(base, "session.closed", {
    outcome: outcomeOf(outcome) ?? "unknown",
    // A word of one's own is the nearest there is to a reason.
    reason: outcome === undefined || outcomeOf(outcome) !== undefined || outcome === "" ? undefined : outcome,
    summary: text(payload, "outcome_summary"),
    error: text(payload, "error_message"),
    steps: readAmount("session.ended", payload, "total_steps"),
    durationMs: amount(payload, "duration_ms"),
  });
}
