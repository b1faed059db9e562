import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../json.ts";
import { activitiesOfEvent, meaningOfEvent } from "../testing/check-activity.ts";

function event(type: string, members: JsonObject = {}): JsonObject {
  const core = { aep_version: "0.1", id: "evt_1", type, time: "2026-05-09T12:00:00.000Z", agent: { slug: "claude" } };
  return { ...core, session: { id: "sess_1" }, ...members };
}

const mean = (type: string, members: JsonObject = {}) => meaningOfEvent("aep", event(type, members));
const said = (type: string, text: string, more: JsonObject = {}): JsonObject => ({ type, text, ...more });
const CALL = { action: { type: "tool_call", id: "call_1", input: { command: "npm test" } }, tool: { name: "Bash", type: "native" } };
const CALLED = { tool: "Bash", callId: "call_1", toolKind: "tool", subject: "npm test", input: { command: "npm test" } };

describe("each type", () => {
  test.each<[type: string, members: JsonObject, means: readonly object[]]>([
    [
      "session.start",
      { agent: { slug: "claude", version: "1.4.2" }, lifecycle: { source: "resume" } },
      [{ kind: "session.opened", version: "1.4.2", source: "resume", resumed: true }],
    ],
    ["session.start", { lifecycle: { source: "startup" } }, [{ kind: "session.opened", source: "startup", resumed: false }]],
    [
      "session.end",
      { lifecycle: { reason: "completed" }, metrics: { duration_ms: 50, tool_call_count: 3 } },
      [{ kind: "session.closed", outcome: "completed", reason: "completed", durationMs: 50, calls: 3 }],
    ],
    ["session.end", { lifecycle: { reason: "logout" } }, [{ kind: "session.closed", outcome: "unknown", reason: "logout" }]],
    [
      "session.end",
      { lifecycle: { reason: "error" }, content: [said("notification", "Out of memory")] },
      [{ kind: "session.closed", outcome: "failed", reason: "error", error: "Out of memory" }],
    ],
    ["agent.start", { lifecycle: { source: "prompt" } }, [{ kind: "turn.started", reason: "prompt" }]],
    ["agent.stop", { lifecycle: { reason: "end_turn" } }, [{ kind: "turn.ended", reason: "end_turn" }]],
    ["agent.stop", { content: [said("response", "Done.")] }, [{ kind: "response", text: "Done." }, { kind: "turn.ended" }]],
    ["agent.error", { lifecycle: { reason: "rate_limit" } }, [{ kind: "error", message: "rate_limit" }]],
    [
      "agent.error",
      { ...CALL, action: { type: "tool_call", id: "call_1", error: { code: "E1", message: "Boom" } } },
      [{ kind: "error", message: "Boom", code: "E1", callId: "call_1", tool: "Bash" }],
    ],
    [
      "prompt.submitted",
      { content: [said("prompt", "Fix it", { style: "markdown", truncated: true, original_length: 900 })] },
      [{ kind: "prompt", text: "Fix it", style: "markdown", truncated: true, originalLength: 900 }],
    ],
    ["model.thought", { content: [said("thought", "Hm")], metrics: { duration_ms: 5 } }, [{ kind: "thought", text: "Hm", durationMs: 5 }]],
    ["model.response", { content: [said("response", "Done")] }, [{ kind: "response", text: "Done" }]],
    [
      "model.delta",
      { content: [said("response", "Do")], extensions: { "x-stream-id": "m1", "x-final": true } },
      [
        {
          kind: "output.chunk",
          text: "Do",
          outputId: "m1",
          last: true,
          of: "response",
          metadata: { "x-stream-id": "m1", "x-final": true },
        },
      ],
    ],
    ["model.delta", { content: [said("thought", "Hm")] }, [{ kind: "output.chunk", text: "Hm", last: false, of: "thought" }]],
    ["model.plan", { content: [said("plan", "1. Look")] }, [{ kind: "plan", text: "1. Look", items: [] }]],
    [
      "model.plan",
      { action: { type: "other", id: "a", input: { todos: [{ content: "Look", status: "pending" }, "Fix", 4] } } },
      [{ kind: "plan", items: [{ text: "Look", status: "pending" }, { text: "Fix" }] }],
    ],
    ["action.requested", CALL, [{ kind: "tool.requested", ...CALLED }]],
    [
      "action.completed",
      { ...CALL, action: { ...CALL.action, status: "success", output: "ok" }, metrics: { duration_ms: 40 } },
      [{ kind: "tool.ended", ...CALLED, outcome: "succeeded", result: "ok", durationMs: 40 }],
    ],
    [
      "action.completed",
      { ...CALL, action: { ...CALL.action, status: "success", output: { stdout: "ok" } } },
      [{ kind: "tool.ended", ...CALLED, outcome: "succeeded", output: { stdout: "ok" } }],
    ],
    [
      "action.failed",
      { ...CALL, action: { ...CALL.action, status: "failure", error: { code: "1", message: "Red" } } },
      [{ kind: "tool.ended", ...CALLED, outcome: "failed", error: "Red", code: "1" }],
    ],
    ["action.failed", { ...CALL, action: { ...CALL.action, status: "timeout" } }, [{ kind: "tool.ended", ...CALLED, outcome: "timeout" }]],
    [
      "action.failed",
      { ...CALL, action: { ...CALL.action, status: "cancelled" } },
      [{ kind: "tool.ended", ...CALLED, outcome: "cancelled" }],
    ],
    ["action.failed", CALL, [{ kind: "tool.ended", ...CALLED, outcome: "failed" }]],
    [
      "action.denied",
      { ...CALL, decision: { outcome: "denied", by: "user", reason: "No", policy_id: "p1" } },
      [
        { kind: "tool.ended", ...CALLED, outcome: "denied" },
        { kind: "tool.decided", callId: "call_1", tool: "Bash", verdict: "denied", by: "user", why: "No", policy: "p1" },
      ],
    ],
    [
      "subagent.start",
      { action: { type: "subagent_spawn", id: "call_9", input: { subagent_type: "tester", subagent_id: "sub_1", prompt: "Test it" } } },
      [{ kind: "subagent.started", child: "sub_1", childAgent: "tester", goal: "Test it", callId: "call_9" }],
    ],
    [
      "subagent.stop",
      { extensions: { "x-subagent-id": "sub_1" }, content: [said("response", "Green")], lifecycle: { reason: "completed" } },
      [{ kind: "subagent.ended", child: "sub_1", outcome: "completed", result: "Green", metadata: { "x-subagent-id": "sub_1" } }],
    ],
    [
      "context.compacted",
      { lifecycle: { trigger: "auto" }, metrics: { context_tokens: 90_000, context_limit: 200_000, context_usage_percent: 45 } },
      [{ kind: "context.compacted", trigger: "auto", context: { tokens: 90_000, limit: 200_000, percent: 45 } }],
    ],
    [
      "workspace.changed",
      { workspace: { cwd: "/w" }, content: [said("notification", "src/a.ts", { style: "path" })], lifecycle: { reason: "edited" } },
      [{ kind: "workspace.changed", workspace: "/w", path: "src/a.ts", change: "edited" }],
    ],
    [
      "notification.sent",
      { content: [said("notification", "Needs you")], lifecycle: { trigger: "permission_prompt" } },
      [{ kind: "notification", text: "Needs you", topic: "permission_prompt" }],
    ],
    [
      "question.asked",
      {
        content: [said("question", "Which?")],
        action: { id: "q1", input: { questions: [{ question: "Which?", options: [{ label: "A" }, { label: "B" }] }] } },
      },
      [{ kind: "request.asked", request: "clarification", prompt: "Which?", token: "q1", callId: "q1", choices: ["A", "B"] }],
    ],
    [
      "question.answered",
      { content: [said("answer", "A")], action: { id: "q1" } },
      [{ kind: "request.answered", request: "clarification", token: "q1", answer: "A" }],
    ],
  ])("%s %j", (type, members, means) => {
    expect(mean(type, members)).toEqual(means);
  });
});

