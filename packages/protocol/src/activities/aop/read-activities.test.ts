import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../json.ts";
import { activitiesOfEvent, meaningOfEvent } from "../testing/check-activity.ts";

function event(type: string, payload: JsonObject = {}, envelope: JsonObject = {}): JsonObject {
  const timestamp = "2026-04-10T09:00:00.000Z";
  return { spec: "aop/1.0", session_id: "sess_1", agent_id: "researcher", sequence: 1, timestamp, type, payload, ...envelope };
}

const mean = (type: string, payload: JsonObject = {}, envelope: JsonObject = {}) => meaningOfEvent("aop", event(type, payload, envelope));

describe("the documented payloads", () => {
  test.each<[type: string, payload: JsonObject, means: object]>([
    ["session.started", { goal: "Sum up", agent_version: "1.2.0" }, { kind: "session.opened", goal: "Sum up", version: "1.2.0" }],
    ["session.heartbeat", { status: "waiting" }, { kind: "heartbeat", status: "waiting" }],
    [
      "session.ended",
      { outcome: "failed", outcome_summary: "Half of it", error_message: "No network" },
      { kind: "session.closed", outcome: "failed", summary: "Half of it", error: "No network" },
    ],
    ["cognition.thought", { content: "Look first", confidence: "low" }, { kind: "thought", text: "Look first", confidence: "low" }],
    [
      "cognition.goal",
      { goal: "Find it", status: "in_progress", parent_goal: "Fix it" },
      { kind: "goal", text: "Find it", status: "in_progress", parentGoal: "Fix it" },
    ],
    [
      "cognition.decision",
      { decision: "Cache", alternatives: ["Retry", "Wait"], reasoning: "Cheapest" },
      { kind: "decision", text: "Cache", alternatives: ["Retry", "Wait"], why: "Cheapest" },
    ],
    [
      "cognition.uncertainty",
      { content: "Which year?", confidence: "low" },
      { kind: "uncertainty", text: "Which year?", confidence: "low" },
    ],
    [
      "operation.tool_start",
      { tool_name: "search", tool_call_id: "c1", input: { query: "tides", limit: 3 } },
      { kind: "tool.started", tool: "search", callId: "c1", input: { query: "tides", limit: 3 }, subject: "tides" },
    ],
    [
      "operation.tool_end",
      { tool_name: "search", tool_call_id: "c1", success: true, result_summary: "3 hits", duration_ms: 120 },
      { kind: "tool.ended", tool: "search", callId: "c1", outcome: "succeeded", result: "3 hits", durationMs: 120 },
    ],
    [
      "operation.agent_spawn",
      { child_session_id: "sess_2", child_agent_id: "writer", goal: "Write" },
      { kind: "subagent.started", child: "sess_2", childAgent: "writer", goal: "Write" },
    ],
    [
      "operation.memory",
      { operation: "write", key: "user/name", summary: "Ana" },
      { kind: "memory", operation: "write", key: "user/name", summary: "Ana" },
    ],
    [
      "operation.external_call",
      { method: "GET", url: "https://example.org/a", status_code: 200, duration_ms: 12 },
      { kind: "external.call", method: "GET", target: "https://example.org/a", status: 200, durationMs: 12 },
    ],
  ])("%s", (type, payload, means) => {
    expect(mean(type, payload)).toEqual([means]);
    const metadata = { note: "kept" };
    expect(mean(type, { ...payload, metadata })).toEqual([{ ...means, metadata }]);
  });
});

describe("the names that software in use sends", () => {
  test.each<[type: string, payload: JsonObject, means: object]>([
    ["session.started", { llm: "gpt-9" }, { kind: "session.opened", model: "gpt-9" }],
    [
      "session.heartbeat",
      { status: "running", step: 4, token_spend: 900, current_goal: "Read" },
      { kind: "heartbeat", status: "running", step: 4, goal: "Read", tokens: { counts: "total", total: 900 } },
    ],
    [
      "session.ended",
      { status: "timeout", total_steps: 7, total_tokens: 1200, total_cost_usd: 0.25 },
      {
        kind: "session.closed",
        outcome: "timeout",
        steps: 7,
        tokens: { counts: "total", total: 1200 },
        costUsd: { counts: "total", value: 0.25 },
      },
    ],
    ["cognition.thought", { reasoning: "Look", next_intent: "search" }, { kind: "thought", text: "Look", next: "search" }],
    ["cognition.decision", { chosen: "Cache" }, { kind: "decision", text: "Cache" }],
    ["cognition.uncertainty", { description: "Which?" }, { kind: "uncertainty", text: "Which?" }],
    ["operation.tool_start", { tool: "search", tool_call_id: "c1" }, { kind: "tool.started", tool: "search", callId: "c1" }],
    [
      "operation.tool_end",
      { tool: "search", tool_call_id: "c1", success: false, error: "refused", latency_ms: 8, token_spend_delta: 40 },
      {
        kind: "tool.ended",
        tool: "search",
        callId: "c1",
        outcome: "failed",
        error: "refused",
        durationMs: 8,
        tokens: { counts: "delta", total: 40 },
      },
    ],
    ["operation.agent_spawn", { child_session_id: "s", reason: "Faster" }, { kind: "subagent.started", child: "s", why: "Faster" }],
    ["operation.memory", { action: "read" }, { kind: "memory", operation: "read" }],
    [
      "operation.external_call",
      { method: "POST", service: "billing", endpoint: "/charge", latency_ms: 3 },
      { kind: "external.call", method: "POST", target: "billing /charge", durationMs: 3 },
    ],
    ["operation.external_call", { service: "billing" }, { kind: "external.call", target: "billing" }],
  ])("%s %j", (type, payload, means) => {
    expect(mean(type, payload)).toEqual([means]);
  });
});

