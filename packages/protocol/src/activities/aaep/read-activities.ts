import type { JsonObject, JsonValue } from "../../json.ts";
import type { Activity, ActivityBase } from "../activity.ts";
import { buildActivity, type EventIdentity } from "../build-activity.ts";
import { amount, firstText, flag, LEVELS, NOTHING, object, objects, oneOf, readCallOutcome, text, texts } from "../members.ts";
import { readAaepBase } from "./base.ts";

type AaepReader = (base: ActivityBase, event: JsonObject) => Activity;

const EVENTS: ReadonlyMap<string, AaepReader> = new Map([
  ["agent.session.started", sessionStarted],
  ["agent.session.completed", sessionCompleted],
  ["agent.session.errored", sessionErrored],
  ["agent.session.cancelled", sessionCancelled],
  ["agent.state.changed", stateChanged],
  ["agent.progress.updated", progressUpdated],
  ["agent.tool.invoked", toolInvoked],
  ["agent.tool.completed", toolCompleted],
  ["agent.output.streaming", outputStreaming],
  ["agent.awaiting.confirmation", awaitingConfirmation],
  ["agent.awaiting.clarification", awaitingClarification],
  ["agent.handoff.requested", handoffRequested],
]);

const MESSAGES: ReadonlyMap<string, AaepReader> = new Map([
  ["confirmation.reply", confirmationReply],
  ["clarification.reply", clarificationReply],
]);

export function readAaepActivities(event: JsonObject, identity: EventIdentity): readonly Activity[] {
  const base = readAaepBase(event, identity);
  const [readers, fallback] = identity.kind === "message" ? [MESSAGES, otherMessage] : [EVENTS, custom];
  return [(readers.get(identity.type) ?? fallback)(base, event)];
}

/** An extension type or a type of a later version. Its announcement, if any, is in the base. */
function custom(base: ActivityBase, event: JsonObject): Activity {
  return buildActivity(base, "custom", { data: event });
}

/** A session is one request by a person; its goal is the text of the request. */
function sessionStarted(base: ActivityBase, event: JsonObject): Activity {
  return buildActivity(base, "session.opened", {
    goal: text(event, "request_text"),
    version: text(object(event, "producer") ?? NOTHING, "agent_version"),
    requestedBy: text(event, "requested_by"),
    tools: texts(event, "tools_available"),
    expectedMs: amount(event, "expected_duration_ms"),
  });
}

function sessionCompleted(base: ActivityBase, event: JsonObject): Activity {
  return buildActivity(base, "session.closed", {
    outcome: "completed",
    result: text(event, "output_summary"),
    resultUri: text(event, "result_uri"),
    calls: amount(event, "tool_invocations_count"),
    durationMs: amount(event, "duration_ms"),
  });
}

function sessionErrored(base: ActivityBase, event: JsonObject): Activity {
  return buildActivity(base, "session.closed", {
    outcome: "failed",
    // The specification defines no message here besides the announcement; its examples have one.
    error: text(event, "error_message") ?? base.summary,
    code: text(event, "error_code"),
    category: text(event, "error_category"),
    recoverable: flag(event, "recoverable"),
    hint: firstText(event, "remediation_hint", "error_uri"),
    durationMs: amount(event, "duration_ms"),
  });
}

function sessionCancelled(base: ActivityBase, event: JsonObject): Activity {
  const by = text(event, "cancelled_by");
  return buildActivity(base, "session.closed", {
    outcome: by === "timeout" ? "timeout" : "cancelled",
    by,
    reason: text(event, "cancellation_reason"),
    result: text(event, "partial_result"),
    durationMs: amount(event, "duration_ms"),
  });
}

function stateChanged(base: ActivityBase, event: JsonObject): Activity {
  return buildActivity(base, "state", {
    from: text(event, "from_state"),
    to: text(event, "to_state") ?? "",
    expectedMs: amount(event, "expected_duration_ms"),
  });
}

function progressUpdated(base: ActivityBase, event: JsonObject): Activity {
  const progress = object(event, "progress") ?? NOTHING;
  return buildActivity(base, "progress", {
    percent: amount(progress, "percent") ?? amount(event, "progress_percent"),
    step: amount(progress, "step"),
    steps: amount(progress, "total_steps"),
    summary: base.summary ?? text(progress, "description"),
    remainingMs: amount(event, "eta_ms"),
  });
}

function toolInvoked(base: ActivityBase, event: JsonObject): Activity {
  const irreversible = flag(event, "irreversible");
  return buildActivity(base, "tool.started", {
    callId: text(event, "tool_call_id"),
    tool: text(event, "tool") ?? "",
    subject: text(event, "args_summary"),
    description: text(event, "description"),
    risk: oneOf(event, "risk_level", LEVELS),
    reversible: irreversible === undefined ? undefined : !irreversible,
    expectedMs: amount(event, "expected_duration_ms"),
  });
}

