import type { Activity } from "@earshot/protocol/activities";
import Type, { type Static } from "typebox";
import { orZero } from "../../api-schema.ts";
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

export const NO_SIGHTINGS: readonly Sighting[] = Object.freeze([]);

/** The rule of what a loop is. `no-new-result`: see `loop.ts`. `aop-collector`: that of the official AOP collector, which ignores results. */
const LOOP_RULES = ["no-new-result", "aop-collector"] as const;

const DAY_SECONDS = 86_400;
/** A count or duration before an alert is raised; 0: never. */
const fromOn = (minimum: number, maximum: number, description: string) => orZero(Type.Integer({ minimum, maximum, description }));

/** Thresholds of the alerts, as members of `alerts` in the settings. */
export const alertThresholdsSchema = Type.Object({
  loopRule: Type.Enum([...LOOP_RULES], { description: "what a loop is" }),
  loopCalls: fromOn(2, 1000, "calls with similar input and the same result"),
  loopSeconds: Type.Integer({ minimum: 1, maximum: DAY_SECONDS, description: "how far apart they may be" }),
  failures: fromOn(1, 1000, "failed calls and errors in a row"),
  lowThoughts: fromOn(1, 1000, "thoughts of low confidence in a row"),
  stallSeconds: fromOn(5, DAY_SECONDS, "silence of an agent that sends heartbeats"),
  silenceSeconds: fromOn(5, DAY_SECONDS, "silence of an agent that sends none"),
  spikeFactor: fromOn(2, 1000, "how many times as much as usual a step costs"),
  spikeCents: Type.Integer({ minimum: 0, maximum: 1_000_000, description: "what costs less is no spike" }),
  spikeTokens: Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: "the same, where only tokens are told" }),
  requestSeconds: fromOn(1, 7 * DAY_SECONDS, "how long a question waits"),
  violations: Type.Boolean({ description: "the first time that a rule of the protocol is broken" }),
});
export type AlertThresholds = Readonly<Static<typeof alertThresholdsSchema>>;

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
export function describeDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return describeCount(seconds, "second");
  if (seconds < 7200) return describeCount(Math.round(seconds / 60), "minute");
  return describeCount(Math.round(seconds / 3600), "hour");
}

export function describeCount(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
