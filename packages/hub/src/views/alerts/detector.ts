import type { Activity } from "@earshot/protocol/activities";
import type { Flag } from "../../verdict.ts";
import type { OpenQuestions } from "../open-questions.ts";

/** The parts of an entry that detectors read. Entries come in order of position. */
export interface WatchedEntry {
  readonly position: number;
  /** Unix milliseconds by the hub's clock. */
  readonly receivedAt: number;
  /** The activities of the entry, possibly none. */
  readonly activities: readonly Activity[];
  readonly flags: readonly Flag[];
}

/** A finding of a detector. A detector reports at most one per entry, so type and position identify an alert. */
export interface Sighting {
  readonly severity: "warning" | "critical";
  /** One plain sentence including the numbers. */
  readonly message: string;
  /** The entry that raises the alert; for silence, the last entry before it. */
  readonly position: number;
  /** When the condition became true, by the hub's clock, independent of when it was noticed. */
  readonly at: number;
  readonly rule?: string;
  /** The condition had already ended when it was noticed, such as a silence ended by this entry. Stored but not sent. */
  readonly late?: true;
}

/**
 * Watches one session for one condition. Pure: no clock, no I/O, no protocol knowledge. The state is a plain JSON value of bounded size,
 * changed in place; storing and loading it after any entry gives the same findings. The cost per entry is constant.
 */
export interface Detector<State> {
  open(): State;
  apply(state: State, entry: WatchedEntry, context: WatchContext): readonly Sighting[];
  /** Findings caused by the passing of time alone. */
  check?(state: State, now: number, context: WatchContext): readonly Sighting[];
  /** When `check` may next find something; undefined when that needs another entry. */
  dueAt?(state: State, context: WatchContext): number | undefined;
}

export interface WatchContext {
  readonly thresholds: AlertThresholds;
  /** The session's questions that were open before the entry. */
  readonly questions: OpenQuestions;
  /** When the machine last woke up or the hub started: no event could arrive before. */
  readonly deafUntil?: number | undefined;
}

export const NOTHING: readonly Sighting[] = Object.freeze([]);

/** Thresholds of the alerts. Zero turns one off. */
export interface AlertThresholds {
  /** `no-new-result`: see `loop.ts`. `aop-collector`: the rule of the official AOP collector, which ignores results. */
  readonly loopRule: LoopRule;
  /** Calls of one tool with similar input and equal result. */
  readonly loopCalls: number;
  /** Maximum pause between two calls of one loop. */
  readonly loopSeconds: number;
  /** Consecutive failed calls and errors. */
  readonly failures: number;
  /** Consecutive thoughts of low confidence. */
  readonly lowThoughts: number;
  /** Silence of an active session that has sent heartbeats. */
  readonly stallSeconds: number;
  /** Silence of an active session that never sent a heartbeat: its calls may take a while. */
  readonly silenceSeconds: number;
  /** Cost of a step as a multiple of the usual cost in its session. */
  readonly spikeFactor: number;
  /** Steps below this cost are never a spike. */
  readonly spikeCents: number;
  /** As `spikeCents`, for sessions that report only tokens. */
  readonly spikeTokens: number;
  /** How long a question may wait for its answer. */
  readonly requestSeconds: number;
  /** Whether the first violation of each protocol rule raises an alert. */
  readonly violations: boolean;
}

export const LOOP_RULES = ["no-new-result", "aop-collector"] as const;
export type LoopRule = (typeof LOOP_RULES)[number];

export const ALERT_THRESHOLDS: AlertThresholds = {
  loopRule: "no-new-result",
  loopCalls: 5,
  loopSeconds: 600,
  failures: 3,
  lowThoughts: 3,
  stallSeconds: 90,
  silenceSeconds: 600,
  spikeFactor: 5,
  spikeCents: 10,
  spikeTokens: 20_000,
  requestSeconds: 120,
  violations: true,
};

/** A rounded duration in words: `42 seconds`, `3 minutes`, `2 hours`. */
export function toldDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return several(seconds, "second");
  if (seconds < 7200) return several(Math.round(seconds / 60), "minute");
  return several(Math.round(seconds / 3600), "hour");
}

export function several(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
