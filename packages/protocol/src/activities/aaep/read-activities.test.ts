import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../json.ts";
import { activitiesOfEvent, meaningOfEvent } from "../testing/check-activity.ts";

function event(type: string, payload: JsonObject = {}): JsonObject {
  return {
    "@context": "https://aaep-protocol.org/context/v1",
    type: type.includes(":") ? type : `aaep:agent.${type}`,
    event_id: "evt_1",
    session_id: "sess_1",
    timestamp: "2026-07-01T09:00:00.000Z",
    producer: { agent_id: "deploy-bot" },
    ...payload,
  };
}

const mean = (type: string, payload: JsonObject = {}) => meaningOfEvent("aaep", event(type, payload));

describe("each core type", () => {
  test.each<[type: string, payload: JsonObject, means: object]>([
    [
      "session.started",
      { request_text: "Roll back", requested_by: "user:ana", tools_available: ["read_log"], expected_duration_ms: 900 },
      { kind: "session.opened", goal: "Roll back", requestedBy: "user:ana", tools: ["read_log"], expectedMs: 900 },
    ],
    [
      "session.completed",
      { duration_ms: 70, tool_invocations_count: 2, output_summary: "A report", result_uri: "https://example.org/r" },
      { kind: "session.closed", outcome: "completed", durationMs: 70, calls: 2, result: "A report", resultUri: "https://example.org/r" },
    ],
    [
      "session.errored",
      { error_category: "transient", error_code: "TOOL_TIMEOUT", recoverable: true, remediation_hint: "Try again", error_message: "Slow" },
      {
        kind: "session.closed",
        outcome: "failed",
        error: "Slow",
        code: "TOOL_TIMEOUT",
        category: "transient",
        recoverable: true,
        hint: "Try again",
      },
    ],
    [
      "session.cancelled",
      { cancelled_by: "user", cancellation_reason: "user_pressed_escape", partial_result: "Half" },
      { kind: "session.closed", outcome: "cancelled", by: "user", reason: "user_pressed_escape", result: "Half" },
    ],
    ["session.cancelled", { cancelled_by: "timeout" }, { kind: "session.closed", outcome: "timeout", by: "timeout" }],
    ["state.changed", { from_state: "idle", to_state: "thinking" }, { kind: "state", from: "idle", to: "thinking" }],
    [
      "progress.updated",
      { progress: { percent: 40.5, step: 2, total_steps: 5, description: "Reading" }, eta_ms: 3000 },
      { kind: "progress", percent: 40.5, step: 2, steps: 5, summary: "Reading", remainingMs: 3000 },
    ],
    [
      "tool.invoked",
      { tool: "drop", tool_call_id: "call_1", args_summary: "table: a", description: "Drops", risk_level: "high", irreversible: true },
      { kind: "tool.started", tool: "drop", callId: "call_1", subject: "table: a", description: "Drops", risk: "high", reversible: false },
    ],
    [
      "tool.completed",
      { tool: "drop", tool_call_id: "call_1", status: "error", error_message: "Locked", duration_ms: 5 },
      { kind: "tool.ended", tool: "drop", callId: "call_1", outcome: "failed", error: "Locked", durationMs: 5 },
    ],
    ["tool.completed", { tool: "drop", status: "success" }, { kind: "tool.ended", tool: "drop", outcome: "succeeded" }],
    ["tool.completed", { tool: "drop", status: "timeout" }, { kind: "tool.ended", tool: "drop", outcome: "timeout" }],
    ["tool.completed", { tool: "drop", status: "odd" }, { kind: "tool.ended", tool: "drop", outcome: "unknown" }],
    [
      "output.streaming",
      { chunk: "Hallo", position: 3, complete: true, output_id: "out_1", content_type: "text/markdown", language: "de" },
      { kind: "output.chunk", text: "Hallo", position: 3, last: true, outputId: "out_1", contentType: "text/markdown", language: "de" },
    ],
    [
      "awaiting.confirmation",
      {
        action: "Drop it",
        consequence: "Rows are lost",
        reply_token: "rpl_1",
        timeout_seconds: 30,
        default_decision: "reject",
        risk_level: "high",
        reversibility: "irreversible",
        allowed_replies: ["accept", "reject"],
        extra_context: { tool: "drop", tool_call_id: "call_1" },
      },
      {
        kind: "request.asked",
        request: "confirmation",
        prompt: "Drop it",
        consequence: "Rows are lost",
        token: "rpl_1",
        timeoutMs: 30_000,
        byDefault: "reject",
        risk: "high",
        reversible: false,
        choices: ["accept", "reject"],
        tool: "drop",
        callId: "call_1",
      },
    ],
    [
      "awaiting.clarification",
      {
        question: "Where?",
        reply_token: "rpl_2",
        timeout_seconds: 60,
        accepted_response_kinds: ["multiple_choice"],
        choices: [
          { value: "eu", label: "Europe" },
          { value: "us", label: "America" },
        ],
        context: "Two clusters",
        default_response: "eu",
      },
      {
        kind: "request.asked",
        request: "clarification",
        prompt: "Where?",
        token: "rpl_2",
        timeoutMs: 60_000,
        accepts: ["multiple_choice"],
        choices: ["Europe", "America"],
        choiceValues: ["eu", "us"],
        background: "Two clusters",
        byDefault: "eu",
      },
    ],
    [
      "handoff.requested",
      { reason: "Too hard", target_kind: "human", target_uri: "queue://l2", urgency_for_handoff: "high", packaged_context: { id: 7 } },
      { kind: "handoff", reason: "Too hard", to: "queue://l2", targetKind: "human", priority: "high", briefing: { id: 7 } },
    ],
  ])("%s %j", (type, payload, means) => {
    expect(mean(type, payload)).toEqual([means]);
  });
});

