import type { JsonObject, JsonValue } from "../json.ts";
import type { RuleExamples } from "../rule.ts";
import type { AopRuleId } from "./rules.ts";

type Members = Readonly<Record<string, JsonValue>>;

/** One event of the session `s1`, with a number and, by it, a second of its own. */
function event(sequence: number, type: string, payload: Members = {}, envelope: Members = {}): JsonObject {
  const second = String(sequence % 60).padStart(2, "0");
  const timestamp = `2026-03-01T10:00:${second}.000Z`;
  return { spec: "aop/1.0", session_id: "s1", agent_id: "researcher", sequence, timestamp, type, payload, ...envelope };
}

const without = (value: JsonObject, member: string): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== member)) as JsonObject;

const started = (sequence = 1, payload: Members = { goal: "Compare two prices" }) => event(sequence, "session.started", payload);
const ended = (sequence: number) => event(sequence, "session.ended", { outcome: "completed" });
const thought = (sequence: number, envelope: Members = {}) =>
  event(sequence, "cognition.thought", { content: "The second shop may be cheaper." }, envelope);
const toolStart = (sequence: number, id = "c1", tool = "search") =>
  event(sequence, "operation.tool_start", { tool_name: tool, tool_call_id: id, input: { query: "price" } });
const toolEnd = (sequence: number, id = "c1", tool = "search") =>
  event(sequence, "operation.tool_end", { tool_name: tool, tool_call_id: id, success: true, duration_ms: 120 });
const goal = (sequence: number, status: string) => event(sequence, "cognition.goal", { goal: "Find the price", status });
const spawn = (sequence: number) =>
  event(sequence, "operation.agent_spawn", { child_session_id: "s2", child_agent_id: "reader", goal: "Read the page" });
const child = (value: JsonObject, envelope: Members = {}): JsonObject => ({
  ...value,
  session_id: "s2",
  agent_id: "reader",
  parent_session_id: "s1",
  ...envelope,
});

/** A whole session around the events given, which have the numbers 2 and up. */
const run = (...middle: readonly JsonObject[]): readonly JsonObject[] => [started(), ...middle, ended(middle.length + 2)];

const CALL = run(thought(2), toolStart(3), toolEnd(4));
const FAMILY = [started(), spawn(2), child(started(1, { goal: "Read the page" })), child(ended(2)), ended(3)];

/** The same session, right, and with one thing wrong in its second event. */
function envelope(wrong: Members | string): RuleExamples {
  const second = typeof wrong === "string" ? without(thought(2), wrong) : thought(2, wrong);
  return { passes: run(thought(2)), fails: run(second) };
}

function payload(type: string, right: Members, wrong: Members): RuleExamples {
  return { passes: run(event(2, type, right)), fails: run(event(2, type, wrong)) };
}

const told = (passes: string, fails: string): RuleExamples => ({ passes: { told: passes }, fails: { told: fails } });

