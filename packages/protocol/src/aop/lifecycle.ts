import { boundText } from "../brief.ts";
import type { ProtocolReading } from "../protocol.ts";
import { defineRule } from "../rule.ts";
import { quoteJsonValue } from "../schema.ts";
import { readTimestamp } from "../timestamp.ts";
import { payloadOf, readFieldText } from "./aliases.ts";
import { CALL, ended, envelopePair, event, run, started, thought, toolEnd, toolStart } from "./example-events.ts";
import { type GoalBook, openGoalBook, stepGoal } from "./goals.ts";
import type { AopRuleId } from "./rules.ts";
import { EVENT_TYPES_PAGE, INSTRUMENTATION_PATTERNS, LIFECYCLE, OPERATIONS, ORDER } from "./sections.ts";
import { type AopPhase, SESSION_STEPS, type SessionSignal } from "./steps.ts";
import { appendFinding, type CallBook, openCallBook, type PlacedFinding, settleOpenCalls, settleOrphans, stepCall } from "./tool-calls.ts";

const ANY = ["*"];
const STARTED = "session.started";
const ENDED = "session.ended";
const START = "operation.tool_start";
const SPAWN = "operation.agent_spawn";

export const AOP_LIFECYCLE_RULES = {
  "aop/started-first": defineRule(["warning", "recording", 0, ORDER, ANY], {
    title: "The first event of a session, by sequence, is `session.started`.",
    hint: "Emit `session.started` before anything else: goal and version of the run come from it.",
    examples: () => ({ passes: run(thought(2)), fails: [thought(2), ended(3)] }),
  }),
  "aop/started-once": defineRule(["error", "recording", 0, LIFECYCLE, [STARTED]], {
    title: "`session.started` occurs once in a session.",
    hint: "A second run needs a session id of its own; link it with `parent_session_id` if it belongs to the first.",
    examples: () => ({ passes: run(thought(2)), fails: run(started(2)) }),
  }),
  "aop/ended-once": defineRule(["error", "recording", 0, LIFECYCLE, [ENDED]], {
    title: "`session.ended` occurs once in a session.",
    hint: "Emit it in one place, for example in a `finally` block, when nothing else can follow.",
    examples: () => ({ passes: run(thought(2)), fails: [started(), ended(2), ended(3)] }),
  }),
  "aop/nothing-after-ended": defineRule(["warning", "recording", 0, ORDER, [ENDED]], {
    title: "Nothing follows `session.ended` by sequence.",
    hint: "Emit `session.ended` last, after everything that still runs has been awaited.",
    examples: () => ({ passes: run(thought(2)), fails: [started(), ended(2), thought(3)] }),
  }),
  "aop/ended-present": defineRule(["warning", "recording", 0, LIFECYCLE, ANY], {
    title: "A finished session has a `session.ended`.",
    hint: "Emit it whatever the outcome. Only a warning, because the transport is lossy and unordered: the event may have been sent and lost.",
    examples: () => ({ passes: run(thought(2)), fails: [started(), thought(2)] }),
  }),
  "aop/timestamp-order": defineRule(["warning", "recording", 0, EVENT_TYPES_PAGE, ANY], {
    title: "Timestamps do not decrease as the sequence rises.",
    hint: "Take number and time together, at the moment of emission; the machine's clock may also have been set back.",
    examples: () => envelopePair({ timestamp: "2026-03-01T09:59:59.000Z" }),
  }),
  "aop/agent-id-constant": defineRule(["warning", "recording", 0, EVENT_TYPES_PAGE, ANY], {
    title: "All events of a session have the same `agent_id`.",
    hint: "A session is one run of one agent. Give another agent a session of its own and link it with `parent_session_id`.",
    oncePerSession: true,
    examples: () => envelopePair({ agent_id: "reader" }),
  }),
  "aop/parent-constant": defineRule(["warning", "recording", 0, OPERATIONS, ANY], {
    title: "All events of a session that name a parent name the same one.",
    hint: "Set `parent_session_id` once, when the session begins. The first one by sequence counts.",
    oncePerSession: true,
    examples: () => ({
      passes: run(thought(2, { parent_session_id: "s0" }), thought(3, { parent_session_id: "s0" })),
      fails: run(thought(2, { parent_session_id: "s0" }), thought(3, { parent_session_id: "s9" })),
    }),
  }),
  "aop/heartbeat-regular": defineRule(["info", "recording", 0, INSTRUMENTATION_PATTERNS, ANY], {
    title: "A running session is not silent for more than 30 seconds.",
    hint: "Emit `session.heartbeat` every 30 seconds while waiting, so that waiting can be told from hanging.",
    oncePerSession: true,
    examples: () => ({
      passes: run(event(2, "session.heartbeat", { status: "waiting" })),
      fails: [started(), ended(2)].map((item, index) => ({ ...item, timestamp: `2026-03-01T10:0${index}:00.000Z` })),
    }),
  }),
  "aop/thought-before-action": defineRule(
    ["info", "recording", 0, INSTRUMENTATION_PATTERNS, [START, SPAWN, "operation.memory", "operation.external_call"]],
    {
      title: "A thought precedes each action.",
      hint: "Emit `cognition.thought` before a tool or another service is called, memory is used or an agent is started, so that the recording says why and not only what.",
      oncePerSession: true,
      examples: () => ({ passes: CALL, fails: run(toolStart(2), toolEnd(3)) }),
    },
  ),
} as const;

