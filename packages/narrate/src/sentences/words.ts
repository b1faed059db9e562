import type { Activity } from "@earshot/protocol/activities";

/** How long sentences are. */
export type Verbosity = "terse" | "normal" | "detailed";

/** Words for one voice. */
export interface Segment {
  readonly text: string;
  /** BCP 47; left out where nobody said, and then it is the listener's own. */
  readonly language?: string;
}

/** The state of a session, in a word. */
export type Standing =
  | { readonly is: "waiting"; readonly requests: number }
  | { readonly is: "ended"; readonly outcome: "completed" | "failed" | "cancelled" | "timeout" | "unknown" }
  | { readonly is: "at"; readonly state: string }
  | { readonly is: "running" };

/** Sessions in the same state. */
export interface SessionGroup {
  readonly standing: Standing;
  readonly sessions: number;
}

/** What happened and was not announced one by one. */
export interface Tally {
  readonly calls: number;
  readonly failures: number;
  readonly outputs: number;
  readonly messages: number;
}

/** One activity in words. */
export interface Words {
  /** Follows the source (`Codex in shop asks`), hence in the third person and short; empty where the segments say it all. */
  readonly verb: string;
  /** BCP 47, of the verb. */
  readonly language: string;
  readonly segments: readonly Segment[];
}

/**
 * Puts an activity into words; undefined where there is nothing to say. Pure. The activity's text is untrusted and of any
 * length: what comes back is short, free of markup, code and secrets.
 */
export type WordsFor = (activity: Activity, verbosity: Verbosity, language: string) => Words | undefined;

/** What the announcer says of its own accord, in one language. */
export interface Phrases {
  /** BCP 47. */
  readonly language: string;
  from(agent: string, project: string | undefined): string;
  /** Stands after `asks`: `first of 3 requests`. */
  firstOf(requests: number): string;
  /** `12 more tool calls, 2 failed`; empty for an empty tally. */
  counted(tally: Tally, more: boolean): string;
  /** Follows a source: `is thinking`, `waits for you`. */
  standing(standing: Standing): string;
  /** Sessions of which nothing more is said: `30 more sessions: 28 done, 2 running`. */
  others(groups: readonly SessionGroup[]): string;
  /** Follows a source: `was allowed`. */
  settled(how: Settling, by: string | undefined): string;
  /** `and 14 more`. */
  more(count: number): string;
  leftOut(words: number): string;
  code(lines: number): string;
  /** Code within a sentence. */
  readonly snippet: string;
  content(type: string, characters: number): string;
  readonly secret: string;
  link(host: string): string;
  /** A path: the file first. */
  file(name: string, folder: string): string;
  nothingNew: string;
  nobodyRuns: string;
}

/** How a request ended. Silence is no refusal. */
export type Settling = "allowed" | "refused" | "answered" | "no-answer" | "withdrawn" | "went-on";
