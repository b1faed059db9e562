import { clip } from "../schema.ts";
import type { AaepSession } from "./session-state.ts";
import { LIMITS } from "./session-state.ts";
import { type Note, type Signal, text } from "./signal.ts";

/** Where one agent of a session stands. */
export interface AgentState {
  readonly id: string;
  /** One of too many agents to remember: nothing is known of its state. */
  readonly unknown: boolean;
  current: string;
  /** States that events since the last `state.changed` make plausible; see `implyState`. */
  implied: string[];
  /** Whether `state.changed` has been heard from this agent. */
  changed: boolean;
  /** The next sequence number, for sessions in which several agents number their own events. */
  nextNumber: number;
  lastMs: number | null;
  /** What was done (tool, output) and announced, for the rule that asks for both. */
  did: { tool: boolean; output: boolean };
  announced: { tool: boolean; output: boolean };
}

export function agentState(session: AaepSession, agentId: string): AgentState {
  for (const known of session.agents) if (known.id === agentId) return known;
  const unknown = session.agents.length >= LIMITS.agents;
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

/** The specification's own example session leaves `calling_tool` without having entered it: activity implies a state. */
export function implyState(agent: AgentState, state: string): void {
  if (agent.current === state || agent.implied.includes(state)) return;
  agent.implied = [...agent.implied, state];
}

export function changeState(session: AaepSession, agent: AgentState, signal: Signal, note: Note): void {
  const from = text(signal.value, "from_state");
  const to = text(signal.value, "to_state");
  if (from !== undefined && !agent.unknown) {
    if (!agent.changed) {
      if (from !== "idle")
        note("aaep/state-starts-idle", `The first state change leaves ${quote(from)}, not "idle".`, { pointer: "/from_state" });
    } else if (from !== agent.current && !agent.implied.includes(from)) {
      const expected = [agent.current, ...agent.implied].map(quote).join(" or ");
      note("aaep/state-chain", `The change leaves ${quote(from)}, but the state is ${expected}.`, { pointer: "/from_state" });
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

/** A call may ask for input or hand over while it runs; any other state says that the tool is over. */
const DURING_TOOL = new Set(["calling_tool", "awaiting_input", "handing_off"]);

function noteOpenTool(session: AaepSession, signal: Signal, note: Note): void {
  const [tool, ...more] = session.tools.filter((one) => one.agentId === signal.agentId);
  if (tool !== undefined && more.length === 0 && !tool.concurrent) {
    note("aaep/tool-completed-before-state", `The state leaves calling_tool while ${quote(tool.tool)} has not completed.`, {
      pointer: "/to_state",
      since: tool.at,
    });
  }
}

export function quote(value: string): string {
  return JSON.stringify(clip(value, 60));
}
