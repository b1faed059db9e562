import { type Finding, NO_FINDINGS } from "../finding.ts";
import { defineRule } from "../rule.ts";
import { followUpAsks, lapseAsks, moveAsks, noteUnfollowedAsks, openAsk } from "./asks.ts";
import { authoriseInvocation, type UnseenReply } from "./authorise.ts";
import {
  both,
  cancelled,
  completed,
  done,
  errored,
  full,
  invoked,
  pair,
  recording,
  started,
  startedWith,
  thinking,
  told,
} from "./example-events.ts";
import { beginHandoff, noteHandoffAtEnd, noteWorkAfterHandoff } from "./handoff.ts";
import { isTerminalType, TERMINAL_TYPES } from "./names.ts";
import { checkEventTime, checkSequenceNumber } from "./order.ts";
import { noteOpenOutputs, streamOutput } from "./outputs.ts";
import { checkProgress } from "./progress.ts";
import { applyReply } from "./replies.ts";
import type { AaepRuleId } from "./rules.ts";
import type { AaepPhase, AaepSessionState } from "./session-state.ts";
import { type AaepSignal, type NoteFinding, readTextField } from "./signal.ts";
import { type AgentState, agentState, changeState, implyState, quoteState } from "./states.ts";
import { CLOCK_TOLERANCE_MS, completeTool, invokeTool, noteRunningTools } from "./tools.ts";

const ENDS = TERMINAL_TYPES;