test("the envelope and its context objects are told with every activity", () => {
  const members = {
    agent: { slug: "claude-code", display_name: "Claude Code" },
    session: { id: "sess_1", conversation_id: "conv_1", turn_id: "turn_1", parent: { conversation_id: "conv_0", relation: "fork" } },
    workspace: { roots: ["/r"], project_path: "/p" },
    model: { id: "claude-x", provider: "anthropic" },
    attachments: [{ type: "image", name: "a.png", data_uri: "data:…", size_bytes: 12 }, 7],
    content: [said("prompt", "Look")],
  };
  expect(activitiesOfEvent("aep", event("prompt.submitted", members))).toEqual([
    {
      protocol: "aep",
      type: "prompt.submitted",
      session: "sess_1",
      agent: "claude",
      agentName: "Claude Code",
      eventId: "evt_1",
      at: "2026-05-09T12:00:00.000Z",
      parent: { session: "conv_0", relation: "fork" },
      conversation: "conv_1",
      turn: "turn_1",
      workspace: "/p",
      model: "claude-x",
      provider: "anthropic",
      attachments: [{ type: "image", name: "a.png", sizeBytes: 12 }],
      kind: "prompt",
      text: "Look",
    },
  ]);
});

test("a child that speaks names itself and the call that made it", () => {
  const session = { id: "sess_2", parent: { conversation_id: "sess_1", relation: "subagent", spawning_action_id: "call_9" } };
  expect(mean("subagent.start", { session })).toEqual([
    {
      kind: "subagent.started",
      child: "sess_2",
      childAgent: "claude",
      callId: "call_9",
      parent: { session: "sess_1", relation: "subagent", callId: "call_9" },
    },
  ]);
  expect(mean("subagent.start", { session: { id: "sess_1", parent: { conversation_id: "sess_1" } } })[0]).not.toHaveProperty("parent");
});

