import type { Activity } from "@earshot/translate";
import type { Flag } from "../../verdict.ts";
import type { AlertThresholds } from "./thresholds.ts";

/** One entry as the detectors hear it, in the order of positions. */
export interface HeardEntry {
  readonly position: number;
  /** By the hub's clock, in milliseconds since 1970. */
  readonly receivedAt: number;
  /** All that the entry means; empty where it means nothing. */
  readonly activities: readonly Activity[];
  readonly flags: readonly Flag[];
}

/** What a detector saw. A detector sees one thing at most in each entry, so that its type and its position name an alert. */
export interface Sighting {
  readonly severity: "warning" | "critical";
  /** One plain sentence with the numbers. */
  readonly message: string;
  /** The entry it is about; for silence, the last one before it. */
  readonly position: number;
  /** When it came to be so, by the hub's clock: the same whenever it is seen. */
  readonly at: number;
  readonly rule?: string;
  /** It was over when it was noticed, as when a silence is noticed by what ended it. Kept, but no news to anybody. */
  readonly late?: true;
}

/**
 * Watches one session for one thing. Pure: no clock, no I/O, no knowledge of protocols. The state is a plain JSON value of
 * bounded size that is changed in place; written and read back after any entry, it gives the same sightings. What one entry
 * costs does not depend on how many came before it.
 */
export interface Detector<State> {
  open(): State;
  hear(state: State, entry: HeardEntry, thresholds: AlertThresholds): readonly Sighting[];
  /** What the passing of time alone makes true. Nobody could be heard before `deafUntil`. */
  check?(state: State, now: number, options: TimeOptions): readonly Sighting[];
  /** When `check` may see something; undefined when nothing is waited for. */
  dueAt?(state: State, options: TimeOptions): number | undefined;
}

export interface TimeOptions {
  readonly thresholds: AlertThresholds;
  /** When the machine last woke up, or the hub was started. */
  readonly deafUntil?: number | undefined;
}

export const NOTHING: readonly Sighting[] = Object.freeze([]);