export const AAEP_LIFECYCLE_RULES = {
  "aaep/session-started-payload": defineRule(["error", "event", 1, "§4.1.1", ["agent.session.started"]], {
    title: "`session.started` says in `summary_normal` what the session will do.",
    hint: "Check the named field against §4.1.1.",
    examples: () => startedWith({}, { summary_normal: "" }),
  }),
  "aaep/session-completed-payload": defineRule(["error", "event", 1, "§4.1.2", ["agent.session.completed"]], {
    title: "`session.completed` says in `summary_normal` what was accomplished.",
    hint: "Check the named field against §4.1.2.",
    examples: () => both(full(), recording(started(), completed({ duration_ms: "fast" }))),
  }),
  "aaep/session-errored-payload": defineRule(["error", "event", 1, "§4.1.3", ["agent.session.errored"]], {
    title: "`session.errored` has an `error_category` and a `summary_normal`.",
    hint: "Categories are transient, permanent, requires_user and unknown; error_code is upper-case with underscores.",
    examples: () => both(recording(started(), errored()), recording(started(), errored({ error_category: "timeout" }))),
  }),
  "aaep/session-cancelled-payload": defineRule(["error", "event", 1, "§4.1.4", ["agent.session.cancelled"]], {
    title: "`session.cancelled` says who cancelled and why.",
    hint: "`cancelled_by` is user, producer, timeout or system; add a `summary_normal`.",
    examples: () => both(recording(started(), cancelled()), recording(started(), cancelled({ cancelled_by: "policy" }))),
  }),
  "aaep/errored-is-critical": defineRule(["error", "event", 1, "§4.1.3", ["agent.session.errored"]], {
    title: '`session.errored` has urgency "critical".',
    hint: 'Add "urgency":"critical": absent means normal, and a subscriber may then drop it.',
    examples: () => both(recording(started(), errored()), recording(started(), errored({ urgency: undefined }))),
  }),
  "aaep/session-starts-first": defineRule(["error", "recording", 1, "§4.1.1, §4.5.1, A.7.1", ["agent.session.started"]], {
    title: "The first event of a session is `session.started`.",
    hint: "Emit `session.started` before anything else with this session_id.",
    needs: ["agent.session.started"],
    examples: () => both(full(thinking), recording(thinking, completed())),
  }),
  "aaep/session-starts-once": defineRule(["error", "recording", 1, "§4.1.1", ["agent.session.started"]], {
    title: "A session has exactly one `session.started`.",
    hint: "Use a new session_id for the next request.",
    examples: () => both(full(), full(started())),
  }),
  "aaep/session-ends": defineRule(["error", "recording", 1, "§4.1, §4.5.1", ["agent.session.started"]], {
    title: "A session ends with `session.completed`, `session.errored` or `session.cancelled`.",
    hint: "Emit one of the three on every path, also when the process is asked to stop. If the recording was cut short, this is why.",
    needs: ENDS,
    examples: () => both(full(thinking), recording(started(), thinking)),
  }),
  "aaep/session-ends-once": defineRule(["error", "recording", 1, "§4.1, §4.5.1, A.8.2", ENDS], {
    title: "A session has exactly one terminal event.",
    hint: "Decide once how the session ended.",
    examples: () => both(recording(started(), cancelled()), recording(started(), completed(), errored())),
  }),
  "aaep/completed-after-failure": defineRule(["error", "recording", 1, "§4.1.2", ["agent.session.completed"]], {
    title: "`session.completed` does not follow `session.errored` or `session.cancelled`.",
    hint: "A session that failed stays failed; start a new one to try again.",
    examples: () => both(recording(started(), errored()), recording(started(), errored(), completed())),
  }),
  "aaep/nothing-after-end": defineRule(["error", "recording", 1, "§4.5.1, A.8.3", ENDS], {
    title: "Nothing of a session follows its terminal event.",
    hint: "Emit the terminal event last, when every tool and output is closed.",
    examples: () => both(full(...pair("grep", {})), recording(started(), completed(), invoked("grep"))),
  }),
  "aaep/session-id-reused": defineRule(["error", "recording", 1, "§3.2.4", ["agent.session.started"]], {
    title: "A session id is never used again after its session has ended.",
    hint: "Make a new random session_id for each request.",
    examples: () =>
      both(
        recording(started(), completed(), started({ session_id: "sess_2" }), completed({ session_id: "sess_2" })),
        recording(started(), completed(), started(), completed()),
      ),
  }),
  "aaep/one-request-per-session": defineRule(["error", "live", 1, "§2.2.5", []], {
    title: "One user request is one session.",
    hint: "Close the session when the request is done; open another for the next one.",
    examples: () =>
      told(
        "The user asks for a second thing; the agent completes the session and starts another one with a new id.",
        "The user asks for a second thing; the agent goes on under the same session_id.",
      ),
  }),
  "aaep/invocations-counted": defineRule(["warning", "recording", 1, "§4.1.2", ["agent.session.completed/tool_invocations_count"]], {
    title: "`tool_invocations_count` is the number of tools that the session invoked.",
    hint: "Count each tool.invoked of the session, or leave the field out.",
    needs: ["agent.tool.invoked"],
    examples: () =>
      both(
        recording(started(), ...pair("grep", {}), completed({ tool_invocations_count: 1 })),
        recording(started(), ...pair("grep", {}), completed({ tool_invocations_count: 4 })),
      ),
  }),
  "aaep/duration-honest": defineRule(
    ["warning", "recording", 1, "§4.1.2, §4.3.2", ["agent.session.completed/duration_ms", "agent.tool.completed/duration_ms"]],
    {
      title: "`duration_ms` fits the timestamps of start and end.",
      hint: "Measure in milliseconds, from the event that starts the session or call to the one that ends it.",
      examples: () =>
        both(full(invoked("grep"), done("grep", { duration_ms: 900 })), full(invoked("grep"), done("grep", { duration_ms: 900_000 }))),
    },
  ),
} as const;

type PhaseSignal = "started" | "activity" | "completed" | "failed";
interface Breach {
  readonly breaks: AaepRuleId;
  /** The phase to continue from, so one mistake is reported once. */
  readonly then: AaepPhase;
}
const breaks = (rule: AaepRuleId, then: AaepPhase): Breach => ({ breaks: rule, then });

