import { recordKeyOf } from "../brief.ts";
import type { JsonObject } from "../json.ts";
import { keepEntry, recallEntry } from "../recent.ts";
import { defineRule } from "../rule.ts";
import { quoteJsonValue } from "../schema.ts";
import { both, done, full, invoked, pair, state, thinking, told } from "./example-events.ts";
import { addNote as readNote } from "./notes.ts";
import { AAEP_SESSION_LIMITS, type AaepSessionState } from "./session-state.ts";
import { type AaepSignal, type NoteFinding, readTextField } from "./signal.ts";
import { quoteState } from "./states.ts";

const INVOKED = ["agent.tool.invoked"];
const COMPLETED = ["agent.tool.completed"];

export const TOOLS_RULES = {
  "aaep/tool-invoked-payload": defineRule(["error", "event", 1, "§4.3.1", ["agent.tool.invoked"]], {
    title: "`tool.invoked` names the tool and says in `summary_normal` what it is about to do.",
    hint: "A tool name begins with a letter or underscore; a tool_call_id is `call_` and letters or digits.",
    examples: () => both(full(...pair("grep", {})), full(...pair("grep", { summary_normal: undefined }))),
  }),
  "aaep/tool-completed-payload": defineRule(["error", "event", 1, "§4.3.2", ["agent.tool.completed"]], {
    title: "`tool.completed` names the tool and its status.",
    hint: "Status is success, error or timeout.",
    examples: () => both(full(...pair("grep", {})), full(invoked("grep"), done("grep", { status: "ok" }))),
  }),
  "aaep/error-message-advised": defineRule(["warning", "event", 1, "§4.3.2", ["agent.tool.completed"]], {
    title: "A tool that failed or timed out says why in `error_message`.",
    hint: "Add a short error_message.",
    examples: () =>
      both(
        full(invoked("grep"), done("grep", { status: "error", error_message: "No such file." })),
        full(invoked("grep"), done("grep", { status: "error" })),
      ),
  }),
  "aaep/tool-before-effect": defineRule(["error", "live", 1, "§4.3.1, §9.3.1", []], {
    title: "`tool.invoked` is emitted before the tool takes effect.",
    hint: "Emit, await the write, then call the tool.",
    examples: () => told("The event is written, then the file is deleted.", "The file is deleted, then the event is written."),
  }),
  "aaep/tool-call-id-unique": defineRule(["error", "recording", 1, "§4.3.1", ["agent.tool.invoked/tool_call_id"]], {
    title: "A `tool_call_id` is used for one invocation of the session.",
    hint: "Make a new id per call, also for a retry.",
    examples: () =>
      both(
        full(
          ...pair("grep", { tool_call_id: "call_1" }, { tool_call_id: "call_1" }),
          ...pair("grep", { tool_call_id: "call_2" }, { tool_call_id: "call_2" }),
        ),
        full(
          ...pair("grep", { tool_call_id: "call_1" }, { tool_call_id: "call_1" }),
          ...pair("grep", { tool_call_id: "call_1" }, { tool_call_id: "call_1" }),
        ),
      ),
  }),
  "aaep/tool-completed-needs-invoked": defineRule(["error", "recording", 1, "§4.5.2, A.3, A.8.1", COMPLETED], {
    title: "`tool.completed` follows the `tool.invoked` with the same `tool_call_id`, or, without ids, with the same tool.",
    hint: "Emit tool.invoked before the call, and repeat its tool_call_id.",
    needs: ["agent.tool.invoked"],
    examples: () => both(full(...pair("grep", {})), full(done("grep"))),
  }),
  "aaep/tool-name-matches": defineRule(["error", "recording", 1, "§4.3.2", ["agent.tool.completed/tool_call_id"]], {
    title: "`tool.completed` names the tool that was invoked.",
    hint: "Repeat the name of the invocation, with the same id.",
    examples: () =>
      both(
        full(...pair("grep", { tool_call_id: "call_1" }, { tool_call_id: "call_1" })),
        full(invoked("grep", { tool_call_id: "call_1" }), done("find", { tool_call_id: "call_1" })),
      ),
  }),
  "aaep/tool-completes-once": defineRule(["error", "recording", 1, "§4.3.2, A.3", COMPLETED], {
    title: "An invocation completes exactly once.",
    hint: "Emit one tool.completed per call; a retry is a new invocation.",
    examples: () =>
      both(
        full(...pair("grep", { tool_call_id: "call_1" }, { tool_call_id: "call_1" })),
        full(...pair("grep", { tool_call_id: "call_1" }, { tool_call_id: "call_1" }), done("grep", { tool_call_id: "call_1" })),
      ),
  }),
  "aaep/tool-completes": defineRule(["error", "recording", 1, "§4.3.2, §9.3.1, A.3", INVOKED], {
    title: "Every `tool.invoked` gets its `tool.completed` before the session ends.",
    hint: 'When a tool is abandoned, emit tool.completed with "status":"timeout".',
    needs: ["agent.tool.completed"],
    examples: () => both(full(...pair("grep", {})), full(invoked("grep"))),
  }),
  "aaep/tool-completed-before-state": defineRule(["error", "recording", 1, "§4.3.2", COMPLETED], {
    title: "`tool.completed` comes before the `state.changed` that leaves `calling_tool`.",
    hint: "Emit tool.completed first, then the state that follows it.",
    needs: ["agent.tool.completed"],
    examples: () =>
      both(
        full(thinking, state("thinking", "calling_tool"), invoked("grep"), done("grep"), state("calling_tool", "thinking")),
        full(thinking, state("thinking", "calling_tool"), invoked("grep"), state("calling_tool", "thinking"), done("grep")),
      ),
  }),
  "aaep/tool-call-id-advised": defineRule(["warning", "recording", 1, "§4.5.2", INVOKED], {
    title: "Tools that run at the same time are told apart by `tool_call_id`.",
    hint: "Add a tool_call_id to tool.invoked and tool.completed.",
    oncePerSession: true,
    examples: () =>
      both(
        full(
          invoked("grep", { tool_call_id: "call_1" }),
          invoked("find", { tool_call_id: "call_2" }),
          done("grep", { tool_call_id: "call_1" }),
          done("find", { tool_call_id: "call_2" }),
        ),
        full(invoked("grep"), invoked("find"), done("grep"), done("find")),
      ),
  }),
} as const;

