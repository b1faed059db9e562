import type { Problem } from "./problem.ts";
import { codeOf, type Rule, type Severity } from "./rule.ts";

/**
 * A rule that was broken, and how. Everything else about it (severity, hint, section) is in the catalogue, so a
 * finding is small enough to make by the million.
 */
export interface Finding {
  readonly rule: string;
  /** What was found, in one sentence, with the values concerned. */
  readonly message: string;
  /** RFC 6901 pointer into the event; left out when the event as a whole, or its absence, is meant. */
  readonly pointer?: string;
  /** Where the other half of the story stands: the line or position of the earlier event concerned. */
  readonly since?: number;
  /** Said instead of the catalogue's hint, when the value found allows a better one. */
  readonly hint?: string;
}

export const NO_FINDINGS: readonly Finding[] = Object.freeze([]);

/** A finding as everybody outside sees it. */
export interface JudgedProblem extends Problem {
  readonly severity: Severity;
}

export function toProblem(finding: Finding, rule: Rule): JudgedProblem {
  return {
    severity: rule.severity,
    code: codeOf(rule),
    message: finding.message,
    rule: finding.rule,
    ...(finding.pointer === undefined ? {} : { pointer: finding.pointer }),
    hint: finding.hint ?? rule.hint,
  };
}