/** Transitions of the session as a whole (appendix A.1): every pair of phase and signal. */
export const PHASE_STEPS: Record<AaepPhase, Record<PhaseSignal, AaepPhase | Breach>> = {
  unheard: {
    started: "open",
    activity: breaks("aaep/session-starts-first", "open"),
    completed: breaks("aaep/session-starts-first", "completed"),
    failed: breaks("aaep/session-starts-first", "failed"),
  },
  open: { started: breaks("aaep/session-starts-once", "open"), activity: "open", completed: "completed", failed: "failed" },
  completed: {
    started: breaks("aaep/session-id-reused", "open"),
    activity: breaks("aaep/nothing-after-end", "completed"),
    completed: breaks("aaep/session-ends-once", "completed"),
    failed: breaks("aaep/session-ends-once", "completed"),
  },
  failed: {
    started: breaks("aaep/session-id-reused", "open"),
    activity: breaks("aaep/nothing-after-end", "failed"),
    completed: breaks("aaep/completed-after-failure", "failed"),
    failed: breaks("aaep/session-ends-once", "failed"),
  },
};

function phaseSignal(type: AaepSignal["type"]): PhaseSignal {
  if (type === "agent.session.started") return "started";
  if (type === "agent.session.completed") return "completed";
  return isTerminalType(type) ? "failed" : "activity";
}

/** Phases of an ended session as one number, for its tombstone. */
export const ENDED_PHASE_CODES = { completed: 1, failed: 2 } as const;

/** Handles an event after the end of its session. Only `session.started` reopens it. */
export function stepEndedSession(
  phase: keyof typeof ENDED_PHASE_CODES,
  signal: AaepSignal,
): { readonly findings: readonly Finding[]; readonly reopens: boolean } {
  const step = PHASE_STEPS[phase][phaseSignal(signal.type)];
  const findings = typeof step === "object" ? [{ rule: step.breaks, message: describeBreach(step.breaks, signal) }] : NO_FINDINGS;
  return { findings, reopens: signal.type === "agent.session.started" };
}

export interface AaepStep {
  readonly state: AaepSessionState;
  readonly findings: readonly Finding[];
  /** Set if this invocation depends on an answer not recorded so far; the caller with access to the whole stream judges it. */
  readonly unseen: UnseenReply | undefined;
}

// One collector for all steps: a clean event, which is the usual case, allocates nothing.
let collected: Finding[] | undefined;
let unseen: UnseenReply | undefined;
const note: NoteFinding = (rule, message, detail) => {
  collected ??= [];
  collected.push({ rule, message, ...detail });
};

/**
 * Processes one event or reply of a session. The given state is consumed: it is updated in place and returned, because a session may hold
 * thousands of ids and copying them per event would make a long session quadratic. A caller that needs the old state clones it first.
 */
export function stepAaepSession(session: AaepSessionState, signal: AaepSignal): AaepStep {
  collected = undefined;
  unseen = undefined;
  if (signal.type === "confirmation.reply" || signal.type === "clarification.reply") applyReply(session, signal, note);
  else hearEvent(session, signal);
  return { state: session, findings: collected ?? NO_FINDINGS, unseen };
}

/** Reports what is missing if the recording ends before the session does. */
export function closeAaepSession(session: AaepSessionState): readonly Finding[] {
  collected = undefined;
  if (session.phase === "open") {
    note("aaep/session-ends", "The recording ends, and the session has no terminal event.");
    noteRunningTools(session, note, "end");
    noteOpenOutputs(session, note, "end");
  }
  return collected ?? NO_FINDINGS;
}

function hearEvent(session: AaepSessionState, signal: AaepSignal): void {
  session.lastAt = signal.at;
  const step = PHASE_STEPS[session.phase][phaseSignal(signal.type)];
  if (typeof step === "object") {
    note(step.breaks, describeBreach(step.breaks, signal));
    session.phase = step.then;
    if (step.breaks === "aaep/session-starts-once") return;
  } else {
    session.phase = step;
  }
  const agent = agentState(session, signal.agentId);
  noteWorkAfterHandoff(session, signal, note);
  if (session.asks.length > 0) lapseAsks(session, signal);
  checkEventTime({ session, agent, signal }, note);
  checkSequenceNumber({ session, agent, signal }, note);
  hearType(session, agent, signal);
  if (session.asks.length > 0) followUpAsks(session, signal, note);
}

