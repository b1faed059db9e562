import type { ActionName } from "./english-actions.ts";
import type { KnownName, Outcome, WordKey } from "./english-words.ts";
import type { Settling } from "./words.ts";

/**
 * One language: nothing but words and how they are put together. What is said when is the same for all of them, and is written
 * once. A language that lacks a key does not compile.
 */
export interface Catalogue {
  /** BCP 47. */
  readonly language: string;
  readonly words: Readonly<Record<WordKey, string>>;
  readonly actions: Readonly<Record<ActionName, string>>;
  readonly names: Readonly<Record<KnownName, string>>;
  readonly phrases: Readonly<Record<PhraseKey, string>>;
  readonly quantities: Readonly<Record<QuantityKey, string>>;
  readonly states: Readonly<Record<KnownState, string>>;
  /** Of a state that no protocol names. */
  readonly otherState: string;
  /** With a place for who it was: `was cancelled{by}`. */
  readonly outcomes: Readonly<Record<Outcome, string>>;
  /** `28 done`. */
  readonly ends: Readonly<Record<Outcome, string>>;
  readonly settled: Readonly<Record<Settling, string>>;
  /** From `no` to `ten`, before things. */
  readonly numbers: readonly string[];
  /** Finds that a text says itself that there is no way back. */
  readonly saysNoWayBack: RegExp;
  conjugate(forms: readonly string[], object: string): Conjugated;
}

/** An action in all the forms that sentences need. */
export interface Conjugated {
  /** `runs the tests`. */
  readonly does: string;
  /** After `has`. */
  readonly done: string;
  /** After `may` and `wants to`. */
  readonly do: string;
  /** After `may`, where it may not. */
  readonly not: string;
  /** After `trying`. */
  readonly to: string;
}

export type KnownState =
  | "idle"
  | "thinking"
  | "calling_tool"
  | "writing_output"
  | "awaiting_input"
  | "deciding"
  | "handing_off"
  | "running"
  | "waiting";

export type PhraseKey =
  | "from"
  | "firstOf"
  | "waitsForYou"
  | "waitsWith"
  | "isRunning"
  | "calls"
  | "moreCalls"
  | "failures"
  | "outputs"
  | "messages"
  | "others"
  | "waitingForYou"
  | "runningNow"
  | "settledBy"
  | "more"
  | "leftOut"
  | "code"
  | "snippet"
  | "content"
  | "secret"
  | "link"
  | "file"
  | "nothingNew"
  | "nobodyRuns";

export type QuantityKey =
  | "about"
  | "second"
  | "minute"
  | "hour"
  | "day"
  | "tokens"
  | "thousandTokens"
  | "millionTokens"
  | "underACent"
  | "cents"
  | "dollars"
  | "dollarsAndCents";