test("the numbers of the documents are in metadata and win there", () => {
  const metadata = { token_spend_delta: 40 };
  expect(mean("operation.tool_end", { tool_name: "a", success: true, metadata, token_spend_delta: 99 })).toEqual([
    { kind: "tool.ended", tool: "a", outcome: "succeeded", tokens: { counts: "delta", total: 40 }, metadata },
  ]);
  const cost = { total_cost_usd: 0.5 };
  expect(mean("session.ended", { outcome: "completed", metadata: cost, total_cost_usd: 9 })).toEqual([
    { kind: "session.closed", outcome: "completed", costUsd: { counts: "total", value: 0.5 }, metadata: cost },
  ]);
});

test("a number of the wrong kind in metadata does not hide the right one in the payload", () => {
  const metadata = { total_cost_usd: "0.5" };
  expect(mean("session.ended", { metadata, total_cost_usd: 2 })).toMatchObject([{ costUsd: { counts: "total", value: 2 } }]);
  expect(mean("session.ended", { total_cost_usd: -2, total_tokens: null })).toEqual([{ kind: "session.closed", outcome: "unknown" }]);
});

test("what a failed call says is its error, and its result where both are told", () => {
  expect(mean("operation.tool_end", { tool_name: "a", success: false, result_summary: "No such file" })).toEqual([
    { kind: "tool.ended", tool: "a", outcome: "failed", error: "No such file" },
  ]);
  expect(mean("operation.tool_end", { tool_name: "a", success: false, result_summary: "2 of 3", error: { message: "Stopped" } })).toEqual([
    { kind: "tool.ended", tool: "a", outcome: "failed", result: "2 of 3", error: "Stopped" },
  ]);
  expect(mean("operation.tool_end", { tool_name: "a", success: false, status: "timeout" })).toMatchObject([{ outcome: "timeout" }]);
});

test("a missing success is no failure, and an outcome nobody knows is kept as a reason", () => {
  expect(mean("operation.tool_end", { tool_name: "a" })).toEqual([{ kind: "tool.ended", tool: "a", outcome: "unknown" }]);
  expect(mean("session.ended", { outcome: "exhausted" })).toEqual([{ kind: "session.closed", outcome: "unknown", reason: "exhausted" }]);
});

test("the envelope tells where, when and whose child", () => {
  expect(activitiesOfEvent("aop", event("cognition.thought", { content: "x" }, { parent_session_id: "sess_0" }))).toEqual([
    {
      protocol: "aop",
      type: "cognition.thought",
      session: "sess_1",
      agent: "researcher",
      at: "2026-04-10T09:00:00.000Z",
      parent: { session: "sess_0", relation: "subagent" },
      kind: "thought",
      text: "x",
    },
  ]);
  expect(mean("session.started", {}, { parent_session_id: "sess_1" })).toEqual([{ kind: "session.opened" }]);
  expect(mean("session.started", {}, { agent_version: "3.0.0" })).toEqual([{ kind: "session.opened", version: "3.0.0" }]);
});

test("an empty payload still means what its type says", () => {
  expect(mean("cognition.thought", {}, { payload: null })).toEqual([{ kind: "thought", text: "" }]);
  expect(mean("operation.tool_start")).toEqual([{ kind: "tool.started", tool: "" }]);
});

test("a type of one's own keeps what it carries", () => {
  const payload = { message: "Deployed", version: 4, metadata: { cost_usd: 0.1 } };
  expect(mean("acme.deploy", payload)).toEqual([
    {
      kind: "custom",
      summary: "Deployed",
      data: payload,
      metadata: payload.metadata,
      costUsd: { counts: "delta", value: 0.1, presumed: true },
    },
  ]);
});

test("an event in a frame of a collector's stream is the event, and an alert is a notification", () => {
  expect(meaningOfEvent("aop", { kind: "event", data: event("cognition.thought", { content: "x" }) })).toEqual([
    { kind: "thought", text: "x" },
  ]);
  const alert = { kind: "alert", data: { type: "loop", severity: "warning", message: "Again and again" } };
  expect(meaningOfEvent("aop", alert)).toEqual([{ kind: "notification", text: "Again and again", level: "warning", topic: "loop" }]);
  expect(meaningOfEvent("aop", { type: "connected", timestamp: "2026-04-10T09:00:00.000Z" })).toMatchObject([{ kind: "custom" }]);
});
