import type { JsonObject } from "@earshot/protocol/json";
import type { Activity, ActivityBase } from "../activity.ts";
import { amount, firstText, flag, NOTHING, object, text, texts } from "../members.ts";
import { tell } from "../tell.ts";

/** A session is one request of a person: what was asked for is its goal. */
export function sessionStarted(base: ActivityBase, event: JsonObject): Activity {
  return tell(base, "session.opened", {
    goal: text(event, "request_text"),
    version: text(object(event, "producer") ?? NOTHING, "agent_version"),
    requestedBy: text(event, "requested_by"),
    tools: texts(event, "tools_available"),
    expectedMs: amount(event, "expected_duration_ms"),
  });
}

export function sessionCompleted(base: ActivityBase, event: JsonObject): Activity {
  return tell(base, "session.closed", {
    outcome: "completed",
    result: text(event, "output_summary"),
    resultUri: text(event, "result_uri"),
    calls: amount(event, "tool_invocations_count"),
    durationMs: amount(event, "duration_ms"),
  });
}

export function sessionErrored(base: ActivityBase, event: JsonObject): Activity {
  return tell(base, "session.closed", {
    outcome: "failed",
    // The specification has no message here besides the announcement; its examples do.
    error: text(event, "error_message") ?? base.summary,
    code: text(event, "error_code"),
    category: text(event, "error_category"),
    recoverable: flag(event, "recoverable"),
    hint: firstText(event, "remediation_hint", "error_uri"),
    durationMs: amount(event, "duration_ms"),
  });
}

export function sessionCancelled(base: ActivityBase, event: JsonObject): Activity {
  const by = text(event, "cancelled_by");
  return tell(base, "session.closed", {
    outcome: by === "timeout" ? "timeout" : "cancelled",
    by,
    reason: text(event, "cancellation_reason"),
    result: text(event, "partial_result"),
    durationMs: amount(event, "duration_ms"),
  });
}
