import type { JsonObject } from "./json.ts";
import type { ProblemCode } from "./problem.ts";

export type ProtocolName = "aaep" | "aep" | "aop";

/** error: does not conform. warning: allowed but surprising. info: worth knowing. */
export type Severity = "error" | "warning" | "info";

/**
 * Input needed to decide a rule: one event, a whole recording, or a live run of the producer or subscriber (effects on the wire or
 * outside are not visible in a recording).
 */
export type RuleBasis = "event" | "recording" | "live";

/** One checkable clause of a protocol. The checker, the hub, the SDK and the documents share the catalogue. */
export interface Rule {
  readonly severity: Severity;
  readonly decided: RuleBasis;
  /** The clause's section, in the specification's own numbering. */
  readonly section: string;
  /** The requirement in one sentence. */
  readonly title: string;
  /** The remedy. */
  readonly hint: string;
  /** The first conformance level that requires it; 0 for every event at any level. AOP has no levels. */
  readonly level: 0 | 1 | 2 | 3;
  /**
   * The events and fields that a recording needs to exercise the rule: event types, `type/field` for a type with that top-level field, or `*` for any
   * event. Empty for live rules.
   */
  readonly exercisedBy: readonly string[];
  /** Reported only at its first occurrence in a session: repeating it for every event would bury the other findings. */
  readonly oncePerSession?: true;
  /** The protocol's own types whose absence the rule depends on: no finding if a filter may explain the absence. */
  readonly needs?: readonly string[];
  /** The party at fault; left out if it is the agent or producer. */
  readonly side?: "subscriber";
  /** A recording that satisfies the rule and one that breaks it. Built on demand: most programs never show them. */
  readonly examples: () => RuleExamples;
  /** Overrides the default (EVENT_INVALID for one event, SEQUENCE_BROKEN for a recording). */
  readonly code?: ProblemCode;
}

/** A recording that satisfies, or breaks, exactly one rule; live rules are described in words. */
export type RuleExample = readonly JsonObject[] | { readonly told: string };

export interface RuleExamples {
  readonly passes: RuleExample;
  readonly fails: RuleExample;
}

export function codeOf(rule: Rule): ProblemCode {
  return rule.code ?? (rule.decided === "event" ? "EVENT_INVALID" : "SEQUENCE_BROKEN");
}

type Head = readonly [severity: Severity, decided: RuleBasis, level: Rule["level"], section: string, exercisedBy: readonly string[]];
export type RuleWords = Omit<Rule, "severity" | "decided" | "level" | "section" | "exercisedBy">;

/** A rule as a catalogue entry: its clause first, then its texts and examples. */
export function defineRule([severity, decided, level, section, exercisedBy]: Head, words: RuleWords): Rule {
  return { severity, decided, level, section, exercisedBy, ...words };
}
