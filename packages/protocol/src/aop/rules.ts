import { type Rule, rule } from "../rule.ts";
import { type AopType, isAopType } from "./aliases.ts";

const PAGE = "Event Types";
const LIFECYCLE = "Event Types, Tier 1 — Lifecycle";
const COGNITION = "Event Types, Tier 2 — Cognition";
const OPERATIONS = "Event Types, Tier 3 — Operations";
const ORDER = "Event Types, Event lifecycle";
const PATTERNS = "Event Types, Instrumentation patterns";
const COST = "Event Types, Cost tracking";
const SECURITY = "Event Types, Security note";
const TRANSPORT = "Transport";

const ANY = ["*"];
const once = { oncePerSession: true } as const;
const payload = (section: string, type: AopType, title: string, hint: string): Rule =>
  rule(["error", "event", 0, section, [type]], `The payload of \`${type}\` ${title}`, hint);

const STARTED = "session.started";
const ENDED = "session.ended";
const START = "operation.tool_start";
const END = "operation.tool_end";
const SPAWN = "operation.agent_spawn";

/** Every clause of AOP 1.0 that can be checked. Ids are public: add freely, never rename. */
export const AOP_RULES = {
  "aop/envelope-spec": rule(
    ["error", "event", 0, PAGE, ANY],
    "Every event says in `spec` which version of AOP it speaks.",
    'Send "spec": "aop/1.0" in every event.',
  ),
  "aop/spec-major": rule(
    ["error", "event", 0, PAGE, ANY],
    "The major version in `spec` is 1.",
    "Only aop/1.x is known here. Another major version may mean other things by the same names.",
  ),
  "aop/spec-minor": rule(
    ["warning", "event", 0, PAGE, ANY],
    "The minor version in `spec` is 0.",
    'The event was read as aop/1.0 and what is unknown was kept. Send "aop/1.0" unless something newer is used on purpose.',
    once,
  ),
  "aop/envelope-session-id": rule(
    ["error", "event", 0, PAGE, ANY],
    "Every event names its session in `session_id`: text of 1 to 128 characters without control characters.",
    "Make one id when the run begins, and send it with each of the run's events.",
  ),
  "aop/envelope-agent-id": rule(
    ["error", "event", 0, PAGE, ANY],
    "Every event names its agent in `agent_id`: text of 1 to 128 characters without control characters.",
    "Name the kind of agent, the same for every run of it, for example `research-agent`.",
  ),
  "aop/envelope-sequence": rule(
    ["error", "event", 0, PAGE, ANY],
    "Every event has a `sequence`: a whole number from 0 to 9007199254740991.",
    "Keep one counter per session and raise it by one for each event. A number, not text.",
  ),
  "aop/envelope-timestamp": rule(
    ["error", "event", 0, PAGE, ANY],
    "Every event has a `timestamp` in RFC 3339 that exists in the calendar.",
    "Send the time of emission like 2026-03-01T10:00:00.000Z; `new Date().toISOString()` gives it.",
  ),
  "aop/envelope-type": rule(
    ["error", "event", 0, PAGE, ANY],
    "Every event has a `type`: text of 1 to 128 characters without control characters.",
    "Use one of the twelve types, or one of your own with a prefix, like `billing.invoice_sent`.",
  ),
  "aop/envelope-payload": rule(
    ["error", "event", 0, PAGE, ANY],
    "The `payload` is a JSON object.",
    "Put text or a list into a member of an object; an empty object is fine where nothing is required.",
  ),
  "aop/payload-present": rule(
    ["warning", "event", 0, PAGE, ANY],
    "Every event carries a `payload`, even an empty one.",
    'It was read as empty. Send "payload": {}: some collectors answer a missing payload with an error and lose the event.',
  ),
  "aop/envelope-parent-session-id": rule(
    ["error", "event", 0, PAGE, ANY],
    "`parent_session_id`, where it is sent, is null or a session id.",
    "Send the id of the session that started this one; null or nothing for a session that nobody started.",
  ),
  "aop/envelope-agent-version": rule(
    ["error", "event", 0, PAGE, ANY],
    "`agent_version`, where it is sent, is text or null.",
    "Send the version as text, for example `1.4.0`.",
  ),

  "aop/session-started-payload": payload(
    LIFECYCLE,
    STARTED,
    "has text in `goal` and `agent_version` and an object in `metadata`, where they are sent.",
    "Correct the member named, or leave it out: none is required.",
  ),
  "aop/session-heartbeat-payload": payload(
    LIFECYCLE,
    "session.heartbeat",
    "has a `status`: running, idle or waiting.",
    "Say what the agent is doing now, in exactly one of the three words.",
  ),
  "aop/session-ended-payload": payload(
    LIFECYCLE,
    ENDED,
    "has an `outcome`: completed, failed, cancelled or timeout.",
    "Say how the run went in exactly one of the four words; details belong in `outcome_summary` or `error_message`.",
  ),
  "aop/thought-payload": payload(
    COGNITION,
    "cognition.thought",
    "has text in `content`; `confidence` is high, medium or low.",
    "Put the model's own words into `content`.",
  ),
  "aop/goal-payload": payload(
    COGNITION,
    "cognition.goal",
    "has text in `goal` and a `status`: set, in_progress, completed or abandoned.",
    "Send the objective in `goal` and where it stands in `status`.",
  ),
  "aop/decision-payload": payload(
    COGNITION,
    "cognition.decision",
    "has text in `decision`; `alternatives` is a list of texts and `reasoning` is text.",
    "Say what was chosen in `decision`, and each rejected option as one text in `alternatives`.",
  ),
  "aop/uncertainty-payload": payload(
    COGNITION,
    "cognition.uncertainty",
    "has text in `content`; `confidence` is high, medium or low.",
    "Say in `content` what the agent is unsure about; `low` means least sure.",
  ),
  "aop/tool-start-payload": payload(
    OPERATIONS,
    START,
    "has text in `tool_name` and `tool_call_id`.",
    "Send the tool's name, and an id of the call which its `operation.tool_end` will repeat.",
  ),
  "aop/tool-end-payload": payload(
    OPERATIONS,
    END,
    "has text in `tool_name` and `tool_call_id`, and true or false in `success`.",
    "Repeat name and id of the call's `operation.tool_start`, and say whether it succeeded.",
  ),
  "aop/agent-spawn-payload": payload(
    OPERATIONS,
    SPAWN,
    "names the child in `child_session_id` and `child_agent_id`, each 1 to 128 characters.",
    "Make the child's session id first, send it here, and hand it to the child.",
  ),
  "aop/memory-payload": payload(
    OPERATIONS,
    "operation.memory",
    "has an `operation`: read, write or delete.",
    "Say what was done to the store in exactly one of the three words.",
  ),
  "aop/external-call-payload": payload(
    OPERATIONS,
    "operation.external_call",
    "has text in `method` and `url`; `status_code` and `duration_ms` are numbers.",
    "Send the HTTP method and the address called, without credentials in it.",
  ),

  "aop/cost-is-a-number": rule(
    ["error", "event", 0, COST, [ENDED, END, "session.heartbeat"]],
    "Costs, tokens and steps are numbers.",
    "Send a number, or leave it out while it is unknown.",
  ),
  "aop/cost-not-negative": rule(
    ["warning", "event", 0, COST, [ENDED, END, "session.heartbeat", "operation.external_call"]],
    "Costs, tokens, steps and durations are not negative.",
    "The number was ignored. Send what this call or session used: zero or more.",
  ),
  "aop/alias-used": rule(
    ["info", "event", 0, PAGE, ANY],
    "Payload members have their documented names.",
    "It was understood. Readers that know only the documented name will miss it.",
    once,
  ),
  "aop/alias-agrees": rule(
    ["warning", "event", 0, PAGE, ANY],
    "A field sent under two names has one value.",
    "The documented name was believed. Send the same value under both names, or only the documented one.",
  ),
  "aop/input-is-an-object": rule(
    ["info", "event", 0, OPERATIONS, [START]],
    "The `input` of a tool call is an object.",
    'Name the arguments: "input": {"query": "…"} instead of bare text or a list.',
    once,
  ),
  "aop/timestamp-utc-milliseconds": rule(
    ["info", "event", 0, PAGE, ANY],
    "Timestamps are in UTC and have milliseconds.",
    "Send times like 2026-03-01T10:00:00.000Z, so that events of one second keep their order in every reader.",
    once,
  ),
  "aop/type-known": rule(
    ["warning", "event", 0, PAGE, ANY],
    "A type that begins with session, cognition, operation or aop is one of the twelve.",
    "Check the spelling; types of your own need a first part of their own.",
  ),
  "aop/type-namespaced": rule(
    ["warning", "event", 0, PAGE, ANY],
    "A type of one's own has two or more parts joined by dots, in lower-case letters, digits, `_` and `-`, each beginning with a letter.",
    "Put the name of your project before it, for example `billing.invoice_sent`.",
  ),
  "aop/parent-not-itself": rule(
    ["warning", "event", 0, OPERATIONS, ANY],
    "A session is not its own parent.",
    "Send the id of the session that started this one, or null. The link is ignored.",
    once,
  ),
  "aop/payload-without-secrets": rule(
    ["error", "event", 0, SECURITY, ANY],
    "Payloads hold no credentials.",
    "Whoever reads the recording can use it. Withdraw the credential, and redact or summarise such values before sending.",
  ),

  "aop/started-first": rule(
    ["warning", "recording", 0, ORDER, ANY],
    "The first event of a session, by sequence, is `session.started`.",
    "Emit `session.started` before anything else: goal and version of the run come from it.",
  ),
  "aop/started-once": rule(
    ["error", "recording", 0, LIFECYCLE, [STARTED]],
    "`session.started` occurs once in a session.",
    "A second run needs a session id of its own; link it with `parent_session_id` if it belongs to the first.",
  ),
  "aop/ended-once": rule(
    ["error", "recording", 0, LIFECYCLE, [ENDED]],
    "`session.ended` occurs once in a session.",
    "Emit it in one place, for example in a `finally` block, when nothing else can follow.",
  ),
  "aop/nothing-after-ended": rule(
    ["warning", "recording", 0, ORDER, [ENDED]],
    "Nothing follows `session.ended` by sequence.",
    "Emit `session.ended` last, after everything that still runs has been awaited.",
  ),
  "aop/ended-present": rule(
    ["warning", "recording", 0, LIFECYCLE, ANY],
    "A finished session has a `session.ended`.",
    "Emit it whatever the outcome. Only a warning, because the transport is lossy and unordered: the event may have been sent and lost.",
  ),
  "aop/sequence-unique": rule(
    ["error", "recording", 0, PAGE, ANY],
    "A sequence number stands for one event of a session and agent.",
    "Do two processes use one session id, or does a restart begin to count anew? Give each run its own session id.",
  ),
  "aop/sequence-increases": rule(
    ["error", "recording", 0, PAGE, ANY],
    "The sequence rises with every event emitted.",
    "A later event has a lower number, which no race on the way explains. Keep one counter per session and only ever add to it.",
  ),
  "aop/sequence-complete": rule(
    ["info", "recording", 0, TRANSPORT, ANY],
    "No sequence number is missing.",
    "Events that could not be delivered in time are dropped, by design. Many of them point to a slow or absent collector.",
    once,
  ),
  "aop/timestamp-order": rule(
    ["warning", "recording", 0, PAGE, ANY],
    "Timestamps do not decrease as the sequence rises.",
    "Take number and time together, at the moment of emission; the machine's clock may also have been set back.",
  ),
  "aop/tool-end-needs-start": rule(
    ["error", "recording", 0, OPERATIONS, [END]],
    "Every `operation.tool_end` has an earlier `operation.tool_start` with its `tool_call_id`.",
    "Emit `operation.tool_start` before the call and repeat its `tool_call_id` when the call returns.",
  ),
  "aop/tool-end-names-tool": rule(
    ["error", "recording", 0, OPERATIONS, [END]],
    "`operation.tool_end` names the same tool as the `operation.tool_start` it belongs to.",
    "Use the same name in both, and check that the ids of concurrent calls are not mixed up.",
  ),
  "aop/tool-ends": rule(
    ["warning", "recording", 0, PATTERNS, [START]],
    "Every `operation.tool_start` is followed by an `operation.tool_end` before the session ends.",
    "Emit `operation.tool_end` when the call fails, too, with `success` false.",
  ),
  "aop/tool-ends-once": rule(
    ["error", "recording", 0, OPERATIONS, [END]],
    "A tool call ends once.",
    "Emit one `operation.tool_end` per call; a repeated call needs a new `tool_call_id`.",
  ),
  "aop/tool-call-id-unique": rule(
    ["error", "recording", 0, OPERATIONS, [START]],
    "A `tool_call_id` stands for one call of a session.",
    "Make a new id for every call, also when the same tool is tried again.",
  ),
  "aop/agent-id-constant": rule(
    ["warning", "recording", 0, PAGE, ANY],
    "All events of a session have the same `agent_id`.",
    "A session is one run of one agent. Give another agent a session of its own and link it with `parent_session_id`.",
    once,
  ),
  "aop/parent-constant": rule(
    ["warning", "recording", 0, OPERATIONS, ANY],
    "All events of a session that name a parent name the same one.",
    "Set `parent_session_id` once, when the session begins. The first one by sequence counts.",
    once,
  ),
  "aop/spawn-agrees": rule(
    ["warning", "recording", 0, OPERATIONS, [SPAWN]],
    "`operation.agent_spawn` and the child's own events agree on parent, agent and goal.",
    "Hand the child the session id, agent id and goal that were announced. The child's own word counts.",
  ),
  "aop/spawned-child-speaks": rule(
    ["info", "recording", 0, OPERATIONS, [SPAWN]],
    "A session announced by `operation.agent_spawn` is heard from.",
    "Perhaps the child did not start, reports elsewhere, or was given another session id.",
  ),
  "aop/tree-has-no-cycle": rule(
    ["warning", "recording", 0, OPERATIONS, ANY],
    "No session is its own ancestor.",
    "Follow `parent_session_id` upwards: one of the links points down. The link is ignored.",
    once,
  ),
  "aop/heartbeat-regular": rule(
    ["info", "recording", 0, PATTERNS, ANY],
    "A running session is not silent for more than 30 seconds.",
    "Emit `session.heartbeat` every 30 seconds while waiting, so that waiting can be told from hanging.",
    once,
  ),
  "aop/thought-before-action": rule(
    ["info", "recording", 0, PATTERNS, [START, SPAWN, "operation.memory", "operation.external_call"]],
    "A thought precedes each action.",
    "Emit `cognition.thought` before a tool or another service is called, memory is used or an agent is started, so that the recording says why and not only what.",
    once,
  ),
  "aop/goal-status-order": rule(
    ["info", "recording", 0, COGNITION, ["cognition.goal"]],
    "A goal is set, then in progress, then completed or abandoned.",
    "Emit `cognition.goal` with status `set` first; take up a closed goal again by setting it again.",
  ),

  "aop/live-fire-and-forget": rule(
    ["error", "live", 0, TRANSPORT, []],
    "The agent neither waits for the collector nor fails with it: a post is given up after 500 ms.",
    "Send without awaiting, with a timeout of 500 ms, and swallow every error.",
  ),
  "aop/live-one-event-per-request": rule(
    ["error", "live", 0, TRANSPORT, []],
    "Each request to `/events` carries exactly one event.",
    "Post each event alone; lists are refused.",
  ),
  "aop/live-content-type": rule(
    ["error", "live", 0, TRANSPORT, []],
    "Events are posted as `application/json`.",
    "Set the header `Content-Type: application/json`; other types are answered with 415.",
  ),
  "aop/live-tool-start-before-call": rule(
    ["warning", "live", 0, PATTERNS, []],
    "`operation.tool_start` is emitted before the call begins, and `operation.tool_end` right after it returns.",
    "Wrap the call: emit, call, emit. Emitting both afterwards hides a call that hangs.",
  ),
} as const satisfies Record<string, Rule>;

