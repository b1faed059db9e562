import type { JsonObject, JsonValue } from "../../json.ts";
import type { Activity, ActivityBase } from "../activity.ts";
import { buildActivity, type EventIdentity } from "../build-activity.ts";
import {
  booleanMember,
  CONFIDENCE_LEVELS,
  EMPTY_OBJECT,
  firstText,
  nonEmptyText,
  nonNegative,
  objectList,
  objectMember,
  oneOfWords,
  readCallOutcome,
  textList,
} from "../members.ts";
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
    goal: nonEmptyText(event, "request_text"),
    version: nonEmptyText(objectMember(event, "producer") ?? EMPTY_OBJECT, "agent_version"),
    requestedBy: nonEmptyText(event, "requested_by"),
    tools: textList(event, "tools_available"),
    expectedMs: nonNegative(event, "expected_duration_ms"),
  });
}

function sessionCompleted(base: ActivityBase, event: JsonObject): Activity {
  return buildActivity(base, "session.closed", {
    outcome: "completed",
    result: nonEmptyText(event, "output_summary"),
    resultUri: nonEmptyText(event, "result_uri"),
    calls: nonNegative(event, "tool_invocations_count"),
    durationMs: nonNegative(event, "duration_ms"),
  });
}

function sessionErrored(base: ActivityBase, event: JsonObject): Activity {
  return buildActivity(base, "session.closed", {
    outcome: "failed",
    // The specification defines no message here besides the announcement; its examples have one.
    error: nonEmptyText(event, "error_message") ?? base.summary,
    code: nonEmptyText(event, "error_code"),
    category: nonEmptyText(event, "error_category"),
    recoverable: booleanMember(event, "recoverable"),
    hint: firstText(event, "remediation_hint", "error_uri"),
    durationMs: nonNegative(event, "duration_ms"),
  });
}

function sessionCancelled(base: ActivityBase, event: JsonObject): Activity {
  const by = nonEmptyText(event, "cancelled_by");
  return buildActivity(base, "session.closed", {
    outcome: by === "timeout" ? "timeout" : "cancelled",
    by,
    reason: nonEmptyText(event, "cancellation_reason"),
    result: nonEmptyText(event, "partial_result"),
    durationMs: nonNegative(event, "duration_ms"),
  });
}

function stateChanged(base: ActivityBase, event: JsonObject): Activity {
  return buildActivity(base, "state", {
    from: nonEmptyText(event, "from_state"),
    to: nonEmptyText(event, "to_state") ?? "",
    expectedMs: nonNegative(event, "expected_duration_ms"),
  });
}

function progressUpdated(base: ActivityBase, event: JsonObject): Activity {
  const progress = objectMember(event, "progress") ?? EMPTY_OBJECT;
  return buildActivity(base, "progress", {
    percent: nonNegative(progress, "percent") ?? nonNegative(event, "progress_percent"),
    step: nonNegative(progress, "step"),
    steps: nonNegative(progress, "total_steps"),
    summary: base.summary ?? nonEmptyText(progress, "description"),
    remainingMs: nonNegative(event, "eta_ms"),
  });
}

function toolInvoked(base: ActivityBase, event: JsonObject): Activity {
  const irreversible = booleanMember(event, "irreversible");
  return buildActivity(base, "tool.started", {
    callId: nonEmptyText(event, "tool_call_id"),
    tool: nonEmptyText(event, "tool") ?? "",
    subject: nonEmptyText(event, "args_summary"),
    description: nonEmptyText(event, "description"),
    risk: oneOfWords(event, "risk_level", CONFIDENCE_LEVELS),
    reversible: irreversible === undefined ? undefined : !irreversible,
    expectedMs: nonNegative(event, "expected_duration_ms"),
  });
}

function toolCompleted(base: ActivityBase, event: JsonObject): Activity {
  return buildActivity(base, "tool.ended", {
    callId: nonEmptyText(event, "tool_call_id"),
    tool: nonEmptyText(event, "tool") ?? "",
    outcome: readCallOutcome(nonEmptyText(event, "status")) ?? "unknown",
    result: firstText(event, "result_summary", "output_summary"),
    error: nonEmptyText(event, "error_message"),
    durationMs: nonNegative(event, "duration_ms"),
  });
}