/** The state of a session: a plain JSON value, bounded for any input. */
export interface AopSessionState {
  phase: AopPhase;
  /** The lowest number received; `firstAt` is its position. */
  firstSequence: number | null;
  firstAt: number;
  startedSequence: number | null;
  startedAgent: string | null;
  startedAt: number;
  endedSequence: number | null;
  endedAgent: string | null;
  endedAt: number;
  lastAt: number;
  lastSequence: number | null;
  lastAgent: string | null;
  lastMs: number | null;
  agentId: string | null;
  parentId: string | null;
  goal: string | null;
  /** Whether a thought was reported since the last tool call returned. */
  thought: boolean;
  calls: CallBook;
  goals: GoalBook;
  /** Whether the missing `session.started` was reported. */
  toldUnannounced: boolean;
}

export interface AopSessionStep {
  readonly state: AopSessionState;
  readonly findings: readonly PlacedFinding[];
}

/**
 * placed: in sequence. late: after its place had passed. apart: in a session of several agents, where a number is comparable only within
 * one agent. adrift: without a number, or with one that says nothing about the order.
 */
export type ArrivalOrder = "placed" | "late" | "apart" | "adrift";

const NOTHING: readonly PlacedFinding[] = Object.freeze([]);
const SILENCE_MS = 30_000;

export function openAopSession(): AopSessionState {
  return {
    phase: "fresh",
    firstSequence: null,
    firstAt: 0,
    startedSequence: null,
    startedAgent: null,
    startedAt: 0,
    endedSequence: null,
    endedAgent: null,
    endedAt: 0,
    lastAt: 0,
    lastSequence: null,
    lastAgent: null,
    lastMs: null,
    agentId: null,
    parentId: null,
    goal: null,
    thought: false,
    calls: openCallBook(),
    goals: openGoalBook(),
    toldUnannounced: false,
  };
}

/**
 * Applies one event of the session. Changes the given state in place and returns it: copying it for each of a million events would cost
 * more than judging them. Findings may be about earlier events.
 */
export function stepAopSession(
  state: AopSessionState,
  reading: ProtocolReading,
  at: number,
  order: ArrivalOrder = "placed",
): AopSessionStep {
  const { value, type } = reading;
  const sequence = order === "adrift" ? null : sequenceOf(value["sequence"]);
  const agent = reading.agentId ?? null;
  const late = order !== "placed";
  const signal = order === "apart" ? signalApart(state, type, sequence, agent) : signalOf(state, type, sequence, late);
  let told: PlacedFinding[] | undefined;

  if (!late) told = stepClock(state, reading, sequence, at, told);
  const phaseBefore = state.phase;
  const cell = SESSION_STEPS[phaseBefore][signal];
  if (typeof cell === "string") {
    state.phase = cell;
  } else {
    state.phase = cell.then;
    told = appendFinding(told, phaseFinding(state, cell.breaks, type, at, signal));
  }
  if (phaseBefore === "fresh") state.firstAt = at;
  if (sequence !== null && order !== "apart" && (state.firstSequence === null || sequence < state.firstSequence)) {
    state.firstSequence = sequence;
    state.firstAt = at;
  }
  state.lastAt = at;
  told = stepIdentity(state, reading, at, told);

  switch (type) {
    case "session.started":
      if (state.startedSequence === null || (sequence !== null && sequence < state.startedSequence)) {
        state.startedSequence = sequence;
        state.startedAgent = agent;
        state.startedAt = at;
        const goal = payloadOf(value)["goal"];
        if (typeof goal === "string") state.goal = boundText(goal);
      }
      break;
    case "session.ended":
      if (phaseBefore !== "ended" && phaseBefore !== "endedUnannounced") {
        state.endedSequence = sequence;
        state.endedAgent = agent;
        state.endedAt = at;
      }
      break;
    case "operation.tool_start":
    case "operation.tool_end":
      told = stepTool(state, reading, { type, at, order, sequence }, told);
      break;
    case "operation.agent_spawn":
    case "operation.memory":
    case "operation.external_call":
      told = stepAction(state, type, at, order, told);
      break;
    case "cognition.goal":
      state.thought = true;
      if (!late) told = stepGoal(state.goals, reading, at, told);
      break;
    case "cognition.thought":
    case "cognition.decision":
    case "cognition.uncertainty":
      state.thought = true;
      break;
    case "?":
      // Of unknown type: it may have been the start or end of a call.
      state.calls.strayStarts++;
      state.calls.strayEnds++;
      break;
  }
  return { state, findings: told ?? NOTHING };
}