test("the announcement is there at each length, and the middle one comes first", () => {
  expect(
    mean("state.changed", { to_state: "thinking", summary_terse: "Hm.", summary_normal: "Thinking.", summary_detailed: "Thinking hard." }),
  ).toEqual([
    {
      kind: "state",
      to: "thinking",
      summary: "Thinking.",
      summaries: { terse: "Hm.", normal: "Thinking.", detailed: "Thinking hard." },
    },
  ]);
  expect(mean("state.changed", { to_state: "thinking", summary_terse: "Hm." })).toMatchObject([{ summary: "Hm." }]);
  expect(mean("session.errored", { summary_normal: "The disk is full." })).toMatchObject([{ error: "The disk is full." }]);
});

test("the envelope tells who speaks, how loudly and in which language", () => {
  const payload = {
    producer: { agent_id: "deploy-bot", agent_name: "Deploy bot", model: "claude-x", agent_version: "2.0.0" },
    urgency: "critical",
    localization_hints: { primary_language: "de-AT" },
  };
  expect(activitiesOfEvent("aaep", event("session.started", payload))).toEqual([
    {
      protocol: "aaep",
      type: "agent.session.started",
      session: "sess_1",
      agent: "deploy-bot",
      agentName: "Deploy bot",
      eventId: "evt_1",
      at: "2026-07-01T09:00:00.000Z",
      model: "claude-x",
      urgency: "critical",
      language: "de-AT",
      kind: "session.opened",
      version: "2.0.0",
    },
  ]);
});

test("a parent is named in an extension, or where one appendix puts it", () => {
  expect(mean("session.started", { extensions: { opsx: { parent_session_id: "sess_0", ticket: "7" } } })).toMatchObject([
    { parent: { session: "sess_0", relation: "subagent" }, metadata: { opsx: { ticket: "7" } } },
  ]);
  expect(mean("session.started", { extensions: { opsx: { parent_session_id: "sess_0", relation: "fork" } } })).toMatchObject([
    { parent: { session: "sess_0", relation: "fork" } },
  ]);
  expect(mean("session.started", { extensions: { parent_session_id: "sess_0" } })).toMatchObject([{ parent: { session: "sess_0" } }]);
  expect(mean("session.started", { extensions: { opsx: { parent_session_id: "sess_1" } } })[0]).not.toHaveProperty("parent");
});

test("what was spent is read from extensions, once", () => {
  const extensions = { acme: { usage: { prompt_tokens: 10, completion_tokens: 5 }, cost_usd: 0.01 } };
  expect(mean("tool.completed", { tool: "a", status: "success", extensions, cost_usd: 7 })).toMatchObject([
    { tokens: { counts: "delta", input: 10, output: 5 }, costUsd: { counts: "delta", value: 0.01 } },
  ]);
  expect(mean("session.completed", { extensions })).toMatchObject([{ costUsd: { counts: "total", value: 0.01 } }]);
  expect(mean("progress.updated", { extensions })).toMatchObject([{ costUsd: { counts: "total", presumed: true } }]);
  expect(mean("state.changed", { extensions })).toMatchObject([{ costUsd: { counts: "delta", presumed: true } }]);
});

test("what can be undone is not what one of two fields says cannot", () => {
  expect(mean("awaiting.confirmation", { irreversible: true, reversibility: "reversible_with_effort" })).toMatchObject([
    { reversible: false },
  ]);
  expect(mean("awaiting.confirmation", { reversibility: "reversible_with_effort" })).toMatchObject([{ reversible: true }]);
  expect(mean("awaiting.confirmation")[0]).not.toHaveProperty("reversible");
});

test("replies answer questions", () => {
  const reply = { reply_token: "rpl_1", subscription_id: "sub_1", timestamp: "2026-07-01T09:00:09.500Z", decided_by: "user:ana" };
  expect(meaningOfEvent("aaep", { ...reply, type: "confirmation.reply", decision: "reject", decision_rationale: "Wrong one" })).toEqual([
    { kind: "request.answered", request: "confirmation", token: "rpl_1", answer: "reject", by: "user:ana", reason: "Wrong one" },
  ]);
  expect(meaningOfEvent("aaep", { ...reply, type: "confirmation.reply", decision: "accept", modified_action: { rows: 1 } })).toMatchObject([
    { answer: "accept", change: { rows: 1 } },
  ]);
  expect(meaningOfEvent("aaep", { ...reply, type: "clarification.reply", response: false })).toEqual([
    { kind: "request.answered", request: "clarification", token: "rpl_1", answer: "false", by: "user:ana" },
  ]);
});

test("other messages and types of extensions are kept as they are", () => {
  const closed = { type: "subscription.close", subscription_id: "sub_1", reason_message: "Bye" };
  expect(meaningOfEvent("aaep", closed)).toEqual([{ kind: "custom", summary: "Bye", data: closed }]);
  const consulted = event("medai:patient.consulted", { summary_normal: "Patient seen." });
  expect(meaningOfEvent("aaep", consulted)).toEqual([
    { kind: "custom", summary: "Patient seen.", summaries: { normal: "Patient seen." }, data: consulted },
  ]);
});

test("a type written in full means the same", () => {
  expect(mean("https://aaep-protocol.org/types/agent.state.changed", { to_state: "idle" })).toEqual([{ kind: "state", to: "idle" }]);
});