export interface OpenTool {
  readonly tool: string;
  /** Null if the invocation carries no id: the tool name then identifies the call. */
  readonly id: string | null;
  readonly agentId: string;
  readonly at: number;
  readonly ms?: number;
  /** Whether another tool of the same agent was open at the same time. */
  concurrent: boolean;
}

type CallState = "unheard" | "running" | "finished";
type CallSignal = "invoked" | "completed";

/** Transitions of a call, identified by its id or, without one, by the tool name: every pair of state and signal. */
export const AAEP_CALL_STEPS: Record<CallState, Record<CallSignal, CallState | { readonly breaks: CallBreach }>> = {
  unheard: { invoked: "running", completed: { breaks: "aaep/tool-completed-needs-invoked" } },
  running: { invoked: { breaks: "aaep/tool-call-id-unique" }, completed: "finished" },
  finished: { invoked: { breaks: "aaep/tool-call-id-unique" }, completed: { breaks: "aaep/tool-completes-once" } },
};
type CallBreach = "aaep/tool-completed-needs-invoked" | "aaep/tool-call-id-unique" | "aaep/tool-completes-once";

const FINISHED = 1;

export function invokeTool(session: AaepSessionState, signal: AaepSignal, note: NoteFinding): void {
  const tool = readTextField(signal.value, "tool") ?? "?";
  const id = readTextField(signal.value, "tool_call_id") ?? null;
  const concurrent = session.tools.length > 0;
  if (session.invocations !== undefined) session.invocations++;
  if (id !== null) {
    const step = AAEP_CALL_STEPS[callState(session, id)].invoked;
    if (typeof step === "object") {
      note(step.breaks, `The tool_call_id ${quoteState(id)} was used before in this session.`, { pointer: "/tool_call_id" });
      if (findRunning(session, id) >= 0) return;
    }
  } else if (concurrent) {
    note("aaep/tool-call-id-advised", `${quoteState(tool)} starts while another tool runs, and has no tool_call_id.`);
  }
  if (session.tools.length >= AAEP_SESSION_LIMITS.tools) {
    session.toolsForgotten = true;
    return;
  }
  const beside = session.tools.filter((other) => other.agentId === signal.agentId);
  for (const other of beside) other.concurrent = true;
  const began = signal.ms === undefined ? {} : { ms: signal.ms };
  session.tools.push({ tool, id, agentId: signal.agentId, at: signal.at, ...began, concurrent: beside.length > 0 });
}

