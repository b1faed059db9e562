import fc from "fast-check";
import { AOP } from "../src/aop/aop.ts";
import { isObject, type JsonObject, type JsonValue } from "../src/json.ts";
import { createJudge } from "../src/judge.ts";
import type { Severity } from "../src/rule.ts";
import { change, choose, type Defect, type Pick, type Recording } from "./defect.ts";
import { readItem } from "./read-item.ts";

// ---------------------------------------------------------------------------------------------------- hearing

export interface HeardFinding {
  readonly rule: string;
  readonly severity: Severity;
  readonly at: number;
  readonly sessionId: string | undefined;
  readonly message: string;
}

/** All findings for a recording, read from text as from a file. */
export function hearAop(recording: Recording): readonly HeardFinding[] {
  const heard: HeardFinding[] = [];
  const judge = createJudge(AOP, {
    tell: ({ finding, at, sessionId }) => {
      const severity = AOP.rules[finding.rule]?.severity;
      if (severity === undefined) throw new Error(`No such rule: ${finding.rule}`);
      heard.push({ rule: finding.rule, severity, at, sessionId, message: finding.message });
    },
  });
  recording.forEach((item, index) => {
    const { value, facts } = readItem(item);
    judge.handle(AOP.read(value, facts), index + 1, facts);
  });
  judge.end();
  return heard;
}

/** The reported rules of at least the given severity, each once. */
export function severeRules(heard: readonly HeardFinding[], severity: "error" | "warning"): readonly string[] {
  const wanted = heard.filter((each) => each.severity === "error" || each.severity === severity);
  return [...new Set(wanted.map(({ rule }) => rule))].sort();
}

// ---------------------------------------------------------------------------------------------------- spelling

export type Naming = "documented" | "wild" | "both";

/** By type: the documented name and the name that deployed software uses instead. Written independently, to check the table. */
const WILD: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  "session.ended": [["outcome", "status"]],
  "cognition.thought": [["content", "reasoning"]],
  "cognition.decision": [["decision", "chosen"]],
  "cognition.uncertainty": [["content", "description"]],
  "operation.tool_start": [["tool_name", "tool"]],
  "operation.tool_end": [
    ["tool_name", "tool"],
    ["result_summary", "output_summary"],
    ["duration_ms", "latency_ms"],
  ],
  "operation.memory": [["operation", "action"]],
  "operation.external_call": [["duration_ms", "latency_ms"]],
};
const MOVED: Readonly<Record<string, string>> = { "session.ended": "total_cost_usd", "operation.tool_end": "token_spend_delta" };

/** The same events with other member names. Events must use documented names. */
export function respell(recording: Recording, naming: Naming): Recording {
  return recording.map((item) => (isObject(item["payload"]) ? { ...item, payload: respellPayload(item, item["payload"], naming) } : item));
}

function respellPayload(item: JsonObject, payload: JsonObject, naming: Naming): JsonObject {
  if (naming === "documented") return payload;
  const type = String(item["type"]);
  const said: Record<string, JsonValue | undefined> = { ...payload };
  const move = (from: string, to: string) => {
    if (said[from] === undefined) return;
    said[to] = said[from];
    if (naming === "wild") delete said[from];
  };
  for (const [documented, wild] of WILD[type] ?? []) {
    move(documented, wild === "output_summary" && payload["success"] === false ? "error" : wild);
  }
  if (type === "operation.external_call" && typeof said["url"] === "string") {
    said["service"] = "shop";
    said["endpoint"] = said["url"];
    if (naming === "wild") delete said["url"];
  }
  const moved = MOVED[type];
  const metadata = said["metadata"];
  if (moved !== undefined && isObject(metadata) && metadata[moved] !== undefined) {
    said[moved] = metadata[moved];
    const { [moved]: _, ...rest } = metadata;
    if (naming === "wild") said["metadata"] = rest;
  }
  return said as JsonObject;
}

// ---------------------------------------------------------------------------------------------------- conforming recordings

