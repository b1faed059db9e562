import { createRecent, type Recent } from "../recent.ts";
import type { ToldOnce } from "../teller.ts";
import type { Ask } from "./asks.ts";
import type { Output } from "./outputs.ts";
import type { AgentState } from "./states.ts";
import type { OpenTool } from "./tools.ts";

/** `failed` is errored or cancelled: what came after matters, so the two kinds of end are kept apart. */
export type SessionPhase = "unheard" | "open" | "completed" | "failed";

/**
 * Everything the lifecycle remembers of a session: a plain value that can be written to disk and read back after any
 * event, and bounded: each table has a limit.
 */
export interface AaepSession {
  phase: SessionPhase;
  /** Where its last event stands. */
  lastAt: number;
  lastMs: number | null;
  /** null until the first event; then whether events are numbered, and the next number. */
  numbered: boolean | null;
  nextNumber: number;
  agents: AgentState[];
  /** Tools that run: few at a time, so that a list is faster than a table. */
  tools: OpenTool[];
  calls: Recent<number>;
  outputs: Record<string, Output>;
  outputCount: number;
  finishedOutputs: Recent<number>;
  asks: Ask[];
  handoff: number | null;
  /** Members that a state stored by an earlier release lacks are left out: nothing is claimed that rests on them. */
  handoffBy?: string;
  /** Where the state became handing_off, while no handoff was requested. */
  handingOffAt?: number;
  /** When the session started; left out when its start was not heard. */
  startedMs?: number;
  /** Tools invoked since the session started. */
  invocations?: number;
  progress: { percent: number; close: number; about?: string; step?: number; steps?: string };
  /** Set when a table was full, each for its own table: from then on nothing is claimed that may only be forgotten. */
  toolsForgotten: boolean;
  outputsForgotten: boolean;
  asksForgotten: boolean;
  told: ToldOnce;
}

export const LIMITS = { agents: 64, tools: 1024, calls: 4096, outputs: 256, finishedOutputs: 4096, asks: 128 } as const;

export function openSession(): AaepSession {
  return {
    phase: "unheard",
    lastAt: 0,
    lastMs: null,
    numbered: null,
    nextNumber: 0,
    agents: [],
    tools: [],
    calls: createRecent(),
    outputs: {},
    outputCount: 0,
    finishedOutputs: createRecent(),
    asks: [],
    handoff: null,
    progress: { percent: -100, close: 0 },
    toolsForgotten: false,
    outputsForgotten: false,
    asksForgotten: false,
    told: {},
  };
}