export type AopRuleId = keyof typeof AOP_RULES;

const PAYLOAD_RULES: Record<AopType, AopRuleId> = {
  "session.started": "aop/session-started-payload",
  "session.heartbeat": "aop/session-heartbeat-payload",
  "session.ended": "aop/session-ended-payload",
  "cognition.thought": "aop/thought-payload",
  "cognition.goal": "aop/goal-payload",
  "cognition.decision": "aop/decision-payload",
  "cognition.uncertainty": "aop/uncertainty-payload",
  "operation.tool_start": "aop/tool-start-payload",
  "operation.tool_end": "aop/tool-end-payload",
  "operation.agent_spawn": "aop/agent-spawn-payload",
  "operation.memory": "aop/memory-payload",
  "operation.external_call": "aop/external-call-payload",
};

const ENVELOPE_RULES: Readonly<Record<string, AopRuleId>> = {
  spec: "aop/envelope-spec",
  session_id: "aop/envelope-session-id",
  parent_session_id: "aop/envelope-parent-session-id",
  agent_id: "aop/envelope-agent-id",
  agent_version: "aop/envelope-agent-version",
  sequence: "aop/envelope-sequence",
  timestamp: "aop/envelope-timestamp",
  type: "aop/envelope-type",
};

/** The rule that owns a member of the envelope. */
export function envelopeRule(member: string): AopRuleId {
  return ENVELOPE_RULES[member] ?? "aop/envelope-payload";
}

/** The rule that owns the payload of a type. */
export function payloadRule(type: string): AopRuleId {
  return isAopType(type) ? PAYLOAD_RULES[type] : "aop/envelope-payload";
}