function outputStreaming(base: ActivityBase, event: JsonObject): Activity {
  return buildActivity(base, "output.chunk", {
    outputId: nonEmptyText(event, "output_id"),
    text: nonEmptyText(event, "chunk") ?? "",
    position: nonNegative(event, "position"),
    last: event["complete"] === true,
    contentType: nonEmptyText(event, "content_type"),
    language: nonEmptyText(event, "language") ?? base.language,
    boundary: nonEmptyText(event, "coalesce_hint"),
  });
}

function awaitingConfirmation(base: ActivityBase, event: JsonObject): Activity {
  // No protocol field links a question to its call; producers copy the link here.
  const about = objectMember(event, "extra_context") ?? EMPTY_OBJECT;
  return buildActivity(base, "request.asked", {
    request: "confirmation",
    token: nonEmptyText(event, "reply_token"),
    prompt: nonEmptyText(event, "action") ?? "",
    consequence: nonEmptyText(event, "consequence"),
    choices: textList(event, "allowed_replies"),
    risk: oneOfWords(event, "risk_level", CONFIDENCE_LEVELS),
    reversible: reversible(event),
    callId: nonEmptyText(about, "tool_call_id"),
    tool: nonEmptyText(about, "tool"),
    timeoutMs: timeoutMs(event),
    byDefault: nonEmptyText(event, "default_decision"),
  });
}

/** Two members carry this. If either says irreversible, the action is irreversible. */
function reversible(event: JsonObject): boolean | undefined {
  const irreversible = booleanMember(event, "irreversible");
  const word = nonEmptyText(event, "reversibility");
  if (irreversible === true || word === "irreversible") return false;
  if (irreversible === false || word === "reversible" || word === "reversible_with_effort") return true;
  return undefined;
}

function awaitingClarification(base: ActivityBase, event: JsonObject): Activity {
  const choices = objectList(event, "choices");
  const labels = choices.map((choice) => firstText(choice, "label", "value") ?? "");
  const values = choices.map((choice) => firstText(choice, "value", "label") ?? "");
  return buildActivity(base, "request.asked", {
    request: "clarification",
    token: nonEmptyText(event, "reply_token"),
    prompt: nonEmptyText(event, "question") ?? "",
    background: nonEmptyText(event, "context"),
    choices: labels.length === 0 ? (textList(event, "choices") ?? textList(event, "options")) : labels,
    choiceValues: values.every((value, index) => value === labels[index]) ? undefined : values,
    accepts: textList(event, "accepted_response_kinds"),
    timeoutMs: timeoutMs(event),
    byDefault: nonEmptyText(event, "default_response"),
  });
}

function handoffRequested(base: ActivityBase, event: JsonObject): Activity {
  const targetKind = nonEmptyText(event, "target_kind");
  return buildActivity(base, "handoff", {
    to: firstText(event, "target_uri", "handoff_target") ?? targetKind,
    targetKind,
    reason: nonEmptyText(event, "reason"),
    priority: nonEmptyText(event, "urgency_for_handoff"),
    briefing: objectMember(event, "packaged_context"),
  });
}

function timeoutMs(event: JsonObject): number | undefined {
  const seconds = nonNegative(event, "timeout_seconds");
  return seconds === undefined || seconds > Number.MAX_SAFE_INTEGER ? undefined : seconds * 1000;
}

function confirmationReply(base: ActivityBase, reply: JsonObject): Activity {
  return buildActivity(base, "request.answered", {
    request: "confirmation",
    token: nonEmptyText(reply, "reply_token"),
    answer: nonEmptyText(reply, "decision") ?? "",
    by: nonEmptyText(reply, "decided_by"),
    reason: firstText(reply, "decision_rationale", "decision_reason"),
    change: objectMember(reply, "modified_action"),
  });
}

function clarificationReply(base: ActivityBase, reply: JsonObject): Activity {
  return buildActivity(base, "request.answered", {
    request: "clarification",
    token: nonEmptyText(reply, "reply_token"),
    answer: answerOf(reply["response"]),
    by: nonEmptyText(reply, "decided_by"),
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
