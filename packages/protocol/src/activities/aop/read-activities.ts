import { type AopType, isAopType, payloadOf, readAmount, readField, readText, unwrapStream } from "../../aop/plain.ts";
import { isObject, type JsonObject, type JsonValue } from "../../json.ts";
import type { Activity, ActivityBase } from "../activity.ts";
import { buildActivity, type EventIdentity, omitUndefined } from "../build-activity.ts";
import {
  amount,
  anything,
  findCallSubject,
  firstText,
  LEVELS,
  NOTHING,
  object,
  oneOf,
  readCallOutcome,
  readOutcome,
  text,
  texts,
} from "../members.ts";
import { type CountBasis, ELSEWHERE, OF_EVENT, OF_SESSION, readSupplied, SO_FAR } from "../supplied.ts";

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
  const alert = object(frame, "data") ?? NOTHING;
  const words = text(alert, "message");
  if (type !== "alert" || words === undefined) return buildActivity(base, "custom", { data: frame });
  return buildActivity(base, "notification", { text: words, level: text(alert, "severity"), topic: text(alert, "type") });
}

/** The protocol defines two names for numbers, and deployed software uses four more. A heartbeat's numbers are running totals. */
function chooseCountBasis(type: string): CountBasis {
  switch (type) {
    case "session.ended":
      return OF_SESSION;
    case "session.heartbeat":
      return SO_FAR;
    case "operation.tool_end":
    case "operation.external_call":
    case "cognition.thought":
      return OF_EVENT;
    default:
      return ELSEWHERE;
  }
}

/** Reads the envelope and the agent's own additions, from `metadata` first and the payload second. */
function readAopBase(event: JsonObject, payload: JsonObject, { session, agent, type }: EventIdentity): ActivityBase {
  const metadata = object(payload, "metadata");
  const { tokens, costUsd, context, model, provider, workspace } = readSupplied([metadata, payload], chooseCountBasis(type));
  const parent = text(event, "parent_session_id");
  return omitUndefined<ActivityBase>({
    protocol: "aop",
    type,
    session,
    agent,
    at: text(event, "timestamp"),
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
  const metadata = object(payload, "metadata") ?? NOTHING;
  return buildActivity(base, "session.opened", {
    goal: text(payload, "goal"),
    // The documents put it into the payload, the collector puts it into the envelope.
    version: text(payload, "agent_version") ?? text(event, "agent_version") ?? text(metadata, "agent_version"),
  });
}

function sessionHeartbeat(base: ActivityBase, payload: JsonObject): Activity {
  const metadata = object(payload, "metadata") ?? NOTHING;
  return buildActivity(base, "heartbeat", {
    status: text(payload, "status"),
    step: readAmount("session.heartbeat", payload, "step"),
    goal: text(payload, "current_goal") ?? text(metadata, "current_goal"),
  });
}

function sessionEnded(base: ActivityBase, payload: JsonObject): Activity {
  const outcome = readText("session.ended", payload, "outcome");
  return buildActivity(base, "session.closed", {
    outcome: readOutcome(outcome) ?? "unknown",
    // A custom outcome word is the closest match to a reason.
    reason: outcome === undefined || readOutcome(outcome) !== undefined || outcome === "" ? undefined : outcome,
    summary: text(payload, "outcome_summary"),
    error: text(payload, "error_message"),
    steps: readAmount("session.ended", payload, "total_steps"),
    durationMs: amount(payload, "duration_ms"),
  });
}

function thought(base: ActivityBase, payload: JsonObject): Activity {
  const metadata = object(payload, "metadata") ?? NOTHING;
  return buildActivity(base, "thought", {
    text: readText("cognition.thought", payload, "content") ?? "",
    confidence: oneOf(payload, "confidence", LEVELS),
    next: text(payload, "next_intent") ?? text(metadata, "next_intent"),
  });
}

const GOAL_STATUSES = ["set", "in_progress", "completed", "abandoned"] as const;

function goal(base: ActivityBase, payload: JsonObject): Activity {
  return buildActivity(base, "goal", {
    text: text(payload, "goal") ?? "",
    status: oneOf(payload, "status", GOAL_STATUSES),
    parentGoal: text(payload, "parent_goal"),
  });
}

function decision(base: ActivityBase, payload: JsonObject): Activity {
  return buildActivity(base, "decision", {
    text: readText("cognition.decision", payload, "decision") ?? "",
    alternatives: texts(payload, "alternatives"),
    why: text(payload, "reasoning"),
    confidence: oneOf(payload, "confidence", LEVELS),
  });
}

function uncertainty(base: ActivityBase, payload: JsonObject): Activity {
  return buildActivity(base, "uncertainty", {
    text: readText("cognition.uncertainty", payload, "content") ?? "",
    confidence: oneOf(payload, "confidence", LEVELS),
  });
}

function toolStart(base: ActivityBase, payload: JsonObject): Activity {
  const input = anything(payload, "input");
  return buildActivity(base, "tool.started", {
    callId: text(payload, "tool_call_id"),
    tool: readText("operation.tool_start", payload, "tool_name") ?? "",
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
    callId: text(payload, "tool_call_id"),
    tool: readText("operation.tool_end", payload, "tool_name") ?? "",
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
    child: text(payload, "child_session_id"),
    childAgent: text(payload, "child_agent_id"),
    goal: text(payload, "goal"),
    why: text(payload, "reason"),
    callId: text(payload, "tool_call_id"),
  });
}

const MEMORY_OPERATIONS: readonly unknown[] = ["read", "write", "delete"];

function memory(base: ActivityBase, payload: JsonObject): Activity {
  const operation = readText("operation.memory", payload, "operation");
  return buildActivity(base, "memory", {
    operation: isMemoryOperation(operation) ? operation : undefined,
    key: text(payload, "key"),
    summary: text(payload, "summary"),
  });
}

function isMemoryOperation(value: unknown): value is "read" | "write" | "delete" {
  return MEMORY_OPERATIONS.includes(value);
}

function externalCall(base: ActivityBase, payload: JsonObject): Activity {
  const target = readField("operation.external_call", payload, "url");
  return buildActivity(base, "external.call", {
    method: text(payload, "method"),
    target: typeof target === "string" ? target : (firstText(payload, "service", "endpoint") ?? ""),
    status: amount(payload, "status_code"),
    durationMs: readAmount("operation.external_call", payload, "duration_ms"),
    error: errorOf(payload["error"]),
  });
}
