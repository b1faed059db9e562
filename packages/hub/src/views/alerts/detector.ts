import type { Activity } from "@earshot/protocol/activities";
import type { Flag } from "../../verdict.ts";
import type { OpenQuestions } from "../open-questions.ts";

/** What a detector reads of an entry. Entries come in the order of positions. */
export interface WatchedEntry {
  readonly position: number;
  /** By the hub's clock, in milliseconds since 1970. */
  readonly receivedAt: number;
  /** All that the entry means; empty where it means nothing. */
  readonly activities: readonly Activity[];
  readonly flags: readonly Flag[];
}

/** What a detector found: at most one thing per entry, so that type and position identify an alert. */
export interface Sighting {
  readonly severity: "warning" | "critical";
  /** One plain sentence with the numbers. */
  readonly message: string;
  /** The entry that raises it; for silence, the last one before it. */
  readonly position: number;
  /** When the condition became true, by the hub's clock: the same whenever it is noticed. */
  readonly at: number;
  readonly rule?: string;
  /** The condition had ended before it was noticed, as with a silence noticed by the entry that ends it. Stored, and not sent. */
  readonly late?: true;
}

/**
 * Watches one session for one thing. Pure: no clock, no I/O, no knowledge of protocols. The state is a plain JSON value of
 * bounded size that is changed in place; written and read back after any entry, it gives the same sightings. What one entry
 * costs does not depend on how many came before it.
 */
export interface Detector<State> {
  open(): State;
  apply(state: State, entry: WatchedEntry, context: WatchContext): readonly Sighting[];
  /** What the passing of time alone makes true. */
  check?(state: State, now: number, context: WatchContext): readonly Sighting[];
  /** When `check` may find something; undefined when only another entry can bring something. */
  dueAt?(state: State, context: WatchContext): number | undefined;
}

export interface WatchContext {
  readonly thresholds: AlertThresholds;
  /** Questions of the session that were open before the entry. */
  readonly questions: OpenQuestions;
  /** When the machine last woke up, or the hub was started: nothing could be received before. */
  readonly deafUntil?: number | undefined;
}

export const NOTHING: readonly Sighting[] = Object.freeze([]);

/** When something is worth an alert. Zero turns a kind off. */
export interface AlertThresholds {
  /** `no-new-result`: see `loop.ts`. `aop-collector`: the rule of the official AOP collector, which does not look at results. */
  readonly loopRule: LoopRule;
  /** Calls of one tool with similar input and the same result. */
  readonly loopCalls: number;
  /** How long a call may follow the one before it and still belong to the same loop. */
  readonly loopSeconds: number;
  /** Failed calls and errors in a row. */
  readonly failures: number;
  /** Thoughts of low confidence in a row. */
  readonly lowThoughts: number;
  /** Silence of a working session that has sent heartbeats. */
  readonly stallSeconds: number;
  /** Silence of a working session that never sent one: its calls may take a while. */
  readonly silenceSeconds: number;
  /** How many times as much as is usual in its session a single step costs. */
  readonly spikeFactor: number;
  /** What costs less is never a spike. */
  readonly spikeCents: number;
  /** The same for sessions that report tokens only. */
  readonly spikeTokens: number;
  /** How long a question waits for its answer. */
  readonly requestSeconds: number;
  /** Whether the first entry that breaks a rule of its protocol raises an alert, for each rule. */
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

/** A length of time in words, rounded: `42 seconds`, `3 minutes`, `2 hours`. */
export function toldDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return several(seconds, "second");
  if (seconds < 7200) return several(Math.round(seconds / 60), "minute");
  return several(Math.round(seconds / 3600), "hour");
}

export function several(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