test("what was spent is read from metrics and extensions, and told with one activity", () => {
  const metrics = { input_tokens: 10, output_tokens: 4, cache_read_tokens: 3, cache_write_tokens: 2, cost_usd: 0.02 };
  const tokens = { counts: "delta", input: 10, output: 4, cacheRead: 3, cacheWrite: 2 };
  expect(mean("agent.stop", { metrics, content: [said("response", "Done")] })).toEqual([
    { kind: "response", text: "Done", tokens: { ...tokens, presumed: true }, costUsd: { value: 0.02, counts: "delta", presumed: true } },
    { kind: "turn.ended" },
  ]);
  expect(mean("action.completed", { ...CALL, metrics, decision: { outcome: "approved", by: "user" } })).toMatchObject([
    { kind: "tool.ended", tokens, costUsd: { value: 0.02, counts: "delta" } },
    { kind: "tool.decided", verdict: "approved", by: "user" },
  ]);
  expect(mean("session.end", { metrics })).toMatchObject([{ tokens: { ...tokens, counts: "total" }, costUsd: { counts: "total" } }]);
  const extensions = { "x-cost-usd": 0.5, "x-acme": { usage: { input_tokens: 1 } }, "x-model": "claude-x" };
  expect(mean("model.response", { extensions })).toMatchObject([
    { costUsd: { value: 0.5, counts: "delta" }, tokens: { input: 1 }, model: "claude-x" },
  ]);
});

test("what a subagent spent is its session's total when it says so itself", () => {
  const metrics = { total_tokens: 100 };
  expect(mean("subagent.stop", { metrics })).toMatchObject([{ tokens: { counts: "delta", total: 100 } }]);
  const session = { id: "sess_2", parent: { conversation_id: "sess_1", relation: "subagent" } };
  expect(mean("subagent.stop", { metrics, session })).toMatchObject([{ tokens: { counts: "total", total: 100 } }]);
});