function hearType(session: AaepSessionState, agent: AgentState, signal: AaepSignal): void {
  switch (signal.type) {
    case "agent.state.changed":
      changeState(session, agent, signal, note);
      if (session.asks.length > 0) moveAsks(session, signal);
      return;
    case "agent.tool.invoked":
      unseen = authoriseInvocation(session, signal, note);
      noteStuckState(session, agent);
      invokeTool(session, signal, note);
      if (agent.current !== "calling_tool") note("aaep/tool-state", `A tool is invoked in state ${JSON.stringify(agent.current)}.`);
      implyState(agent, "calling_tool");
      agent.did.tool = true;
      return;
    case "agent.tool.completed":
      completeTool(session, signal, note);
      return;
    case "agent.output.streaming":
      streamOutput(session, signal, note);
      implyState(agent, "writing_output");
      agent.did.output = true;
      return;
    case "agent.awaiting.confirmation":
    case "agent.awaiting.clarification":
      openAsk(session, agent, signal, note);
      implyState(agent, "awaiting_input");
      return;
    case "agent.handoff.requested":
      beginHandoff(session, signal, note);
      implyState(agent, "handing_off");
      return;
    case "agent.session.started":
      if (signal.ms !== undefined) session.startedMs = signal.ms;
      session.invocations = 0;
      return;
    case "agent.progress.updated":
      checkProgress(session, signal, note);
      return;
    case "agent.session.completed":
    case "agent.session.errored":
    case "agent.session.cancelled":
      endSession(session, agent, signal);
      return;
    default:
      return;
  }
}

function endSession(session: AaepSessionState, agent: AgentState, signal: AaepSignal): void {
  noteRunningTools(session, note, "terminal");
  noteOpenOutputs(session, note, "terminal");
  noteHandoffAtEnd(session, signal, note);
  if (signal.type === "agent.session.completed") {
    noteStuckState(session, agent);
    noteTotals(session, signal);
    noteUnfollowedAsks(session, signal, note);
  }
  for (const one of session.agents) {
    if (one.did.tool && !one.announced.tool) note("aaep/state-announced", "Tools were used, and no state change spoke of calling_tool.");
    else if (one.did.output && !one.announced.output)
      note("aaep/state-announced", "Output was written, and no state change spoke of writing_output.");
  }
}

/** Compares the totals that a completed session reports with the events received. */
function noteTotals(session: AaepSessionState, { value, ms }: AaepSignal): void {
  const { tool_invocations_count: said, duration_ms: duration } = value;
  const counted = session.invocations;
  if (typeof said === "number" && counted !== undefined && said !== counted) {
    note("aaep/invocations-counted", `tool_invocations_count is ${said}; ${counted} invocations were heard.`, {
      pointer: "/tool_invocations_count",
    });
  }
  if (typeof duration !== "number" || ms === undefined || session.startedMs === undefined || ms < session.startedMs) return;
  const elapsed = ms - session.startedMs;
  if (Math.abs(duration - elapsed) <= Math.max(CLOCK_TOLERANCE_MS, elapsed / 4)) return;
  note("aaep/duration-honest", `The session is said to have taken ${duration} ms; ${elapsed} ms lie between its start and its end.`, {
    pointer: "/duration_ms",
  });
}

/** Rule A.4: after an answer, the state leaves awaiting_input before any other action. */
function noteStuckState(session: AaepSessionState, agent: AgentState): void {
  if (agent.current !== "awaiting_input" || session.asks.length === 0) return;
  if (session.asks.some((asked) => asked.state === "open") || !session.asks.some((asked) => asked.state !== "withdrawn")) return;
  note("aaep/awaiting-state-after", "The question is settled, and the state is still awaiting_input.");
}

function describeBreach(rule: AaepRuleId, signal: AaepSignal): string {
  const type = signal.type === "extension" ? quoteState(readTextField(signal.value, "type") ?? "An event") : signal.type;
  if (rule === "aaep/session-starts-first") return `The session begins with ${type}.`;
  if (rule === "aaep/session-starts-once") return "The session is started a second time.";
  if (rule === "aaep/session-id-reused") return "A session with this id has ended before.";
  if (rule === "aaep/completed-after-failure") return "The session completes after it was errored or cancelled.";
  if (rule === "aaep/session-ends-once") return `${type} follows another terminal event of this session.`;
  return `${type} follows the terminal event of this session.`;
}