/**
 * The session has ended and every event numbered before its end has arrived: reports the open calls. An end without a start is reported
 * later, because the start may still arrive from another agent.
 */
export function settleSession(state: AopSessionState): AopSessionStep {
  return { state, findings: settleOpenCalls(state.calls, undefined, "does not end before the session ends") ?? NOTHING };
}

/** No more events follow: reports calls without their other half. */
export function closeAopSession(state: AopSessionState, hint?: string): AopSessionStep {
  let told = settleOpenCalls(state.calls, undefined, "never ends");
  told = settleOrphans(state.calls, told, hint);
  const unannounced = state.phase === "unannounced" || state.phase === "endedUnannounced";
  if (unannounced && !state.toldUnannounced) {
    state.toldUnannounced = true;
    told = appendFinding(told, {
      at: state.firstAt,
      finding: { rule: "aop/started-first", message: "The session has no `session.started`." },
    });
  }
  if (!hasEnded(state) && state.phase !== "fresh") {
    const message = "The recording ends without a `session.ended` of this session.";
    told = appendFinding(told, { at: state.lastAt, finding: { rule: "aop/ended-present", message } });
  }
  return { state, findings: told ?? NOTHING };
}

export function hasEnded(state: AopSessionState): boolean {
  return state.phase === "ended" || state.phase === "endedUnannounced";
}

/** The event's sequence number if it is usable. */
export function sequenceOf(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0) ? value : null;
}

function signalOf(state: AopSessionState, type: string, sequence: number | null, late: boolean): SessionSignal {
  if (type === "session.started") {
    if (!late) return "started";
    const isFirst = sequence === null || state.firstSequence === null || sequence <= state.firstSequence;
    return isFirst ? "startedLate" : "started";
  }
  if (type === "session.ended") return late && sequence !== null ? "endedLate" : "ended";
  if (!late) return hasEnded(state) && state.endedSequence === null ? "spokeLate" : "spoke";
  if (sequence === null) return "spokeLate";
  if (state.endedSequence !== null && sequence > state.endedSequence) return "spoke";
  return state.startedSequence !== null && sequence < state.startedSequence ? "spokeBefore" : "spokeLate";
}

/** Among several agents, only an agent's own numbers show which of its events precede its start or follow its end. */
function signalApart(state: AopSessionState, type: string, sequence: number | null, agent: string | null): SessionSignal {
  if (type === "session.started") return "startedLate";
  if (type === "session.ended") return "ended";
  if (sequence === null) return "spokeLate";
  if (agent === state.endedAgent && state.endedSequence !== null && sequence > state.endedSequence) return "spoke";
  const isBefore = agent === state.startedAgent && state.startedSequence !== null && sequence < state.startedSequence;
  return isBefore ? "spokeBefore" : "spokeLate";
}

function phaseFinding(state: AopSessionState, rule: AopRuleId, type: string, at: number, signal: SessionSignal): PlacedFinding {
  switch (rule) {
    case "aop/started-once":
      return { at, finding: { rule, since: state.startedAt, message: "The session has started before." } };
    case "aop/ended-once":
      return { at, finding: { rule, since: state.endedAt, message: "The session has ended before." } };
    case "aop/started-first": {
      if (signal === "spokeBefore") return { at, finding: { rule, message: `${quoteJsonValue(type)} comes before \`session.started\`.` } };
      return { at, finding: { rule, since: state.firstAt, message: "`session.started` is not the first event of its session." } };
    }
    default: {
      if (signal === "endedLate") return { at, finding: { rule, message: "Events with higher numbers than this end were heard." } };
      return { at, finding: { rule, since: state.endedAt, message: `${quoteJsonValue(type)} follows \`session.ended\`.` } };
    }
  }
}