export function completeTool(session: AaepSessionState, signal: AaepSignal, note: NoteFinding): void {
  const tool = readTextField(signal.value, "tool") ?? "?";
  const id = readTextField(signal.value, "tool_call_id");
  if (id === undefined) {
    noteLongCall(completeByName(session, tool, note), signal, note);
    return;
  }
  const step = AAEP_CALL_STEPS[callState(session, id)].completed;
  if (typeof step === "object") {
    if (session.toolsForgotten && step.breaks === "aaep/tool-completed-needs-invoked") return;
    const found = step.breaks === "aaep/tool-completes-once" ? "has completed already" : "was never invoked in this session";
    note(step.breaks, `The call ${quoteState(id)} of ${quoteState(tool)} ${found}.`, { pointer: "/tool_call_id" });
    keepEntry(session.calls, recordKeyOf(id), FINISHED, AAEP_SESSION_LIMITS.calls);
    return;
  }
  const running = finish(session, findRunning(session, id));
  noteLongCall(running, signal, note);
  if (running !== undefined && running.tool !== tool && typeof signal.value["tool"] === "string") {
    note(
      "aaep/tool-name-matches",
      `The call ${quoteState(id)} was invoked as ${quoteState(running.tool)} and completes as ${quoteState(tool)}.`,
      {
        pointer: "/tool",
        since: running.at,
      },
    );
  }
}

/** Reports tools still running at the end of the session, each with the position of its invocation. */
export function noteRunningTools(session: AaepSessionState, note: NoteFinding, at: "end" | "terminal"): void {
  const when = at === "terminal" ? "The session ends" : "The recording ends";
  for (const { tool, id, at: since } of session.tools.slice(0, MAX_TOLD)) {
    note("aaep/tool-completes", `${when} while ${quoteState(tool)}${id === null ? "" : ` (${id})`} has not completed.`, { since });
  }
}

const MAX_TOLD = 20;

/** Drops the oldest running calls while there are more than `capacity`. */
export function forgetRunning(session: AaepSessionState, capacity: number): void {
  const excess = session.tools.length - capacity;
  if (excess <= 0) return;
  session.tools.splice(0, excess);
  session.toolsForgotten = true;
}

/** Reports a call with a duration longer than the time between its events. A shorter one is valid, because the call may have waited. */
function noteLongCall(call: OpenTool | undefined, signal: AaepSignal, note: NoteFinding): void {
  const duration = signal.value["duration_ms"];
  if (typeof duration !== "number" || signal.ms === undefined || call?.ms === undefined) return;
  const elapsed = signal.ms - call.ms;
  if (elapsed < 0 || duration <= elapsed + Math.max(CLOCK_TOLERANCE_MS, elapsed / 4)) return;
  const message = `${quoteState(call.tool)} is said to have taken ${duration} ms; ${elapsed} ms lie between its invocation and its end.`;
  note("aaep/duration-honest", message, { pointer: "/duration_ms", since: call.at });
}

/** Tolerance for the clocks of different threads and for times rounded to seconds. */
export const CLOCK_TOLERANCE_MS = 2000;

function completeByName(session: AaepSessionState, tool: string, note: NoteFinding): OpenTool | undefined {
  const unnamed = session.tools.findIndex((running) => running.id === null && running.tool === tool);
  if (unnamed >= 0) return finish(session, unnamed);
  // The invocation carried an id and the completion omits it: the pair is matched by name and reported.
  const running = finish(
    session,
    session.tools.findIndex((one) => one.tool === tool),
  );
  if (running !== undefined) {
    note("aaep/tool-completed-needs-invoked", `${quoteState(tool)} was invoked with ${running.id}, and completes without a tool_call_id.`, {
      pointer: "/tool_call_id",
      since: running.at,
    });
  } else if (!session.toolsForgotten) {
    note(
      "aaep/tool-completed-needs-invoked",
      `${quoteState(tool)} completes, but was not invoked before in this session, or has completed already.`,
    );
  }
  return running;
}

/** Removes the call from the running tools and remembers its id. */
function finish(session: AaepSessionState, index: number): OpenTool | undefined {
  if (index < 0) return undefined;
  const [running] = session.tools.splice(index, 1);
  if (running !== undefined && running.id !== null) keepEntry(session.calls, recordKeyOf(running.id), FINISHED, AAEP_SESSION_LIMITS.calls);
  return running;
}

function findRunning(session: AaepSessionState, id: string): number {
  return session.tools.findIndex((running) => running.id === id);
}

function callState(session: AaepSessionState, id: string): CallState {
  if (findRunning(session, id) >= 0) return "running";
  return recallEntry(session.calls, recordKeyOf(id)) === undefined ? "unheard" : "finished";
}

export function adviseErrorMessage({ status, error_message: message }: JsonObject): void {
  if ((status === "error" || status === "timeout") && message === undefined) {
    readNote("aaep/error-message-advised", `The status is ${quoteJsonValue(status)}, and nothing says why.`, "/error_message");
  }
}
