import { recall, remember } from "../remembered.ts";
import { type AaepSession, LIMITS } from "./session-state.ts";
import { type Note, type Signal, text } from "./signal.ts";
import { quote } from "./states.ts";

export interface OpenTool {
  readonly tool: string;
  readonly agentId: string;
  at: number;
  /** How many invocations this stands for; more than one only without ids. */
  open: number;
  /** Another tool was open at the same time. */
  concurrent: boolean;
  readonly withId: boolean;
}

type CallState = "unheard" | "running" | "finished";
type CallSignal = "invoked" | "completed";

/** A call has an id or, without one, the tool's name; every pair of state and signal is decided here. */
export const CALL_STEPS: Record<CallState, Record<CallSignal, CallState | { readonly breaks: CallBreach }>> = {
  unheard: { invoked: "running", completed: { breaks: "aaep/tool-completed-needs-invoked" } },
  running: { invoked: { breaks: "aaep/tool-call-id-unique" }, completed: "finished" },
  finished: { invoked: { breaks: "aaep/tool-call-id-unique" }, completed: { breaks: "aaep/tool-completes-once" } },
};
type CallBreach = "aaep/tool-completed-needs-invoked" | "aaep/tool-call-id-unique" | "aaep/tool-completes-once";

const FINISHED = 1;

export function invokeTool(session: AaepSession, signal: Signal, note: Note): void {
  const tool = text(signal.value, "tool") ?? "?";
  const id = text(signal.value, "tool_call_id");
  const concurrent = session.toolCount > 0;
  if (id !== undefined) {
    const step = CALL_STEPS[callState(session, id)].invoked;
    if (typeof step === "object") {
      note(step.breaks, `The tool_call_id ${quote(id)} was used before in this session.`, { pointer: "/tool_call_id" });
      if (session.tools[`:${id}`] !== undefined) return;
    }
  } else if (concurrent) {
    note("aaep/tool-call-id-advised", `${quote(tool)} starts while another tool runs, and has no tool_call_id.`);
  }
  if (session.toolCount >= LIMITS.tools) {
    session.overflowed = true;
    return;
  }
  if (concurrent) for (const key in session.tools) (session.tools[key] as OpenTool).concurrent = true;
  const key = id === undefined ? `=${tool}` : `:${id}`;
  const same = session.tools[key];
  session.toolCount++;
  if (same !== undefined && id === undefined) {
    same.open++;
    return;
  }
  session.tools[key] = { tool, agentId: signal.agentId, at: signal.at, open: 1, concurrent, withId: id !== undefined };
}

export function completeTool(session: AaepSession, signal: Signal, note: Note): void {
  const tool = text(signal.value, "tool") ?? "?";
  const id = text(signal.value, "tool_call_id");
  if (id === undefined) {
    completeByName(session, tool, note);
    return;
  }
  const running = session.tools[`:${id}`];
  const step = CALL_STEPS[callState(session, id)].completed;
  if (typeof step === "object") {
    if (session.overflowed && step.breaks === "aaep/tool-completed-needs-invoked") return;
    const found = step.breaks === "aaep/tool-completes-once" ? "has completed already" : "was never invoked in this session";
    note(step.breaks, `The call ${quote(id)} of ${quote(tool)} ${found}.`, { pointer: "/tool_call_id" });
    remember(session.calls, id, FINISHED, LIMITS.calls);
    return;
  }
  if (running === undefined) return;
  if (running.tool !== tool && typeof signal.value["tool"] === "string") {
    note("aaep/tool-name-matches", `The call ${quote(id)} was invoked as ${quote(running.tool)} and completes as ${quote(tool)}.`, {
      pointer: "/tool",
      since: running.at,
    });
  }
  finish(session, `:${id}`, running);
  remember(session.calls, id, FINISHED, LIMITS.calls);
}

/** Tools still running: told at the end of the session, each with the place of its invocation. */
export function noteRunningTools(session: AaepSession, note: Note, at: "end" | "terminal"): void {
  let told = 0;
  for (const key in session.tools) {
    const tool = session.tools[key];
    if (tool === undefined || told++ >= 20) continue;
    const when = at === "terminal" ? "The session ends" : "The recording ends";
    note("aaep/tool-completes", `${when} while ${quote(tool.tool)}${tool.withId ? ` (${key.slice(1)})` : ""} has not completed.`, {
      since: tool.at,
    });
  }
}

function completeByName(session: AaepSession, tool: string, note: Note): void {
  const key = `=${tool}`;
  const unnamed = session.tools[key];
  if (unnamed !== undefined) {
    finish(session, key, unnamed);
    return;
  }
  // The invocation carried an id and its completion does not repeat it: the pair is found by name, and told.
  for (const candidate in session.tools) {
    const running = session.tools[candidate];
    if (running?.tool !== tool) continue;
    note(
      "aaep/tool-completed-needs-invoked",
      `${quote(tool)} was invoked with ${candidate.slice(1)}, and completes without a tool_call_id.`,
      {
        pointer: "/tool_call_id",
        since: running.at,
      },
    );
    finish(session, candidate, running);
    remember(session.calls, candidate.slice(1), FINISHED, LIMITS.calls);
    return;
  }
  if (session.overflowed) return;
  note(
    "aaep/tool-completed-needs-invoked",
    `${quote(tool)} completes, but was not invoked before in this session, or has completed already.`,
  );
}

function finish(session: AaepSession, key: string, running: OpenTool): void {
  session.toolCount--;
  running.open--;
  if (running.open <= 0) delete session.tools[key];
}

function callState(session: AaepSession, id: string): CallState {
  if (session.tools[`:${id}`] !== undefined) return "running";
  return recall(session.calls, id) === undefined ? "unheard" : "finished";
}
