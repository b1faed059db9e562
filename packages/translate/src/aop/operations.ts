import { readAmount, readField, readText } from "@earshot/protocol/aop";
import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol/json";
import type { Activity, ActivityBase } from "../activity.ts";
import { amount, anything, firstText, text } from "../members.ts";
import { callOutcomeOf } from "../outcome.ts";
import { subjectOf } from "../subject.ts";
import { tell } from "../tell.ts";

export function toolStart(base: ActivityBase, payload: JsonObject): Activity {
  const input = anything(payload, "input");
  return tell(base, "tool.started", {
    callId: text(payload, "tool_call_id"),
    tool: readText("operation.tool_start", payload, "tool_name") ?? "",
    input,
    subject: subjectOf(input),
  });
}

export function toolEnd(base: ActivityBase, payload: JsonObject): Activity {
  const { success } = payload;
  const said = callOutcomeOf(firstText(payload, "outcome", "status"));
  // `success` is the protocol's word; that something failed for a reason does not contradict it.
  const outcome = success === true ? "succeeded" : success === false ? failure(said) : (said ?? "unknown");
  const summary = firstText(payload, "result_summary", "output_summary");
  const error = errorOf(payload["error"]);
  const failed = outcome === "failed" || outcome === "timeout" || outcome === "cancelled";
  return tell(base, "tool.ended", {
    callId: text(payload, "tool_call_id"),
    tool: readText("operation.tool_end", payload, "tool_name") ?? "",
    outcome,
    // What came out of a call that failed is what went wrong, unless both are told.
    result: failed && error === undefined ? undefined : summary,
    error: error ?? (failed ? summary : undefined),
    durationMs: readAmount("operation.tool_end", payload, "duration_ms"),
  });
}

function failure(said: ReturnType<typeof callOutcomeOf>): "failed" | "cancelled" | "timeout" {
  return said === undefined || said === "succeeded" ? "failed" : said;
}

function errorOf(error: JsonValue | undefined): string | undefined {
  if (typeof error === "string") return error === "" ? undefined : error;
  return isObject(error) ? firstText(error, "message", "error", "code") : undefined;
}

export function agentSpawn(base: ActivityBase, payload: JsonObject): Activity {
  return tell(base, "subagent.started", {
    child: text(payload, "child_session_id"),
    childAgent: text(payload, "child_agent_id"),
    goal: text(payload, "goal"),
    why: text(payload, "reason"),
    callId: text(payload, "tool_call_id"),
  });
}

const MEMORY_OPERATIONS: readonly unknown[] = ["read", "write", "delete"];

export function memory(base: ActivityBase, payload: JsonObject): Activity {
  const operation = readText("operation.memory", payload, "operation");
  return tell(base, "memory", {
    operation: isMemoryOperation(operation) ? operation : undefined,
    key: text(payload, "key"),
    summary: text(payload, "summary"),
  });
}

function isMemoryOperation(value: unknown): value is "read" | "write" | "delete" {
  return MEMORY_OPERATIONS.includes(value);
}

export function externalCall(base: ActivityBase, payload: JsonObject): Activity {
  const target = readField("operation.external_call", payload, "url");
  return tell(base, "external.call", {
    method: text(payload, "method"),
    target: typeof target === "string" ? target : (firstText(payload, "service", "endpoint") ?? ""),
    status: amount(payload, "status_code"),
    durationMs: readAmount("operation.external_call", payload, "duration_ms"),
    error: errorOf(payload["error"]),
  });
}
