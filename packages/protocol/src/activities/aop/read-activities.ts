import { type AopType, isAopType, payloadOf, readAmount, readField, readFieldText, unwrapStream } from "../../aop/plain.ts";
import { isObject, type JsonObject, type JsonValue } from "../../json.ts";
import type { Activity, ActivityBase } from "../activity.ts";
import { buildActivity, type EventIdentity, omitUndefined } from "../build-activity.ts";
import {
  CONFIDENCE_LEVELS,
  EMPTY_OBJECT,
  findCallSubject,
  firstText,
  nonEmptyText,
  nonNegative,
  nonNullMember,
  objectMember,
  oneOfWords,
  readCallOutcome,
  readOutcome,
  textList,
} from "../members.ts";
import { type CountBasis, EVENT_BASIS, PROGRESS_BASIS, readSupplied, SESSION_BASIS, UNKNOWN_BASIS } from "../supplied.ts";

/** Gets the event's payload, and the event itself for its envelope. */
type AopReader = (base: ActivityBase, payload: JsonObject, event: JsonObject) => Activity;

const READERS: Readonly<Record<AopType, AopReader>> = {
  "session.started": sessionStarted,
  "session.heartbeat": sessionHeartbeat,
  "session.ended": sessionEnded,
  "cognition.thought": thought,
  "cognition.goal": goal,
  "cognition.decision": decision,
  "cognition.uncertainty": uncertainty,
  "operation.tool_start": toolStart,
  "operation.tool_end": toolEnd,
  "operation.agent_spawn": agentSpawn,
  "operation.memory": memory,
  "operation.external_call": externalCall,
};

export function readAopActivities(value: JsonObject, identity: EventIdentity): readonly Activity[] {
  if (identity.kind === "message") return [message(value, identity)];
  const event = unwrapStream(value) ?? value;
  const payload = payloadOf(event);
  const base = readAopBase(event, payload, identity);
  return [isAopType(identity.type) ? READERS[identity.type](base, payload, event) : custom(base, payload)];
}

/** A custom type: reads the members that look familiar. */
function custom(base: ActivityBase, payload: JsonObject): Activity {
  const summary = firstText(payload, "summary", "message", "description", "content", "text", "title");
  return buildActivity(base, "custom", { summary, data: payload });
}

/** Messages in a collector's stream that are not events: the greeting and alerts. */
function message(frame: JsonObject, { session, agent, type }: EventIdentity): Activity {
  const base: ActivityBase = { protocol: "aop", type, session, agent };
  const alert = objectMember(frame, "data") ?? EMPTY_OBJECT;
  const words = nonEmptyText(alert, "message");
  if (type !== "alert" || words === undefined) return buildActivity(base, "custom", { data: frame });
  return buildActivity(base, "notification", { text: words, level: nonEmptyText(alert, "severity"), topic: nonEmptyText(alert, "type") });
}

/** The protocol defines two names for numbers, and deployed software uses four more. A heartbeat's numbers are running totals. */
function chooseCountBasis(type: string): CountBasis {
  switch (type) {
    case "session.ended":
      return SESSION_BASIS;
    case "session.heartbeat":
      return PROGRESS_BASIS;
    case "operation.tool_end":
    case "operation.external_call":
    case "cognition.thought":
      return EVENT_BASIS;
    default:
      return UNKNOWN_BASIS;
  }
}

/** Reads the envelope and the agent's own additions, from `metadata` first and the payload second. */
function readAopBase(event: JsonObject, payload: JsonObject, { session, agent, type }: EventIdentity): ActivityBase {
  const metadata = objectMember(payload, "metadata");
  const { tokens, costUsd, context, model, provider, workspace } = readSupplied([metadata, payload], chooseCountBasis(type));
  const parent = nonEmptyText(event, "parent_session_id");
  return omitUndefined<ActivityBase>({
    protocol: "aop",
    type,
    session,
    agent,
    at: nonEmptyText(event, "timestamp"),
    // A session that names itself as its parent has no parent.
    parent: parent === undefined || parent === session ? undefined : { session: parent, relation: "subagent" },
    workspace,
    model,
    provider,
    tokens,
    costUsd,
    context,
    metadata,
  });
}

function sessionStarted(base: ActivityBase, payload: JsonObject, event: JsonObject): Activity {
  const metadata = objectMember(payload, "metadata") ?? EMPTY_OBJECT;
  return buildActivity(base, "session.opened", {
    goal: nonEmptyText(payload, "goal"),
    // The documents put it into the payload, the collector puts it into the envelope.
    version: nonEmptyText(payload, "agent_version") ?? nonEmptyText(event, "agent_version") ?? nonEmptyText(metadata, "agent_version"),
  });
}

function sessionHeartbeat(base: ActivityBase, payload: JsonObject): Activity {
  const metadata = objectMember(payload, "metadata") ?? EMPTY_OBJECT;
  return buildActivity(base, "heartbeat", {
    status: nonEmptyText(payload, "status"),
    step: readAmount("session.heartbeat", payload, "step"),
    goal: nonEmptyText(payload, "current_goal") ?? nonEmptyText(metadata, "current_goal"),
  });
}

