import { clip } from "../schema.ts";
import type { AaepSession } from "./session-state.ts";
import { LIMITS } from "./session-state.ts";
import { type Note, type Signal, text } from "./signal.ts";

/** Where one agent of a session stands. */
export interface AgentState {
  readonly id: string;
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
  const state: AgentState = {
    id: agentId,
    current: "idle",
    implied: [],
    changed: false,
    nextNumber: 0,
    lastMs: null,
    did: { tool: false, output: false },
    announced: { tool: false, output: false },
  };
  if (session.agents.length >= LIMITS.agents) session.overflowed = true;
  else session.agents.push(state);
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
  if (from !== undefined) {
    if (!agent.changed) {
      if (from !== "idle")
        note("aaep/state-starts-idle", `The first state change leaves ${quote(from)}, not "idle".`, { pointer: "/from_state" });
    } else if (from !== agent.current && !agent.implied.includes(from)) {
      const expected = [agent.current, ...agent.implied].map(quote).join(" or ");
      note("aaep/state-chain", `The change leaves ${quote(from)}, but the state is ${expected}.`, { pointer: "/from_state" });
    }
    if (from === "calling_tool" && to !== undefined && POST_TOOL.has(to) && session.tools.length === 1) noteOpenTool(session, signal, note);
  }
  for (const state of [from, to]) {
    if (state === "calling_tool") agent.announced.tool = true;
    if (state === "writing_output") agent.announced.output = true;
  }
  agent.changed = true;
  if (to !== undefined) agent.current = to;
  agent.implied = NO_STATES;
}

/** Entering one of these says that the tool is over. Waiting for input may happen in the middle of a call. */
const POST_TOOL = new Set(["thinking", "deciding", "writing_output", "idle"]);

function noteOpenTool(session: AaepSession, signal: Signal, note: Note): void {
  for (const tool of session.tools) {
    if (tool.agentId !== signal.agentId || tool.concurrent) continue;
    note("aaep/tool-completed-before-state", `The state leaves calling_tool while ${quote(tool.tool)} has not completed.`, {
      pointer: "/to_state",
      since: tool.at,
    });
  }
}

export function quote(value: string): string {
  return JSON.stringify(clip(value, 60));
}
