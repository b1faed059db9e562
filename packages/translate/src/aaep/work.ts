import type { JsonObject } from "@earshot/protocol/json";
import type { Activity, ActivityBase } from "../activity.ts";
import { amount, firstText, flag, LEVELS, NOTHING, object, oneOf, text } from "../members.ts";
import { callOutcomeOf } from "../outcome.ts";
import { tell } from "../tell.ts";

export function stateChanged(base: ActivityBase, event: JsonObject): Activity {
  return tell(base, "state", {
    from: text(event, "from_state"),
    to: text(event, "to_state") ?? "",
    expectedMs: amount(event, "expected_duration_ms"),
  });
}

export function progressUpdated(base: ActivityBase, event: JsonObject): Activity {
  const progress = object(event, "progress") ?? NOTHING;
  return tell(base, "progress", {
    percent: amount(progress, "percent") ?? amount(event, "progress_percent"),
    step: amount(progress, "step"),
    steps: amount(progress, "total_steps"),
    summary: base.summary ?? text(progress, "description"),
    remainingMs: amount(event, "eta_ms"),
  });
}

export function toolInvoked(base: ActivityBase, event: JsonObject): Activity {
  const irreversible = flag(event, "irreversible");
  return tell(base, "tool.started", {
    callId: text(event, "tool_call_id"),
    tool: text(event, "tool") ?? "",
    subject: text(event, "args_summary"),
    description: text(event, "description"),
    risk: oneOf(event, "risk_level", LEVELS),
    reversible: irreversible === undefined ? undefined : !irreversible,
    expectedMs: amount(event, "expected_duration_ms"),
  });
}

export function toolCompleted(base: ActivityBase, event: JsonObject): Activity {
  return tell(base, "tool.ended", {
    callId: text(event, "tool_call_id"),
    tool: text(event, "tool") ?? "",
    outcome: callOutcomeOf(text(event, "status")) ?? "unknown",
    result: firstText(event, "result_summary", "output_summary"),
    error: text(event, "error_message"),
    durationMs: amount(event, "duration_ms"),
  });
}

export function outputStreaming(base: ActivityBase, event: JsonObject): Activity {
  return tell(base, "output.chunk", {
    outputId: text(event, "output_id"),
    text: text(event, "chunk") ?? "",
    position: amount(event, "position"),
    last: event["complete"] === true,
    contentType: text(event, "content_type"),
    language: text(event, "language") ?? base.language,
    boundary: text(event, "coalesce_hint"),
  });
}