function sessionEnded(base: ActivityBase, payload: JsonObject): Activity {
  const outcome = readFieldText("session.ended", payload, "outcome");
  return buildActivity(base, "session.closed", {
    outcome: readOutcome(outcome) ?? "unknown",
    // A custom outcome word is the closest match to a reason.
    reason: outcome === undefined || readOutcome(outcome) !== undefined || outcome === "" ? undefined : outcome,
    summary: nonEmptyText(payload, "outcome_summary"),
    error: nonEmptyText(payload, "error_message"),
    steps: readAmount("session.ended", payload, "total_steps"),
    durationMs: nonNegative(payload, "duration_ms"),
  });
}

function thought(base: ActivityBase, payload: JsonObject): Activity {
  const metadata = objectMember(payload, "metadata") ?? EMPTY_OBJECT;
  return buildActivity(base, "thought", {
    text: readFieldText("cognition.thought", payload, "content") ?? "",
    confidence: oneOfWords(payload, "confidence", CONFIDENCE_LEVELS),
    next: nonEmptyText(payload, "next_intent") ?? nonEmptyText(metadata, "next_intent"),
  });
}

const GOAL_STATUSES = ["set", "in_progress", "completed", "abandoned"] as const;

function goal(base: ActivityBase, payload: JsonObject): Activity {
  return buildActivity(base, "goal", {
    text: nonEmptyText(payload, "goal") ?? "",
    status: oneOfWords(payload, "status", GOAL_STATUSES),
    parentGoal: nonEmptyText(payload, "parent_goal"),
  });
}

function decision(base: ActivityBase, payload: JsonObject): Activity {
  return buildActivity(base, "decision", {
    text: readFieldText("cognition.decision", payload, "decision") ?? "",
    alternatives: textList(payload, "alternatives"),
    why: nonEmptyText(payload, "reasoning"),
    confidence: oneOfWords(payload, "confidence", CONFIDENCE_LEVELS),
  });
}

function uncertainty(base: ActivityBase, payload: JsonObject): Activity {
  return buildActivity(base, "uncertainty", {
    text: readFieldText("cognition.uncertainty", payload, "content") ?? "",
    confidence: oneOfWords(payload, "confidence", CONFIDENCE_LEVELS),
  });
}

function toolStart(base: ActivityBase, payload: JsonObject): Activity {
  const input = nonNullMember(payload, "input");
  return buildActivity(base, "tool.started", {
    callId: nonEmptyText(payload, "tool_call_id"),
    tool: readFieldText("operation.tool_start", payload, "tool_name") ?? "",
    input,
    subject: findCallSubject(input),
  });
}

function toolEnd(base: ActivityBase, payload: JsonObject): Activity {
  const { success } = payload;
  const said = readCallOutcome(firstText(payload, "outcome", "status"));
  // `success` is the protocol's member; a word for the kind of failure does not contradict it.
  const outcome = success === true ? "succeeded" : success === false ? failure(said) : (said ?? "unknown");
  const summary = firstText(payload, "result_summary", "output_summary");
  const error = errorOf(payload["error"]);
  const failed = outcome === "failed" || outcome === "timeout" || outcome === "cancelled";
  return buildActivity(base, "tool.ended", {
    callId: nonEmptyText(payload, "tool_call_id"),
    tool: readFieldText("operation.tool_end", payload, "tool_name") ?? "",
    outcome,
    // The result of a failed call is its error, unless both are given.
    result: failed && error === undefined ? undefined : summary,
    error: error ?? (failed ? summary : undefined),
    durationMs: readAmount("operation.tool_end", payload, "duration_ms"),
  });
}

function failure(said: ReturnType<typeof readCallOutcome>): "failed" | "cancelled" | "timeout" {
  return said === undefined || said === "succeeded" ? "failed" : said;
}

function errorOf(error: JsonValue | undefined): string | undefined {
  if (typeof error === "string") return error === "" ? undefined : error;
  return isObject(error) ? firstText(error, "message", "error", "code") : undefined;
}

function agentSpawn(base: ActivityBase, payload: JsonObject): Activity {
  return buildActivity(base, "subagent.started", {
    child: nonEmptyText(payload, "child_session_id"),
    childAgent: nonEmptyText(payload, "child_agent_id"),
    goal: nonEmptyText(payload, "goal"),
    why: nonEmptyText(payload, "reason"),
    callId: nonEmptyText(payload, "tool_call_id"),
  });
}

const MEMORY_OPERATIONS: readonly unknown[] = ["read", "write", "delete"];

function memory(base: ActivityBase, payload: JsonObject): Activity {
  const operation = readFieldText("operation.memory", payload, "operation");
  return buildActivity(base, "memory", {
    operation: isMemoryOperation(operation) ? operation : undefined,
    key: nonEmptyText(payload, "key"),
    summary: nonEmptyText(payload, "summary"),
  });
}

function isMemoryOperation(value: unknown): value is "read" | "write" | "delete" {
  return MEMORY_OPERATIONS.includes(value);
}

function externalCall(base: ActivityBase, payload: JsonObject): Activity {
  const target = readField("operation.external_call", payload, "url");
  return buildActivity(base, "external.call", {
    method: nonEmptyText(payload, "method"),
    target: typeof target === "string" ? target : (firstText(payload, "service", "endpoint") ?? ""),
    status: nonNegative(payload, "status_code"),
    durationMs: readAmount("operation.external_call", payload, "duration_ms"),
    error: errorOf(payload["error"]),
  });
}
