import { defineRule } from "../rule.ts";
import { clipText } from "../schema.ts";
import { both, full, inside, pair, state, thinking } from "./example-events.ts";
import type { AaepSessionState } from "./session-state.ts";
import { AAEP_SESSION_LIMITS } from "./session-state.ts";
import { type AaepSignal, type NoteFinding, readTextField } from "./signal.ts";

const INVOKED = ["agent.tool.invoked"];

export const STATES_RULES = {
  "aaep/state-changed-payload": defineRule(["error", "event", 1, "§4.2.1", ["agent.state.changed"]], {
    title: "`state.changed` has `from_state` and `to_state`.",
    hint: "Both are names of 1 to 64 characters.",
    examples: () => inside(thinking, state("idle", "thinking", { to_state: "" })),
  }),
  "aaep/state-starts-idle": defineRule(["error", "recording", 1, "§4.2.1", ["agent.state.changed"]], {
    title: "The first `state.changed` of an agent leaves `idle`.",
    hint: 'Start with "from_state":"idle".',
    needs: ["agent.state.changed"],
    examples: () => inside(thinking, state("thinking", "deciding")),
  }),
  "aaep/state-chain": defineRule(["error", "recording", 1, "§4.2.1", ["agent.state.changed"]], {
    title: "`from_state` is the state last entered, or one that a tool, an output or a question since then implies.",
    hint: "Keep the current state in one variable and send it as from_state.",
    needs: ["agent.state.changed"],
    examples: () => both(full(thinking, state("thinking", "deciding")), full(thinking, state("deciding", "thinking"))),
  }),
  "aaep/state-announced": defineRule(["warning", "recording", 1, "§9.3.1", ["agent.tool.invoked", "agent.output.streaming"]], {
    title: "An agent that uses tools or writes output announces those states.",
    hint: "Emit state.changed into calling_tool and writing_output.",
    oncePerSession: true,
    needs: ["agent.state.changed"],
    examples: () => both(full(thinking, state("thinking", "calling_tool"), ...pair("grep", {})), full(thinking, ...pair("grep", {}))),
  }),
  "aaep/tool-state": defineRule(["info", "recording", 1, "A.3", INVOKED], {
    title: "While a tool runs, the state should be `calling_tool`.",
    hint: "Announce state.changed into calling_tool around the call.",
    oncePerSession: true,
    needs: ["agent.state.changed"],
    examples: () =>
      both(
        full(thinking, state("thinking", "calling_tool"), ...pair("grep", {})),
        full(thinking, ...pair("grep", {}), state("thinking", "calling_tool")),
      ),
  }),
} as const;

/** Lifecycle state of one agent of a session. */
export interface AgentState {
  readonly id: string;
  /** True for an agent beyond the limit: its state is not tracked. */
  readonly unknown: boolean;
  current: string;
  /** States made plausible by events since the last `state.changed`; see `implyState`. */
  implied: string[];
  /** Whether this agent has sent `state.changed`. */
  changed: boolean;
  /** The next sequence number, for sessions whose agents number their own events. */
  nextNumber: number;
  lastMs: number | null;
  /** Kinds of activity that occurred (tool, output) and that were announced, for the rule that requires both. */
  did: { tool: boolean; output: boolean };
  announced: { tool: boolean; output: boolean };
}

export function agentState(session: AaepSessionState, agentId: string): AgentState {
  for (const known of session.agents) if (known.id === agentId) return known;
  const unknown = session.agents.length >= AAEP_SESSION_LIMITS.agents;
  const state: AgentState = {
    id: agentId,
    unknown,
    current: "idle",
    implied: [],
    changed: false,
    nextNumber: 0,
    lastMs: null,
    did: { tool: false, output: false },
    announced: { tool: false, output: false },
  };
  if (!unknown) session.agents.push(state);
  return state;
}

const NO_STATES: string[] = [];

/** Adds a state implied by activity: the specification's own example session leaves `calling_tool` without having entered it. */
export function implyState(agent: AgentState, state: string): void {
  if (agent.current === state || agent.implied.includes(state)) return;
  agent.implied = [...agent.implied, state];
}

export function changeState(session: AaepSessionState, agent: AgentState, signal: AaepSignal, note: NoteFinding): void {
  const from = readTextField(signal.value, "from_state");
  const to = readTextField(signal.value, "to_state");
  if (from !== undefined && !agent.unknown) {
    if (!agent.changed) {
      if (from !== "idle")
        note("aaep/state-starts-idle", `The first state change leaves ${quoteState(from)}, not "idle".`, { pointer: "/from_state" });
    } else if (from !== agent.current && !agent.implied.includes(from)) {
      const expected = [agent.current, ...agent.implied].map(quoteState).join(" or ");
      note("aaep/state-chain", `The change leaves ${quoteState(from)}, but the state is ${expected}.`, { pointer: "/from_state" });
    }
    if (from === "calling_tool" && to !== undefined && !DURING_TOOL.has(to)) noteOpenTool(session, signal, note);
  }
  for (const state of [from, to]) {
    if (state === "calling_tool") agent.announced.tool = true;
    if (state === "writing_output") agent.announced.output = true;
  }
  if (to === "handing_off" && session.handoff === null) session.handingOffAt ??= signal.at;
  agent.changed = true;
  if (to !== undefined) agent.current = to;
  agent.implied = NO_STATES;
}

/** States that a running call may enter, to ask for input or to hand over; any other state means the tool has ended. */
const DURING_TOOL = new Set(["calling_tool", "awaiting_input", "handing_off"]);

function noteOpenTool(session: AaepSessionState, signal: AaepSignal, note: NoteFinding): void {
  const [tool, ...more] = session.tools.filter((one) => one.agentId === signal.agentId);
  if (tool !== undefined && more.length === 0 && !tool.concurrent) {
    note("aaep/tool-completed-before-state", `The state leaves calling_tool while ${quoteState(tool.tool)} has not completed.`, {
      pointer: "/to_state",
      since: tool.at,
    });
  }
}

export function quoteState(value: string): string {
  return JSON.stringify(clipText(value, 60));
}