/** For each rule the smallest recording that keeps it and the smallest that breaks it. */
export const AOP_EXAMPLES: Record<AopRuleId, RuleExamples> = {
  "aop/envelope-spec": envelope("spec"),
  "aop/spec-major": envelope({ spec: "aop/2.0" }),
  "aop/spec-minor": envelope({ spec: "aop/1.3" }),
  "aop/envelope-session-id": envelope("session_id"),
  "aop/envelope-agent-id": envelope({ agent_id: "" }),
  "aop/envelope-sequence": envelope({ sequence: "2" }),
  "aop/envelope-timestamp": envelope({ timestamp: "2026-02-30T10:00:02.000Z" }),
  "aop/envelope-type": envelope("type"),
  "aop/envelope-payload": envelope({ payload: "The second shop may be cheaper." }),
  "aop/payload-present": {
    passes: run(event(2, "billing.checked")),
    fails: run(event(2, "billing.checked", {}, { payload: null })),
  },
  "aop/envelope-parent-session-id": envelope({ parent_session_id: 7 }),
  "aop/envelope-agent-version": envelope({ agent_version: 2 }),

  "aop/session-started-payload": {
    passes: [started(1, { goal: "Compare two prices", agent_version: "1.4.0" }), ended(2)],
    fails: [started(1, { goal: ["Compare two prices"] }), ended(2)],
  },
  "aop/session-heartbeat-payload": payload("session.heartbeat", { status: "waiting" }, { status: "sleeping" }),
  "aop/session-ended-payload": {
    passes: [started(), event(2, "session.ended", { outcome: "failed", error_message: "No network" })],
    fails: [started(), event(2, "session.ended", { outcome: "crashed" })],
  },
  "aop/thought-payload": payload("cognition.thought", { content: "Hm.", confidence: "low" }, { confidence: "low" }),
  "aop/goal-payload": payload("cognition.goal", { goal: "Find the price", status: "set" }, { goal: "Find the price" }),
  "aop/decision-payload": payload(
    "cognition.decision",
    { decision: "The second shop", alternatives: ["The first shop"] },
    { decision: "The second shop", alternatives: "The first shop" },
  ),
  "aop/uncertainty-payload": payload("cognition.uncertainty", { content: "Is this page current?" }, { content: 3 }),
  "aop/tool-start-payload": {
    passes: CALL,
    fails: run(thought(2), event(3, "operation.tool_start", { tool_name: "search" })),
  },
  "aop/tool-end-payload": {
    passes: CALL,
    fails: run(thought(2), toolStart(3), event(4, "operation.tool_end", { tool_name: "search", tool_call_id: "c1" })),
  },
  "aop/agent-spawn-payload": { passes: FAMILY, fails: run(event(2, "operation.agent_spawn", { child_agent_id: "reader" })) },
  "aop/memory-payload": payload("operation.memory", { operation: "read", key: "prices" }, { operation: "append", key: "prices" }),
  "aop/external-call-payload": payload(
    "operation.external_call",
    { method: "GET", url: "https://shop.example/prices", status_code: 200 },
    { method: "GET" },
  ),

  "aop/cost-is-a-number": {
    passes: [started(), event(2, "session.ended", { outcome: "completed", metadata: { total_cost_usd: 0.02 } })],
    fails: [started(), event(2, "session.ended", { outcome: "completed", metadata: { total_cost_usd: "$0.02" } })],
  },
  "aop/cost-not-negative": {
    passes: run(event(2, "session.heartbeat", { status: "running", token_spend: 1200 })),
    fails: run(event(2, "session.heartbeat", { status: "running", token_spend: -1 })),
  },
  "aop/alias-used": payload("cognition.thought", { content: "Hm." }, { reasoning: "Hm." }),
  "aop/alias-agrees": payload("operation.memory", { operation: "read", action: "read" }, { operation: "read", action: "write" }),
  "aop/input-is-an-object": {
    passes: CALL,
    fails: run(thought(2), event(3, "operation.tool_start", { tool_name: "search", tool_call_id: "c1", input: "price" }), toolEnd(4)),
  },
  "aop/timestamp-utc-milliseconds": envelope({ timestamp: "2026-03-01T11:00:02.000+01:00" }),
  "aop/type-known": { passes: run(thought(2)), fails: run(event(2, "cognition.though", { content: "Hm." })) },
  "aop/type-namespaced": { passes: run(event(2, "billing.checked")), fails: run(event(2, "checked")) },
  "aop/parent-not-itself": { passes: FAMILY, fails: run(thought(2, { parent_session_id: "s1" })) },
  "aop/payload-without-secrets": payload(
    "cognition.thought",
    { content: "I use the key from the vault." },
    { content: "I use the key AKIAIOSFODNN7EXAMPLE." },
  ),

  "aop/started-first": { passes: run(thought(2)), fails: [thought(2), ended(3)] },
  "aop/started-once": { passes: run(thought(2)), fails: run(started(2)) },
  "aop/ended-once": { passes: run(thought(2)), fails: [started(), ended(2), ended(3)] },
  "aop/nothing-after-ended": { passes: run(thought(2)), fails: [started(), ended(2), thought(3)] },
  "aop/ended-present": { passes: run(thought(2)), fails: [started(), thought(2)] },
  "aop/sequence-unique": { passes: run(thought(2)), fails: [started(), thought(2), goal(2, "set"), ended(3)] },
  "aop/sequence-increases": {
    // The posts of 2 and 3 overtook each other on the way.
    passes: [started(), goal(3, "set"), thought(2), ended(4)],
    // The number 2 was given out after the number 4: its time is later.
    fails: [started(), goal(3, "set"), thought(4), thought(2), ended(5)].map((item, index) => ({
      ...item,
      timestamp: `2026-03-01T10:00:0${index + 1}.000Z`,
    })),
  },
  "aop/sequence-complete": { passes: run(thought(2)), fails: [started(), thought(2), ended(6)] },
  "aop/timestamp-order": envelope({ timestamp: "2026-03-01T09:59:59.000Z" }),
  "aop/tool-end-needs-start": { passes: CALL, fails: run(thought(2), toolEnd(3)) },
  "aop/tool-end-names-tool": { passes: CALL, fails: run(thought(2), toolStart(3), toolEnd(4, "c1", "fetch")) },
  "aop/tool-ends": { passes: CALL, fails: run(thought(2), toolStart(3)) },
  "aop/tool-ends-once": { passes: CALL, fails: run(thought(2), toolStart(3), toolEnd(4), toolEnd(5)) },
  "aop/tool-call-id-unique": {
    passes: run(thought(2), toolStart(3), toolEnd(4), thought(5), toolStart(6, "c2"), toolEnd(7, "c2")),
    fails: run(thought(2), toolStart(3), toolEnd(4), thought(5), toolStart(6), toolEnd(7)),
  },
  "aop/agent-id-constant": envelope({ agent_id: "reader" }),
  "aop/parent-constant": {
    passes: run(thought(2, { parent_session_id: "s0" }), thought(3, { parent_session_id: "s0" })),
    fails: run(thought(2, { parent_session_id: "s0" }), thought(3, { parent_session_id: "s9" })),
  },
  "aop/spawn-agrees": {
    passes: FAMILY,
    fails: [
      started(),
      spawn(2),
      child(started(1, { goal: "Read the page" }), { parent_session_id: "s9" }),
      child(ended(2), { parent_session_id: "s9" }),
      ended(3),
    ],
  },
  "aop/spawned-child-speaks": { passes: FAMILY, fails: run(spawn(2)) },
  "aop/tree-has-no-cycle": {
    passes: FAMILY,
    fails: [started(), child(started()), { ...thought(2), parent_session_id: "s2" }, child(ended(2)), ended(3)],
  },
  "aop/heartbeat-regular": {
    passes: run(event(2, "session.heartbeat", { status: "waiting" })),
    fails: [started(), ended(2)].map((item, index) => ({ ...item, timestamp: `2026-03-01T10:0${index}:00.000Z` })),
  },
  "aop/thought-before-action": { passes: CALL, fails: run(toolStart(2), toolEnd(3)) },
  "aop/goal-status-order": {
    passes: run(goal(2, "set"), goal(3, "in_progress"), goal(4, "completed")),
    fails: run(goal(2, "set"), goal(3, "completed"), goal(4, "in_progress")),
  },

  "aop/live-fire-and-forget": told(
    "With a collector that accepts connections and never answers, the agent's run takes as long as without one.",
    "The agent waits for each answer, or stops with an error when the collector is gone.",
  ),
  "aop/live-one-event-per-request": told(
    "Ten events arrive as ten requests to `/events`, each with one JSON object.",
    "Ten events arrive as one request with a list of ten.",
  ),
  "aop/live-content-type": told("Requests say `Content-Type: application/json`.", "Requests say `Content-Type: text/plain`, or nothing."),
  "aop/live-tool-start-before-call": told(
    "While a tool sleeps for a second, its `operation.tool_start` has been heard and its `operation.tool_end` has not.",
    "Start and end of a call are heard together, after the call.",
  ),
};
