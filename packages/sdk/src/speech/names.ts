import type { PlainObject } from "../plain/plain-copy.ts";

/**
 * The names that the bundled dashboard of the AOP collector reads where it does not read the documented ones. Written
 * beside those, never instead of them: readers that know the protocol look at the documented names.
 */
const ALSO: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "session.ended": { outcome: "status" },
  "cognition.thought": { content: "reasoning" },
  "cognition.decision": { decision: "chosen" },
  "cognition.uncertainty": { content: "description" },
  "operation.tool_start": { tool_name: "tool" },
  "operation.tool_end": { tool_name: "tool", duration_ms: "latency_ms" },
  "operation.memory": { operation: "action" },
  "operation.external_call": { duration_ms: "latency_ms" },
};

/** Documented in `metadata`; read there from the payload itself. */
const LIFTED: Readonly<Record<string, readonly string[]>> = {
  "session.heartbeat": ["step", "token_spend", "current_goal"],
  "session.ended": ["total_steps", "total_tokens", "total_cost_usd"],
  "operation.tool_end": ["token_spend_delta"],
};

/** Adds the other names to a payload that is complete and within its bounds. */
export function addOtherNames(type: string, payload: PlainObject): void {
  for (const [documented, other] of Object.entries(ALSO[type] ?? {})) {
    const value = payload[documented];
    if (value !== undefined) payload[other] = value;
  }
  const { metadata } = payload;
  if (typeof metadata === "object" && metadata !== null && !Array.isArray(metadata)) {
    for (const name of LIFTED[type] ?? []) if (metadata[name] !== undefined) payload[name] = metadata[name];
  }
  if (type === "operation.tool_start") payload["input"] ??= {}; // without it the dashboard's page breaks down
  if (type === "operation.tool_end") addResult(payload);
  if (type === "operation.external_call") addTarget(payload);
}

function addResult(payload: PlainObject): void {
  const summary = payload["result_summary"];
  if (summary !== undefined) payload[payload["success"] === true ? "output_summary" : "error"] = summary;
}

function addTarget(payload: PlainObject): void {
  const match = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)([^?#]*)/i.exec(String(payload["url"]));
  payload["service"] = match?.[1] ?? String(payload["url"]);
  payload["endpoint"] = match?.[2] || "/";
}