function stepClock(
  state: AopSessionState,
  reading: ProtocolReading,
  sequence: number | null,
  at: number,
  before: PlacedFinding[] | undefined,
): PlacedFinding[] | undefined {
  let told = before;
  const { timestamp } = reading.value;
  const ms = typeof timestamp === "string" ? (readTimestamp(timestamp)?.ms ?? null) : null;
  const agent = reading.agentId ?? null;
  const adjacent = sequence !== null && state.lastSequence !== null && sequence === state.lastSequence + 1;
  if (!adjacent) state.thought = state.lastSequence !== null || state.thought; // what is missing may have been a thought
  if (ms !== null && state.lastMs !== null && agent === state.lastAgent) {
    if (ms < state.lastMs) {
      const message = `${quoteJsonValue(timestamp)} is earlier than the timestamp before it in the sequence.`;
      told = appendFinding(told, { at, finding: { rule: "aop/timestamp-order", pointer: "/timestamp", since: state.lastAt, message } });
    } else if (adjacent && ms - state.lastMs > SILENCE_MS && state.phase === "running") {
      const message = `Nothing was said for ${Math.round((ms - state.lastMs) / 1000)} seconds before this event.`;
      told = appendFinding(told, { at, finding: { rule: "aop/heartbeat-regular", since: state.lastAt, message } });
    }
  }
  if (ms !== null) state.lastMs = ms;
  if (sequence !== null) state.lastSequence = sequence;
  state.lastAgent = agent;
  return told;
}

function stepIdentity(
  state: AopSessionState,
  reading: ProtocolReading,
  at: number,
  before: PlacedFinding[] | undefined,
): PlacedFinding[] | undefined {
  let told = before;
  const { agentId, value } = reading;
  if (agentId !== undefined && agentId !== state.agentId) {
    if (state.agentId === null) {
      state.agentId = agentId;
    } else {
      const message = `The agent of this session was ${quoteJsonValue(state.agentId)} and is now ${quoteJsonValue(agentId)}.`;
      told = appendFinding(told, { at, finding: { rule: "aop/agent-id-constant", pointer: "/agent_id", since: state.firstAt, message } });
    }
  }
  const parent = value["parent_session_id"];
  if (typeof parent === "string" && parent !== state.parentId && parent !== value["session_id"] && parent !== "" && parent.length <= 256) {
    if (state.parentId === null) {
      state.parentId = parent;
    } else {
      const message = `The parent of this session was ${quoteJsonValue(state.parentId)} and is now ${quoteJsonValue(parent)}.`;
      told = appendFinding(told, {
        at,
        finding: { rule: "aop/parent-constant", pointer: "/parent_session_id", since: state.firstAt, message },
      });
    }
  }
  return told;
}

interface ToolEvent {
  readonly type: "operation.tool_start" | "operation.tool_end";
  readonly at: number;
  readonly order: ArrivalOrder;
  readonly sequence: number | null;
}

function stepTool(
  state: AopSessionState,
  reading: ProtocolReading,
  event: ToolEvent,
  before: PlacedFinding[] | undefined,
): PlacedFinding[] | undefined {
  const { type, at, order, sequence } = event;
  let told = before;
  const payload = payloadOf(reading.value);
  const id = payload["tool_call_id"];
  const starts = type === "operation.tool_start";
  if (starts) told = stepAction(state, type, at, order, told);
  else state.thought = false;
  if (typeof id !== "string") {
    if (starts) state.calls.strayStarts++;
    else state.calls.strayEnds++;
    return told;
  }
  const name = readFieldText(type, payload, "tool_name");
  const tool = name === undefined ? null : boundText(name);
  const late = order === "late" || order === "adrift";
  const signal = starts ? (late ? "startLate" : "start") : late ? "endLate" : "end";
  // Uses the session's own string for the same agent, so a call does not retain another copy.
  const agent = reading.agentId === undefined || reading.agentId === state.agentId ? state.agentId : reading.agentId;
  return stepCall(state.calls, signal, { id: boundText(id), tool, at, agent, sequence }, told);
}

/** An action: a thought must precede it since the last tool call returned. */
function stepAction(
  state: AopSessionState,
  type: string,
  at: number,
  order: ArrivalOrder,
  before: PlacedFinding[] | undefined,
): PlacedFinding[] | undefined {
  if (state.thought || order !== "placed") return before;
  const message = `Nothing says why ${quoteJsonValue(type)} was done.`;
  return appendFinding(before, { at, finding: { rule: "aop/thought-before-action", message } });
}