const HOSTILE = [
  "",
  "__proto__",
  "constructor",
  "toString",
  "\u202etxt.exe\u202c",
  "\u0000\u0007\u001b[31mred\u001b[0m",
  "👩‍👩‍👧 🧨",
  "\ud800",
  "</script><img src=x onerror=alert(1)>",
  "line\r\nline\u2028line",
  "a".repeat(20_000),
  "😀".repeat(300),
];

const text = fc.oneof(
  { arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }), weight: 3 },
  { arbitrary: fc.constantFrom(...HOSTILE), weight: 1 },
);
// biome-ignore lint/suspicious/noControlCharactersInRegex: ids may hold anything else
const idTail = text.map((value) => value.replace(/[\u0000-\u001f\u007f-\u009f]/g, "").slice(0, 60));
const metadata = fc.dictionary(fc.constantFrom("model", "region", "attempt"), fc.oneof(text, fc.integer(), fc.boolean()), { maxKeys: 2 });
const amount = fc.double({ min: 0, max: 1e6, noNaN: true });
const confidence = fc.constantFrom("high", "medium", "low");
const optional = { requiredKeys: [] as never[] };

type Step =
  | { readonly does: "says"; readonly type: string; readonly payload: object }
  | { readonly does: "starts"; readonly tool: string; readonly tail: string; readonly input: { readonly input?: JsonValue } }
  | { readonly does: "ends"; readonly which: number; readonly payload: object };

const says = (type: string, payload: fc.Arbitrary<object>): fc.Arbitrary<Step> =>
  payload.map((members) => ({ does: "says", type, payload: members }) as const);

