import { createRecent, type RecentEntries } from "../recent.ts";
import type { ToldOnce } from "../told-once.ts";
import type { OpenAsk } from "./asks.ts";
import type { OutputProgress } from "./outputs.ts";
import type { AgentState } from "./states.ts";
import type { OpenTool } from "./tools.ts";

/** `failed` is errored or cancelled. It is kept apart from `completed`, because the rules for later events differ. */
export type AaepPhase = "unheard" | "open" | "completed" | "failed";

/** The complete lifecycle state of a session: a plain value that can be stored and restored after any event. Every table has a limit. */
export interface AaepSessionState {
  phase: AaepPhase;
  /** Position of the last event. */
  lastAt: number;
  lastMs: number | null;
  /** Null until the first event; then whether events are numbered, and the next number. */
  numbered: boolean | null;
  nextNumber: number;
  agents: AgentState[];
  /** Running tools: only a few at a time, so a list is faster than a map. */
  tools: OpenTool[];
  calls: RecentEntries<number>;
  outputs: Record<string, OutputProgress>;
  outputCount: number;
  finishedOutputs: RecentEntries<number>;
  asks: OpenAsk[];
  handoff: number | null;
  /** Optional members may be missing from state stored by an earlier release; no finding relies on a missing one. */
  handoffBy?: string;
  /** Position of the change to handing_off, while no handoff was requested. */
  handingOffAt?: number;
  /** Time at which the session started; omitted if its start was not received. */
  startedMs?: number;
  /** Tools invoked since the session started. */
  invocations?: number;
  progress: { percent: number; close: number; about?: string; step?: number; steps?: string };
  /** Set when a table overflows, one flag per table: from then on, nothing is reported as missing that may only have been forgotten. */
  toolsForgotten: boolean;
  outputsForgotten: boolean;
  asksForgotten: boolean;
  told: ToldOnce;
}

export const AAEP_SESSION_LIMITS = { agents: 64, tools: 1024, calls: 4096, outputs: 256, finishedOutputs: 4096, asks: 128 } as const;

export function openAaepSession(): AaepSessionState {
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
