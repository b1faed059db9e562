import type { JsonObject } from "./json.ts";
import type { ProblemCode } from "./problem.ts";

export type ProtocolName = "aaep" | "aep" | "aop";

/** error: does not conform. warning: allowed, but somebody will be surprised. info: worth knowing. */
export type Severity = "error" | "warning" | "info";

/**
 * What is needed to decide a rule: one event alone, a whole recording, or a live drive of the producer or subscriber
 * (what happened on the wire or in the world cannot be seen in a recording).
 */
export type Decided = "event" | "recording" | "live";

/** One checkable clause of a protocol. The catalogue is what the checker, the hub, the SDK and the documents share. */
export interface Rule {
  readonly severity: Severity;
  readonly decided: Decided;
  /** Where the clause stands, in the specification's own numbering. */
  readonly section: string;
  /** One sentence saying what must hold. */
  readonly title: string;
  /** What to do when it does not. */
  readonly hint: string;
  /** The first conformance level that asks for it; 0 for every event whatever its level. AOP has no levels. */
  readonly level: 0 | 1 | 2 | 3;
  /**
   * What must occur in a recording for the rule to have been put to the test: event types, or `type/field` for a type
   * with that top-level field, or `*` for any event. Empty for live rules.
   */
  readonly exercisedBy: readonly string[];
  /** Reported at its first occurrence in a session only: repeating it for every event would bury the rest. */
  readonly oncePerSession?: true;
  /** Types of the protocol's own whose absence the rule rests on: nothing is told where a filter may explain it. */
  readonly needs?: readonly string[];
  /** Whose mistake it is; left out where it is the agent's or producer's. */
  readonly side?: "subscriber";
  /** A recording that keeps the rule and one that breaks it. Made when asked for: most programs never show them. */
  readonly examples: () => RuleExamples;
  /** Given instead of the default (EVENT_INVALID for one event, SEQUENCE_BROKEN for a recording). */
  readonly code?: ProblemCode;
}

/** A recording that keeps, or breaks, exactly one rule; live rules are told in words. */
export type Example = readonly JsonObject[] | { readonly told: string };

export interface RuleExamples {
  readonly passes: Example;
  readonly fails: Example;
}

export function codeOf(rule: Rule): ProblemCode {
  return rule.code ?? (rule.decided === "event" ? "EVENT_INVALID" : "SEQUENCE_BROKEN");
}

type Head = readonly [severity: Severity, decided: Decided, level: Rule["level"], section: string, exercisedBy: readonly string[]];
export type RuleWords = Omit<Rule, "severity" | "decided" | "level" | "section" | "exercisedBy">;

/** A rule as an entry of a catalogue: its clause first, then its words and examples. */
export function rule([severity, decided, level, section, exercisedBy]: Head, words: RuleWords): Rule {
  return { severity, decided, level, section, exercisedBy, ...words };
}