const join = (required: fc.Arbitrary<object>, more: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  fc.tuple(required, more).map(([left, right]) => ({ ...right, ...left }));

const inputs = fc.oneof(
  fc.constant({}),
  fc.dictionary(fc.constantFrom("query", "path", "limit"), text).map((input) => ({ input })),
  fc.constantFrom({ input: "bare" }, { input: [1, 2] }, { input: null }),
);
const endMembers = join(
  fc.record({ success: fc.boolean() }),
  fc.record({ result_summary: text, duration_ms: amount, metadata: fc.record({ token_spend_delta: fc.nat() }, optional) }, optional),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  says("cognition.thought", join(fc.record({ content: text }), fc.record({ confidence, metadata, next_intent: text }, optional))),
  says(
    "cognition.goal",
    join(
      fc.record({ goal: text, status: fc.constantFrom("set", "in_progress", "completed", "abandoned") }),
      fc.record({ parent_goal: text }, optional),
    ),
  ),
  says(
    "cognition.decision",
    join(fc.record({ decision: text }), fc.record({ alternatives: fc.array(text, { maxLength: 3 }), reasoning: text, metadata }, optional)),
  ),
  says("cognition.uncertainty", join(fc.record({ content: text }), fc.record({ confidence, metadata }, optional))),
  says(
    "session.heartbeat",
    join(
      fc.record({ status: fc.constantFrom("running", "idle", "waiting") }),
      fc.record({ step: fc.nat(), token_spend: fc.nat(), current_goal: text }, optional),
    ),
  ),
  says(
    "operation.memory",
    join(fc.record({ operation: fc.constantFrom("read", "write", "delete") }), fc.record({ key: text, summary: text, metadata }, optional)),
  ),
  says(
    "operation.external_call",
    join(
      fc.record({ method: fc.constantFrom("GET", "POST"), url: text }),
      fc.record({ status_code: fc.nat(599), duration_ms: amount }, optional),
    ),
  ),
  fc.constantFrom("billing.invoice_sent", "acme.a-b.c_1").chain((type) => says(type, metadata)),
  fc.record({ does: fc.constant("starts" as const), tool: text, tail: text, input: inputs }),
  fc.record({ does: fc.constant("starts" as const), tool: fc.constantFrom("search", "fetch"), tail: text, input: inputs }),
  fc.record({ does: fc.constant("ends" as const), which: fc.nat(7), payload: endMembers }),
  fc.record({ does: fc.constant("ends" as const), which: fc.nat(7), payload: endMembers }),
);

interface Plan {
  readonly agent: string;
  readonly tail: string;
  readonly first: number;
  readonly naming: Naming;
  readonly goal: string | undefined;
  readonly version: string | undefined;
  readonly bareRoot: boolean;
  readonly steps: readonly { readonly step: Step; readonly gap: number; readonly pauseMs: number; readonly extra: boolean }[];
  readonly outcome: object;
  readonly parent: number;
  readonly spawnAfter: number;
  readonly micros: boolean;
}

const plan: fc.Arbitrary<Plan> = fc.record({
  agent: idTail,
  tail: idTail,
  first: fc.constantFrom(1, 1, 1, 0, 57, 9_000_000_000_000),
  naming: fc.constantFrom<Naming>("documented", "documented", "wild", "both"),
  goal: fc.option(text, { nil: undefined }),
  version: fc.option(fc.constantFrom("1.0.0", "2.1.0-beta.1"), { nil: undefined }),
  bareRoot: fc.boolean(),
  steps: fc.array(
    fc.record({
      step,
      gap: fc.oneof({ arbitrary: fc.constant(0), weight: 12 }, { arbitrary: fc.nat(3), weight: 1 }),
      pauseMs: fc.oneof(fc.constant(0), fc.nat(1500), fc.nat(45_000)),
      extra: fc.boolean(),
    }),
    { maxLength: 22 },
  ),
  outcome: join(
    fc.record({ outcome: fc.constantFrom("completed", "failed", "cancelled", "timeout") }),
    fc.record(
      {
        outcome_summary: text,
        error_message: text,
        total_tokens: fc.nat(),
        total_steps: fc.nat(),
        metadata: fc.record({ total_cost_usd: amount }, optional),
      },
      optional,
    ),
  ),
  parent: fc.nat(5),
  spawnAfter: fc.nat(20),
  micros: fc.boolean(),
});

const START_MS = Date.UTC(2026, 2, 1, 10);

/** A session's events in order of emission. The index makes its id unique. */
function perform(own: Plan, index: number, plans: readonly Plan[]): JsonObject[] {
  const events: JsonObject[] = [];
  const parent = parentOf(own, index);
  let sequence = own.first;
  let ms = START_MS + index * 250;
  const say = (type: string, payload: object, extra = false) => {
    const stamp = new Date(ms).toISOString();
    events.push({
      spec: "aop/1.0",
      session_id: sessionId(own, index),
      ...(parent === undefined
        ? own.bareRoot
          ? {}
          : { parent_session_id: null }
        : { parent_session_id: sessionId(plans[parent] as Plan, parent) }),
      agent_id: `agent-${own.agent}`,
      ...(own.version === undefined ? {} : { agent_version: own.version }),
      sequence: sequence++,
      timestamp: own.micros ? `${stamp.slice(0, -1)}123Z` : stamp,
      type,
      payload: (extra ? { ...payload, x_unknown: { deep: [null, 1] } } : payload) as JsonObject,
      ...(extra ? { x_trace: "00-ab" } : {}),
    });
  };
  const optionalGoal = own.goal === undefined ? {} : { goal: own.goal };
  say("session.started", { ...optionalGoal, ...(own.version === undefined ? {} : { agent_version: own.version }) });
  const spawns = plans.flatMap((child, at) => (parentOf(child, at) === index ? [{ child, at }] : []));
  const open: { readonly tool_name: string; readonly tool_call_id: string }[] = [];
  let calls = 0;
  own.steps.forEach(({ step: next, gap, pauseMs, extra }, position) => {
    sequence += gap;
    ms += pauseMs;
    for (const { child, at } of spawns) if (child.spawnAfter === position) announce(child, at);
    if (next.does === "says") {
      say(next.type, next.payload, extra);
    } else if (next.does === "starts") {
      // The first call's id may be anything; later ones are numbered and therefore unique.
      const call = { tool_name: next.tool, tool_call_id: calls++ === 0 ? next.tail : `${calls}:${next.tail}` };
      open.push(call);
      say("operation.tool_start", { ...call, ...next.input }, extra);
    } else if (open.length > 0) {
      const [call] = open.splice(next.which % open.length, 1);
      say("operation.tool_end", { ...next.payload, ...call }, extra);
    }
  });
  for (const { child, at } of spawns) if (child.spawnAfter >= own.steps.length) announce(child, at);
  for (const call of open) say("operation.tool_end", { success: false, ...call });
  say("session.ended", own.outcome);
  return [...respell(events, own.naming)];

  function announce(child: Plan, at: number): void {
    const announced = child.goal === undefined ? {} : { goal: child.goal };
    say("operation.agent_spawn", { child_session_id: sessionId(child, at), child_agent_id: `agent-${child.agent}`, ...announced });
  }
}

const sessionId = (own: Plan, index: number) => `s${index}-${own.tail}`;
const parentOf = (own: Plan, index: number) => (own.parent < index ? own.parent : undefined);

/** Conforming recordings before transport: sessions interleaved, each in its own order. */
export const orderedAopRecordings: fc.Arbitrary<Recording> = fc
  .tuple(fc.array(plan, { minLength: 1, maxLength: 4 }), fc.array(fc.nat(3), { maxLength: 60 }))
  .map(([plans, turns]) => {
    const queues = plans.map((own, index) => perform(own, index, plans));
    const merged: JsonObject[] = [];
    for (let turn = 0; queues.some((queue) => queue.length > 0); turn++) {
      const waiting = queues.filter((queue) => queue.length > 0);
      const queue = waiting[(turns[turn % Math.max(turns.length, 1)] ?? 0) % waiting.length];
      merged.push(queue?.shift() as JsonObject);
    }
    return merged;
  });

/** Every event overtakes at most `reach` others, and some arrive twice. */
export function jumble(recording: Recording, pick: Pick, reach = 8): Recording {
  const arrivals = recording.map((item, index) => ({ item, due: index + pick(reach + 1) }));
  const again = arrivals.filter(() => pick(8) === 0).map(({ item, due }) => ({ item, due: due + pick(2 * reach) }));
  return [...arrivals, ...again].sort((left, right) => left.due - right.due).map(({ item }) => item);
}

/** Conforming recordings as they arrive: interleaved, out of order within a small window, with some events twice. */
export const aopRecordings: fc.Arbitrary<Recording> = fc
  .tuple(orderedAopRecordings, fc.boolean(), fc.array(fc.nat(1_000_000), { minLength: 8, maxLength: 64 }))
  .map(([recording, races, noise]) => {
    let next = 0;
    const pick: Pick = (bound) => ((noise[next++ % noise.length] as number) + next * 7919) % bound;
    return races ? jumble(recording, pick) : recording;
  });

// ---------------------------------------------------------------------------------------------------- two agents

export interface TwoAgents {
  /** Each agent has its own counter, or both share one. */
  readonly counters: "own" | "shared";
  /** The agent and kind of each event between the start and the end; `ends` without an open call becomes a thought. */
  readonly turns: readonly { readonly agent: "a" | "b"; readonly does: "says" | "starts" | "ends" }[];
  /** Whether an agent may end a call that the other agent started. */
  readonly crosses: boolean;
  readonly ender: "a" | "b";
}

/** One session with events of two agents: discouraged, but not an error. In order of emission. */
export function performTwoAgents({ counters, turns, crosses, ender }: TwoAgents): Recording {
  const events: JsonObject[] = [];
  const next = { a: 1, b: 1 };
  const say = (agent: "a" | "b", type: string, payload: JsonObject) => {
    const counter = counters === "own" ? agent : "a";
    const timestamp = new Date(START_MS + events.length * 100).toISOString();
    events.push({ spec: "aop/1.0", session_id: "pair", agent_id: agent, sequence: next[counter]++, timestamp, type, payload });
  };
  const open: { readonly agent: "a" | "b"; readonly id: string }[] = [];
  const finish = (agent: "a" | "b", index: number) => {
    const [call] = open.splice(index, 1);
    if (call !== undefined) say(agent, "operation.tool_end", { tool_name: "search", tool_call_id: call.id, success: true });
  };
  say("a", "session.started", {});
  turns.forEach(({ agent, does }, index) => {
    const own = open.findIndex((call) => crosses || call.agent === agent);
    if (does === "starts") {
      open.push({ agent, id: `call-${index}` });
      say(agent, "operation.tool_start", { tool_name: "search", tool_call_id: `call-${index}` });
    } else if (does === "ends" && own >= 0) finish(agent, own);
    else say(agent, "cognition.thought", { content: "Hm." });
  });
  while (open[0] !== undefined) finish(open[0].agent, 0);
  say(ender, "session.ended", { outcome: "completed" });
  return events;
}

const pairMembers = {
  counters: fc.constantFrom("own" as const, "shared" as const),
  turns: fc.array(
    fc.record({
      agent: fc.constantFrom("a" as const, "b" as const),
      does: fc.constantFrom("says" as const, "starts" as const, "ends" as const),
    }),
    { minLength: 4, maxLength: 90 },
  ),
  ender: fc.constantFrom("a" as const, "b" as const),
};

export const twoAgentSessions: fc.Arbitrary<TwoAgents> = fc.record({ ...pairMembers, crosses: fc.boolean() });

// ---------------------------------------------------------------------------------------------------- defects

type Item = Record<string, unknown>;
type Edit = (item: Item) => void;

const hasType = (type: string) => (item: JsonObject) => item["type"] === type;
const any = () => true;

/** An event is emitted wrong once and delivered as often as before: every copy of it changes. */
function changeAll(recording: Recording, index: number, edit: Edit): Recording {
  const original = JSON.stringify(recording[index]);
  let copy = recording;
  recording.forEach((item, place) => {
    if (JSON.stringify(item) === original) copy = change(copy, place, edit);
  });
  return copy;
}

function wrong(name: string, rule: string, fits: (item: JsonObject) => boolean, edit: Edit): Defect {
  return {
    name,
    rules: [rule],
    apply(recording, pick) {
      const index = choose(recording, pick, fits);
      return index < 0 ? undefined : changeAll(recording, index, edit);
    },
  };
}

const member = (name: string, value: unknown): Edit => {
  return (item) => {
    if (value === undefined) delete item[name];
    else item[name] = value;
  };
};
/** Sets a documented payload member and removes its aliases. */
const inPayload = (name: string, value: unknown, ...otherNames: readonly string[]): Edit => {
  return (item) => {
    const payload = { ...(item["payload"] as Item) };
    for (const other of [name, ...otherNames]) delete payload[other];
    if (value !== undefined) payload[name] = value;
    item["payload"] = payload;
  };
};
const envelope = (name: string, rule: string, of: string, value: unknown) => wrong(name, rule, any, member(of, value));
const payload = (type: string, rule: string, name: string, value: unknown, ...otherNames: readonly string[]) =>
  wrong(
    `${type} with ${name} ${value === undefined ? "missing" : JSON.stringify(value)}`,
    rule,
    hasType(type),
    inPayload(name, value, ...otherNames),
  );

/** Appends an event to the end of an existing session, with the next number and a later time. */
function appended(name: string, rule: string, make: (session: readonly JsonObject[], pick: Pick) => Item | undefined): Defect {
  return {
    name,
    rules: [rule],
    apply(recording, pick) {
      const like = recording[pick(recording.length)] as JsonObject;
      const session = recording.filter((item) => item["session_id"] === like["session_id"]);
      const made = make(session, pick);
      if (made === undefined) return undefined;
      const last = Math.max(...session.map((item) => Number(item["sequence"])));
      const lateMs = Math.max(...session.map((item) => Date.parse(String(item["timestamp"]))));
      const timestamp = new Date(lateMs + 1000).toISOString();
      return [...recording, { ...like, sequence: last + 1, timestamp, ...made } as JsonObject];
    },
  };
}

const payloadIn = (item: JsonObject): JsonObject => item["payload"] as JsonObject;
const callId = (item: JsonObject) => payloadIn(item)["tool_call_id"];
const sameSession = (left: JsonObject, right: JsonObject) => left["session_id"] === right["session_id"];
const startOf = (recording: Recording, end: JsonObject) =>
  recording.findIndex((item) => item["type"] === "operation.tool_start" && sameSession(item, end) && callId(item) === callId(end));

const THOUGHT = "cognition.thought";
const START = "operation.tool_start";
const END = "operation.tool_end";

/** Single mistakes, each of which must be reported as an error. */
export const AOP_DEFECTS: readonly Defect[] = [
  envelope("spec missing", "aop/envelope-spec", "spec", undefined),
  envelope("spec of another protocol", "aop/envelope-spec", "spec", "otel/1.0"),
  envelope("spec a number", "aop/envelope-spec", "spec", 1),
  envelope("spec of another major version", "aop/spec-major", "spec", "aop/2.0"),
  envelope("session_id missing", "aop/envelope-session-id", "session_id", undefined),
  envelope("session_id a number", "aop/envelope-session-id", "session_id", 12),
  envelope("session_id too long", "aop/envelope-session-id", "session_id", "s".repeat(129)),
  envelope("session_id with a control character", "aop/envelope-session-id", "session_id", "s\u001b[2J"),
  envelope("agent_id missing", "aop/envelope-agent-id", "agent_id", undefined),
  envelope("agent_id empty", "aop/envelope-agent-id", "agent_id", ""),
  envelope("agent_id null", "aop/envelope-agent-id", "agent_id", null),
  envelope("sequence missing", "aop/envelope-sequence", "sequence", undefined),
  envelope("sequence negative", "aop/envelope-sequence", "sequence", -1),
  envelope("sequence a fraction", "aop/envelope-sequence", "sequence", 1.5),
  envelope("sequence as text", "aop/envelope-sequence", "sequence", "3"),
  envelope("sequence past what a double holds", "aop/envelope-sequence", "sequence", 2 ** 53),
  envelope("timestamp missing", "aop/envelope-timestamp", "timestamp", undefined),
  envelope("timestamp in words", "aop/envelope-timestamp", "timestamp", "yesterday"),
  envelope("timestamp a number", "aop/envelope-timestamp", "timestamp", 1_770_000_000_000),
  envelope("timestamp on a day that does not exist", "aop/envelope-timestamp", "timestamp", "2026-02-30T10:00:00.000Z"),
  envelope("timestamp without a zone", "aop/envelope-timestamp", "timestamp", "2026-03-01T10:00:00.000"),
  envelope("type missing", "aop/envelope-type", "type", undefined),
  envelope("type empty", "aop/envelope-type", "type", ""),
  envelope("type a number", "aop/envelope-type", "type", 3),
  envelope("payload a text", "aop/envelope-payload", "payload", "text"),
  envelope("payload a list", "aop/envelope-payload", "payload", []),
  envelope("parent_session_id a number", "aop/envelope-parent-session-id", "parent_session_id", 4),
  envelope("parent_session_id empty", "aop/envelope-parent-session-id", "parent_session_id", ""),
  envelope("agent_version a number", "aop/envelope-agent-version", "agent_version", 2),

  payload("session.started", "aop/session-started-payload", "goal", 7),
  payload("session.started", "aop/session-started-payload", "metadata", "none"),
  payload("session.heartbeat", "aop/session-heartbeat-payload", "status", "alive"),
  payload("session.heartbeat", "aop/session-heartbeat-payload", "status", undefined),
  payload("session.ended", "aop/session-ended-payload", "outcome", "success", "status"),
  payload("session.ended", "aop/session-ended-payload", "outcome", undefined, "status"),
  payload("session.ended", "aop/session-ended-payload", "error_message", false),
  payload(THOUGHT, "aop/thought-payload", "content", undefined, "reasoning"),
  payload(THOUGHT, "aop/thought-payload", "reasoning", 4, "content"),
  payload(THOUGHT, "aop/thought-payload", "confidence", 0.8),
  payload("cognition.goal", "aop/goal-payload", "status", "done"),
  payload("cognition.goal", "aop/goal-payload", "goal", undefined),
  payload("cognition.decision", "aop/decision-payload", "decision", undefined, "chosen"),
  payload("cognition.decision", "aop/decision-payload", "alternatives", ["one", 2]),
  payload("cognition.uncertainty", "aop/uncertainty-payload", "content", null, "description"),
  payload("cognition.uncertainty", "aop/uncertainty-payload", "confidence", "Low"),
  payload(START, "aop/tool-start-payload", "tool_name", undefined, "tool"),
  payload(START, "aop/tool-start-payload", "tool_call_id", undefined),
  payload(END, "aop/tool-end-payload", "success", "true"),
  payload(END, "aop/tool-end-payload", "success", undefined),
  payload(END, "aop/tool-end-payload", "duration_ms", "12", "latency_ms"),
  payload(END, "aop/tool-end-payload", "latency_ms", "12", "duration_ms"),
  payload("operation.agent_spawn", "aop/agent-spawn-payload", "child_session_id", undefined),
  payload("operation.agent_spawn", "aop/agent-spawn-payload", "child_agent_id", ""),
  payload("operation.memory", "aop/memory-payload", "operation", "append", "action"),
  payload("operation.memory", "aop/memory-payload", "action", "append", "operation"),
  payload("operation.external_call", "aop/external-call-payload", "method", undefined),
  payload("operation.external_call", "aop/external-call-payload", "url", undefined, "service"),
  payload("operation.external_call", "aop/external-call-payload", "status_code", "200"),
  payload("session.ended", "aop/cost-is-a-number", "metadata", { total_cost_usd: "0.10" }, "total_cost_usd"),
  payload("session.ended", "aop/cost-is-a-number", "total_tokens", "many"),
  payload(END, "aop/cost-is-a-number", "token_spend_delta", null),
  payload("session.heartbeat", "aop/cost-is-a-number", "token_spend", "1k"),

  appended("session.started again after the end", "aop/started-once", () => ({ type: "session.started", payload: {} })),
  wrong("session.started in the middle", "aop/started-once", hasType(THOUGHT), (item) => {
    item["type"] = "session.started";
    item["payload"] = {};
  }),
  appended("session.ended twice", "aop/ended-once", () => ({ type: "session.ended", payload: { outcome: "completed" } })),
  wrong("session.ended in the middle", "aop/ended-once", hasType(THOUGHT), (item) => {
    item["type"] = "session.ended";
    item["payload"] = { outcome: "failed" };
  }),
  appended("a number used again for another event", "aop/sequence-unique", (session, pick) => ({
    type: "acme.resumed",
    sequence: session[pick(session.length)]?.["sequence"],
    payload: { because: "restart" },
  })),
  appended("a counter that went back", "aop/sequence-increases", (session) => {
    const lowest = Math.min(...session.map((item) => Number(item["sequence"])));
    return lowest === 0 ? undefined : { type: "acme.resumed", sequence: lowest - 1, payload: {} };
  }),
  wrong("a tool end with an id of its own", "aop/tool-end-needs-start", hasType(END), inPayload("tool_call_id", "never-started")),
  {
    name: "a tool start that was not sent",
    rules: ["aop/tool-end-needs-start"],
    apply(recording, pick) {
      const index = choose(recording, pick, hasType(START));
      const original = JSON.stringify(recording[index]);
      return index < 0 ? undefined : recording.filter((item) => JSON.stringify(item) !== original);
    },
  },
  {
    name: "a tool end before its start",
    rules: ["aop/tool-end-needs-start"],
    apply(recording, pick) {
      const end = recording[choose(recording, pick, hasType(END))];
      const start = end === undefined ? undefined : recording[startOf(recording, end)];
      if (end === undefined || start === undefined) return undefined;
      const swapWith = (other: JsonObject): Edit => {
        return (item) => {
          item["type"] = other["type"];
          item["payload"] = other["payload"];
        };
      };
      const [startText, endText] = [JSON.stringify(start), JSON.stringify(end)];
      return recording.map((item) => {
        const itemText = JSON.stringify(item);
        const copy: Item = { ...item };
        if (itemText === startText) swapWith(end)(copy);
        else if (itemText === endText) swapWith(start)(copy);
        return copy as JsonObject;
      });
    },
  },
  wrong("a tool end that names another tool", "aop/tool-end-names-tool", hasType(END), inPayload("tool_name", "another tool", "tool")),
  appended("a tool that ends twice", "aop/tool-ends-once", (session, pick) => {
    const end = session[choose(session, pick, hasType(END))];
    return end === undefined ? undefined : { type: END, payload: end["payload"] };
  }),
  appended("a tool_call_id used again", "aop/tool-call-id-unique", (session, pick) => {
    const start = session[choose(session, pick, hasType(START))];
    return start === undefined ? undefined : { type: START, payload: start["payload"] };
  }),
];
