import type { Activity } from "@earshot/protocol/activities";

/** Sentence length. */
export type Verbosity = "terse" | "normal" | "detailed";

/** Text for one voice. */
export interface Segment {
  readonly text: string;
  /** BCP 47; if left out, the listener's own language. */
  readonly language?: string;
}

/** The state of a session. */
export type SessionStanding =
  | { readonly is: "waiting"; readonly requests: number }
  | { readonly is: "ended"; readonly outcome: "completed" | "failed" | "cancelled" | "timeout" | "unknown" }
  | { readonly is: "at"; readonly state: string }
  | { readonly is: "running" };

/** Sessions in the same state. */
export interface SessionGroup {
  readonly standing: SessionStanding;
  readonly sessions: number;
}

/** Counts of activities that were not announced one by one. */
export interface ActivityTally {
  readonly calls: number;
  readonly failures: number;
  readonly outputs: number;
  readonly messages: number;
}

/** One activity in words. */
export interface Words {
  /** Follows the source (`Codex in shop asks`), so third person and short; empty if the segments suffice. */
  readonly verb: string;
  /** BCP 47 tag of the verb. */
  readonly language: string;
  readonly segments: readonly Segment[];
}

/**
 * Puts an activity into words; undefined if there is nothing to announce. Pure. The activity's text is untrusted and of any length; the
 * result is short and free of markup, code and secrets.
 */
export type WordsFor = (activity: Activity, verbosity: Verbosity, language: string) => Words | undefined;

/** The announcer's own phrases in one language. */
export interface Phrases {
  /** BCP 47. */
  readonly language: string;
  from(agent: string, project: string | undefined): string;
  /** Follows `asks`: `first of 3 requests`. */
  firstOf(requests: number): string;
  /** `12 more tool calls, 2 failed`; empty for an empty tally. */
  counted(tally: ActivityTally, more: boolean): string;
  /** Follows a source: `is thinking`, `waits for you`. */
  standing(standing: SessionStanding): string;
  /** Sessions that are only counted: `30 more sessions: 28 done, 2 running`. */
  others(groups: readonly SessionGroup[]): string;
  /** Follows a source: `was allowed`. */
  settled(how: RequestSettling, by: string | undefined): string;
  /** `and 14 more`. */
  more(count: number): string;
  leftOut(words: number): string;
  code(lines: number): string;
  /** Replaces code within a sentence. */
  readonly snippet: string;
  content(type: string, characters: number): string;
  readonly secret: string;
  link(host: string): string;
  /** A path, file first. */
  file(name: string, folder: string): string;
  nothingNew: string;
  nobodyRuns: string;
}

/** How a request ended. No answer is not a refusal. */
export type RequestSettling = "allowed" | "refused" | "answered" | "no-answer" | "withdrawn" | "went-on";
