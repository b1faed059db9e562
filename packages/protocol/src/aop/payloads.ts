import { CALL, ended, event, FAMILY, payloadPair, run, started, thought, toolStart } from "./example-events.ts";
import { COGNITION, LIFECYCLE, OPERATIONS, payloadRule } from "./sections.ts";

const STARTED = "session.started";
const ENDED = "session.ended";
const START = "operation.tool_start";
const END = "operation.tool_end";
const SPAWN = "operation.agent_spawn";

export const PAYLOADS_RULES = {
  "aop/session-started-payload": payloadRule(LIFECYCLE, STARTED, {
    title: "has text in `goal` and `agent_version` and an object in `metadata`, where they are sent.",
    hint: "Correct the member named, or leave it out: none is required.",
    examples: () => ({
      passes: [started(1, { goal: "Compare two prices", agent_version: "1.4.0" }), ended(2)],
      fails: [started(1, { goal: ["Compare two prices"] }), ended(2)],
    }),
  }),
  "aop/session-heartbeat-payload": payloadRule(LIFECYCLE, "session.heartbeat", {
    title: "has a `status`: running, idle or waiting.",
    hint: "Say what the agent is doing now, in exactly one of the three words.",
    examples: () => payloadPair("session.heartbeat", { status: "waiting" }, { status: "sleeping" }),
  }),
  "aop/session-ended-payload": payloadRule(LIFECYCLE, ENDED, {
    title: "has an `outcome`: completed, failed, cancelled or timeout.",
    hint: "Say how the run went in exactly one of the four words; details belong in `outcome_summary` or `error_message`.",
    examples: () => ({
      passes: [started(), event(2, "session.ended", { outcome: "failed", error_message: "No network" })],
      fails: [started(), event(2, "session.ended", { outcome: "crashed" })],
    }),
  }),
  "aop/thought-payload": payloadRule(COGNITION, "cognition.thought", {
    title: "has text in `content`; `confidence` is high, medium or low.",
    hint: "Put the model's own words into `content`.",
    examples: () => payloadPair("cognition.thought", { content: "Hm.", confidence: "low" }, { confidence: "low" }),
  }),
  "aop/goal-payload": payloadRule(COGNITION, "cognition.goal", {
    title: "has text in `goal` and a `status`: set, in_progress, completed or abandoned.",
    hint: "Send the objective in `goal` and where it stands in `status`.",
    examples: () => payloadPair("cognition.goal", { goal: "Find the price", status: "set" }, { goal: "Find the price" }),
  }),
  "aop/decision-payload": payloadRule(COGNITION, "cognition.decision", {
    title: "has text in `decision`; `alternatives` is a list of texts and `reasoning` is text.",
    hint: "Say what was chosen in `decision`, and each rejected option as one text in `alternatives`.",
    examples: () =>
      payloadPair(
        "cognition.decision",
        { decision: "The second shop", alternatives: ["The first shop"] },
        { decision: "The second shop", alternatives: "The first shop" },
      ),
  }),
  "aop/uncertainty-payload": payloadRule(COGNITION, "cognition.uncertainty", {
    title: "has text in `content`; `confidence` is high, medium or low.",
    hint: "Say in `content` what the agent is unsure about; `low` means least sure.",
    examples: () => payloadPair("cognition.uncertainty", { content: "Is this page current?" }, { content: 3 }),
  }),
  "aop/tool-start-payload": payloadRule(OPERATIONS, START, {
    title: "has text in `tool_name` and `tool_call_id`.",
    hint: "Send the tool's name, and an id of the call which its `operation.tool_end` will repeat.",
    examples: () => ({
      passes: CALL,
      fails: run(thought(2), event(3, "operation.tool_start", { tool_name: "search" })),
    }),
  }),
  "aop/tool-end-payload": payloadRule(OPERATIONS, END, {
    title: "has text in `tool_name` and `tool_call_id`, and true or false in `success`.",
    hint: "Repeat name and id of the call's `operation.tool_start`, and say whether it succeeded.",
    examples: () => ({
      passes: CALL,
      fails: run(thought(2), toolStart(3), event(4, "operation.tool_end", { tool_name: "search", tool_call_id: "c1" })),
    }),
  }),
  "aop/agent-spawn-payload": payloadRule(OPERATIONS, SPAWN, {
    title: "names the child in `child_session_id` and `child_agent_id`, each 1 to 128 characters.",
    hint: "Make the child's session id first, send it here, and hand it to the child.",
    examples: () => ({ passes: FAMILY, fails: run(event(2, "operation.agent_spawn", { child_agent_id: "reader" })) }),
  }),
  "aop/memory-payload": payloadRule(OPERATIONS, "operation.memory", {
    title: "has an `operation`: read, write or delete.",
    hint: "Say what was done to the store in exactly one of the three words.",
    examples: () => payloadPair("operation.memory", { operation: "read", key: "prices" }, { operation: "append", key: "prices" }),
  }),
  "aop/external-call-payload": payloadRule(OPERATIONS, "operation.external_call", {
    title: "has text in `method` and `url`; `status_code` and `duration_ms` are numbers.",
    hint: "Send the HTTP method and the address called, without credentials in it.",
    examples: () =>
      payloadPair("operation.external_call", { method: "GET", url: "https://shop.example/prices", status_code: 200 }, { method: "GET" }),
  }),
} as const;
