import { brief } from "../brief.ts";
import { type Finding, NO_FINDINGS } from "../finding.ts";
import { isObject } from "../json.ts";
import { ask, followUpAsks, lapseAsks, moveAsks, noteUnfollowedAsks } from "./asks.ts";
import { authorise, type Unseen } from "./authorise.ts";
import { isTerminalType } from "./names.ts";
import { noteOpenOutputs, streamOutput } from "./outputs.ts";
import { replyTo } from "./replies.ts";
import type { AaepRuleId } from "./rules.ts";
import type { AaepSession, SessionPhase } from "./session-state.ts";
import { type Note, type Signal, text } from "./signal.ts";
import { type AgentState, agentState, changeState, implyState, quote } from "./states.ts";
import { completeTool, invokeTool, noteRunningTools, SLACK_MS } from "./tools.ts";

type PhaseSignal = "started" | "activity" | "completed" | "failed";
interface Breach {
  readonly breaks: AaepRuleId;
  /** Where to go on from, so that one mistake is told once. */
  readonly then: SessionPhase;
}
const breaks = (rule: AaepRuleId, then: SessionPhase): Breach => ({ breaks: rule, then });

/** The session as a whole (appendix A.1): every pair of phase and signal. */
export const PHASE_STEPS: Record<SessionPhase, Record<PhaseSignal, SessionPhase | Breach>> = {
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

function phaseSignal(type: Signal["type"]): PhaseSignal {
  if (type === "agent.session.started") return "started";
  if (type === "agent.session.completed") return "completed";
  return isTerminalType(type) ? "failed" : "activity";
}

/** A session that has ended: kept as a tombstone of one number. */
export const TOMBS = { completed: 1, failed: 2 } as const;

/** What follows the end of a session. Only a start opens it again. */
export function stepTomb(phase: keyof typeof TOMBS, signal: Signal): { readonly findings: readonly Finding[]; readonly reopens: boolean } {
  const step = PHASE_STEPS[phase][phaseSignal(signal.type)];
  const findings = typeof step === "object" ? [{ rule: step.breaks, message: describeBreach(step.breaks, signal) }] : NO_FINDINGS;
  return { findings, reopens: signal.type === "agent.session.started" };
}

export interface Step {
  readonly state: AaepSession;
  readonly findings: readonly Finding[];
  /** The invocation just heard rests on an answer that was not recorded so far: who knows the whole stream judges it. */
  readonly unseen: Unseen | undefined;
}

// One collector for all steps: a clean event, which is nearly every event, then allocates nothing.
let collected: Finding[] | undefined;
let unseen: Unseen | undefined;
const note: Note = (rule, message, detail) => {
  collected ??= [];
  collected.push({ rule, message, ...detail });
};

/**
 * One event or reply of a session. The state passed in is consumed: it is updated in place and returned, because a
 * session may hold thousands of ids and copying them per event would make a long session quadratic. Whoever wants to
 * keep the old one clones it first.
 */
export function stepSession(session: AaepSession, signal: Signal): Step {
  collected = undefined;
  unseen = undefined;
  if (signal.type === "confirmation.reply" || signal.type === "clarification.reply") replyTo(session, signal, note);
  else hearEvent(session, signal);
  return { state: session, findings: collected ?? NO_FINDINGS, unseen };
}

/** The recording is over and the session is not. */
export function closeSession(session: AaepSession): readonly Finding[] {
  collected = undefined;
  if (session.phase === "open") {
    note("aaep/session-ends", "The recording ends, and the session has no terminal event.");
    noteRunningTools(session, note, "end");
    noteOpenOutputs(session, note, "end");
  }
  return collected ?? NO_FINDINGS;
}

function hearEvent(session: AaepSession, signal: Signal): void {
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
  if (session.handoff !== null && WORK.has(signal.type) && session.handoffBy === signal.agentId) {
    note("aaep/handoff-stops-work", `${signal.type} follows the handoff of this agent.`, { since: session.handoff });
  }
  if (session.asks.length > 0) lapseAsks(session, signal);
  checkTime(session, agent, signal);
  checkNumber(session, agent, signal);
  hearType(session, agent, signal);
  if (session.asks.length > 0) followUpAsks(session, signal, note);
}

function hearType(session: AaepSession, agent: AgentState, signal: Signal): void {
  switch (signal.type) {
    case "agent.state.changed":
      changeState(session, agent, signal, note);
      if (session.asks.length > 0) moveAsks(session, signal);
      return;
    case "agent.tool.invoked":
      unseen = authorise(session, signal, note);
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
      ask(session, agent, signal, note);
      implyState(agent, "awaiting_input");
      return;
    case "agent.handoff.requested":
      handOver(session, signal);
      implyState(agent, "handing_off");
      return;
    case "agent.session.started":
      if (signal.ms !== undefined) session.startedMs = signal.ms;
      session.invocations = 0;
      return;
    case "agent.progress.updated":
      checkProgress(session, signal);
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

function endSession(session: AaepSession, agent: AgentState, signal: Signal): void {
  noteRunningTools(session, note, "terminal");
  noteOpenOutputs(session, note, "terminal");
  if (session.handingOffAt !== undefined && session.handoff === null) {
    note("aaep/handoff-emitted", "The state was handing_off, and the session ends without handoff.requested.", {
      since: session.handingOffAt,
    });
  }
  if (signal.type === "agent.session.completed") {
    noteStuckState(session, agent);
    noteTotals(session, signal);
    noteUnfollowedAsks(session, signal, note);
  }
  if (signal.type === "agent.session.errored" && session.handoff !== null) {
    note("aaep/handoff-ends", "A handoff was requested, and the session ends in an error.", { since: session.handoff });
  }
  for (const one of session.agents) {
    if (one.did.tool && !one.announced.tool) note("aaep/state-announced", "Tools were used, and no state change spoke of calling_tool.");
    else if (one.did.output && !one.announced.output)
      note("aaep/state-announced", "Output was written, and no state change spoke of writing_output.");
  }
}

/** What an agent does that has not handed over; a last message to the person is none of it. */
const WORK: ReadonlySet<string> = new Set(["agent.tool.invoked", "agent.awaiting.confirmation", "agent.awaiting.clarification"]);

function handOver(session: AaepSession, signal: Signal): void {
  if (session.handoff !== null && session.handoffBy === signal.agentId) {
    note("aaep/handoff-once", "This agent has handed the session over before.", { since: session.handoff });
  }
  session.handoff = signal.at;
  session.handoffBy = signal.agentId;
  delete session.handingOffAt;
}

/** What a completed session says about itself as a whole. */
function noteTotals(session: AaepSession, { value, ms }: Signal): void {
  const { tool_invocations_count: said, duration_ms: duration } = value;
  const counted = session.invocations;
  if (typeof said === "number" && counted !== undefined && said !== counted) {
    note("aaep/invocations-counted", `tool_invocations_count is ${said}; ${counted} invocations were heard.`, {
      pointer: "/tool_invocations_count",
    });
  }
  if (typeof duration !== "number" || ms === undefined || session.startedMs === undefined || ms < session.startedMs) return;
  const elapsed = ms - session.startedMs;
  if (Math.abs(duration - elapsed) <= Math.max(SLACK_MS, elapsed / 4)) return;
  note("aaep/duration-honest", `The session is said to have taken ${duration} ms; ${elapsed} ms lie between its start and its end.`, {
    pointer: "/duration_ms",
  });
}

/** Rule A.4: an answered question is followed by a state change out of awaiting_input, before anything is done. */
function noteStuckState(session: AaepSession, agent: AgentState): void {
  if (agent.current !== "awaiting_input" || session.asks.length === 0) return;
  if (session.asks.some((asked) => asked.state === "open") || !session.asks.some((asked) => asked.state !== "withdrawn")) return;
  note("aaep/awaiting-state-after", "The question is settled, and the state is still awaiting_input.");
}

function checkTime(session: AaepSession, agent: AgentState, signal: Signal): void {
  const { ms } = signal;
  if (ms === undefined) return;
  if (agent.lastMs !== null && ms < agent.lastMs) {
    note("aaep/timestamps-ordered", `The timestamp is ${count(agent.lastMs - ms)} ms before that of the event heard last.`, {
      pointer: "/timestamp",
    });
  } else if (session.lastMs !== null && ms < session.lastMs) {
    const back = `${count(session.lastMs - ms)} ms before that of an event of another agent heard earlier`;
    note("aaep/timestamps-ordered-across-agents", `The timestamp is ${back}.`, { pointer: "/timestamp" });
  }
  agent.lastMs = Math.max(ms, agent.lastMs ?? ms);
  session.lastMs = Math.max(ms, session.lastMs ?? ms);
}

function count(number: number): string {
  return number.toLocaleString("en", { maximumFractionDigits: 3 });
}

function checkNumber(session: AaepSession, agent: AgentState, signal: Signal): void {
  const number = signal.value["sequence_number"];
  const numbered = typeof number === "number";
  if (session.numbered === null) session.numbered = numbered;
  else if (session.numbered !== numbered) {
    const found = numbered
      ? "has a sequence_number, and earlier events of the session have none"
      : "has no sequence_number, and earlier events of the session have one";
    note("aaep/sequence-number-all-or-none", `This event ${found}.`, { pointer: "/sequence_number" });
    session.numbered = numbered;
    if (numbered) session.nextNumber = number + 1;
    return;
  }
  if (!numbered) return;
  // Several agents of one session may share a counter or keep one each.
  const own = agent.nextNumber > 0 || session.agents.length > 1 ? agent.nextNumber : session.nextNumber;
  if (number !== session.nextNumber && number !== own) {
    note("aaep/sequence-number-contiguous", `sequence_number is ${number}; ${session.nextNumber} comes next.`, {
      pointer: "/sequence_number",
    });
  }
  session.nextNumber = number + 1;
  agent.nextNumber = number + 1;
}

function checkProgress(session: AaepSession, signal: Signal): void {
  const reported = signal.value["progress"];
  const { percent, step, description, total_steps: total } = isObject(reported) ? reported : {};
  // Two pieces of work are told apart by what is said about them.
  const about = brief(`${signal.agentId} ${total} ${String(description).replace(/\d+/g, "")}`);
  if (typeof step === "number") {
    const { step: former = 0, steps } = session.progress;
    if (steps === about && step < former && former !== total) {
      note("aaep/progress-rises", `Progress falls from step ${former} to step ${step}.`, { pointer: "/progress/step" });
    }
    session.progress.steps = about;
    session.progress.step = step;
  }
  if (typeof percent !== "number") return;
  const last = session.progress.percent;
  if (session.progress.about === about && percent < last && last < 100) {
    note("aaep/progress-rises", `Progress falls from ${last} to ${percent} percent.`, { pointer: "/progress/percent" });
  }
  session.progress.about = about;
  session.progress.close = percent - session.progress.percent < 5 && percent < 100 ? session.progress.close + 1 : 0;
  session.progress.percent = percent;
  if (session.progress.close >= 5)
    note("aaep/progress-thin", "Five updates in a row are less than 5 percent apart.", { pointer: "/progress/percent" });
}

function describeBreach(rule: AaepRuleId, signal: Signal): string {
  const type = signal.type === "extension" ? quote(text(signal.value, "type") ?? "An event") : signal.type;
  if (rule === "aaep/session-starts-first") return `The session begins with ${type}.`;
  if (rule === "aaep/session-starts-once") return "The session is started a second time.";
  if (rule === "aaep/session-id-reused") return "A session with this id has ended before.";
  if (rule === "aaep/completed-after-failure") return "The session completes after it was errored or cancelled.";
  if (rule === "aaep/session-ends-once") return `${type} follows another terminal event of this session.`;
  return `${type} follows the terminal event of this session.`;
}