function toolCompleted(base: ActivityBase, event: JsonObject): Activity {
  return buildActivity(base, "tool.ended", {
    callId: text(event, "tool_call_id"),
    tool: text(event, "tool") ?? "",
    outcome: readCallOutcome(text(event, "status")) ?? "unknown",
    result: firstText(event, "result_summary", "output_summary"),
    error: text(event, "error_message"),
    durationMs: amount(event, "duration_ms"),
  });
}

function outputStreaming(base: ActivityBase, event: JsonObject): Activity {
  return buildActivity(base, "output.chunk", {
    outputId: text(event, "output_id"),
    text: text(event, "chunk") ?? "",
    position: amount(event, "position"),
    last: event["complete"] === true,
    contentType: text(event, "content_type"),
    language: text(event, "language") ?? base.language,
    boundary: text(event, "coalesce_hint"),
  });
}

function awaitingConfirmation(base: ActivityBase, event: JsonObject): Activity {
  // No protocol field links a question to its call; producers copy the link here.
  const about = object(event, "extra_context") ?? NOTHING;
  return buildActivity(base, "request.asked", {
    request: "confirmation",
    token: text(event, "reply_token"),
    prompt: text(event, "action") ?? "",
    consequence: text(event, "consequence"),
    choices: texts(event, "allowed_replies"),
    risk: oneOf(event, "risk_level", LEVELS),
    reversible: reversible(event),
    callId: text(about, "tool_call_id"),
    tool: text(about, "tool"),
    timeoutMs: timeoutMs(event),
    byDefault: text(event, "default_decision"),
  });
}

/** Two members carry this. If either says irreversible, the action is irreversible. */
function reversible(event: JsonObject): boolean | undefined {
  const irreversible = flag(event, "irreversible");
  const word = text(event, "reversibility");
  if (irreversible === true || word === "irreversible") return false;
  if (irreversible === false || word === "reversible" || word === "reversible_with_effort") return true;
  return undefined;
}

function awaitingClarification(base: ActivityBase, event: JsonObject): Activity {
  const choices = objects(event, "choices");
  const labels = choices.map((choice) => firstText(choice, "label", "value") ?? "");
  const values = choices.map((choice) => firstText(choice, "value", "label") ?? "");
  return buildActivity(base, "request.asked", {
    request: "clarification",
    token: text(event, "reply_token"),
    prompt: text(event, "question") ?? "",
    background: text(event, "context"),
    choices: labels.length === 0 ? (texts(event, "choices") ?? texts(event, "options")) : labels,
    choiceValues: values.every((value, index) => value === labels[index]) ? undefined : values,
    accepts: texts(event, "accepted_response_kinds"),
    timeoutMs: timeoutMs(event),
    byDefault: text(event, "default_response"),
  });
}

function handoffRequested(base: ActivityBase, event: JsonObject): Activity {
  const targetKind = text(event, "target_kind");
  return buildActivity(base, "handoff", {
    to: firstText(event, "target_uri", "handoff_target") ?? targetKind,
    targetKind,
    reason: text(event, "reason"),
    priority: text(event, "urgency_for_handoff"),
    briefing: object(event, "packaged_context"),
  });
}

function timeoutMs(event: JsonObject): number | undefined {
  const seconds = amount(event, "timeout_seconds");
  return seconds === undefined || seconds > Number.MAX_SAFE_INTEGER ? undefined : seconds * 1000;
}

function confirmationReply(base: ActivityBase, reply: JsonObject): Activity {
  return buildActivity(base, "request.answered", {
    request: "confirmation",
    token: text(reply, "reply_token"),
    answer: text(reply, "decision") ?? "",
    by: text(reply, "decided_by"),
    reason: firstText(reply, "decision_rationale", "decision_reason"),
    change: object(reply, "modified_action"),
  });
}

function clarificationReply(base: ActivityBase, reply: JsonObject): Activity {
  return buildActivity(base, "request.answered", {
    request: "clarification",
    token: text(reply, "reply_token"),
    answer: answerOf(reply["response"]),
    by: text(reply, "decided_by"),
    reason: firstText(reply, "decision_rationale", "decision_reason"),
  });
}

/** Booleans and numbers are valid answers. */
function answerOf(response: JsonValue | undefined): string {
  if (typeof response === "string") return response;
  return typeof response === "boolean" || typeof response === "number" ? String(response) : "";
}

/** The handshake, a manifest, or an extension message. */
function otherMessage(base: ActivityBase, message: JsonObject): Activity {
  const summary = base.summary ?? firstText(message, "reason_message", "negotiation_notes");
  return buildActivity(base, "custom", { summary, data: message });
}