test("skills, servers and titles belong to the call", () => {
  expect(mean("action.requested", { action: { type: "skill_use", id: "c" }, skill: { name: "review" } })).toEqual([
    { kind: "tool.requested", callId: "c", tool: "review", toolKind: "skill" },
  ]);
  const tool = { name: "search", type: "mcp", display_name: "Search" };
  expect(
    mean("action.requested", { action: { type: "tool_call", id: "c", rationale: "To know" }, tool, server: { name: "docs" } }),
  ).toEqual([
    { kind: "tool.requested", callId: "c", tool: "search", toolTitle: "Search", toolKind: "tool", server: "docs", why: "To know" },
  ]);
  expect(mean("action.requested", { action: { type: "subagent_spawn", id: "c", input: { agent: "tester" } } })).toMatchObject([
    { tool: "tester", toolKind: "subagent" },
  ]);
});

test("a prompt beside an action is a note on it, and thoughts beside it are thoughts", () => {
  expect(mean("action.requested", { ...CALL, content: [said("prompt", "Allow?"), said("thought", "Tests first")] })).toEqual([
    { kind: "tool.requested", ...CALLED, note: "Allow?" },
    { kind: "thought", text: "Tests first" },
  ]);
});

test("parts of one type are one text", () => {
  expect(
    mean("prompt.submitted", { content: [said("prompt", "One"), said("plan", "P"), said("prompt", "Two"), 4, { type: "prompt" }] }),
  ).toEqual([
    { kind: "prompt", text: "One\n\nTwo" },
    { kind: "plan", text: "P", items: [] },
  ]);
  expect(mean("model.plan", { content: [said("plan", "One"), said("plan", "Two")] })).toEqual([
    { kind: "plan", text: "One\n\nTwo", items: [{ text: "One" }, { text: "Two" }] },
  ]);
});

test("an event without its words still happened", () => {
  expect(mean("prompt.submitted")).toEqual([{ kind: "prompt", text: "" }]);
  expect(mean("question.asked")).toEqual([{ kind: "request.asked", request: "clarification", prompt: "" }]);
});

test("the status of an outcome tells more than its type where the two disagree", () => {
  expect(mean("action.completed", { ...CALL, action: { ...CALL.action, status: "failure" } })).toMatchObject([{ outcome: "failed" }]);
});

describe("hook responses", () => {
  const response = (behavior: string, more: JsonObject = {}): JsonObject => ({
    aep_version: "0.1",
    id: "rsp_1",
    request_event_id: "evt_1",
    action_id: "call_1",
    time: "2026-05-09T12:00:04.820Z",
    control: { behavior },
    ...more,
  });

  test.each([
    ["allow", "approved"],
    ["continue", "approved"],
    ["deny", "denied"],
    ["block", "denied"],
    ["stop", "denied"],
    ["ask", "asked"],
    ["defer", "deferred"],
    ["abstain", "abstained"],
    ["shrug", "unknown"],
  ])("%s is %s", (behavior, verdict) => {
    expect(meaningOfEvent("aep", response(behavior))).toEqual([
      { kind: "tool.decided", callId: "call_1", requestEventId: "evt_1", verdict, behavior },
    ]);
  });

  test("say who decided, why, how fast, and what changes", () => {
    const control = { behavior: "allow", message: "Rule 4", updated_input: { command: "ls" }, additional_context: "Be brief" };
    const decision = { outcome: "approved", by: "auto-policy", reason: "matched", response_time_ms: 4820, policy_id: "p4" };
    expect(meaningOfEvent("aep", response("allow", { control, decision }))).toEqual([
      {
        kind: "tool.decided",
        callId: "call_1",
        requestEventId: "evt_1",
        verdict: "approved",
        behavior: "allow",
        by: "auto-policy",
        why: "matched",
        policy: "p4",
        afterMs: 4820,
        message: "Rule 4",
        newInput: { command: "ls" },
        addedContext: "Be brief",
      },
    ]);
    expect(meaningOfEvent("aep", response("?", { control: 1, decision: { outcome: "denied" } }))).toMatchObject([{ verdict: "denied" }]);
  });
});

test("a type nobody knows still has its words", () => {
  const weather = event("weather.changed", { content: [said("notification", "Rain")] });
  expect(meaningOfEvent("aep", weather)).toEqual([{ kind: "custom", summary: "Rain", data: weather }]);
});
