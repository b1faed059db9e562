import type { Problem } from "./problem.ts";
import { codeOf, type Rule, type Severity } from "./rule.ts";

/**
 * A broken rule and the details. Everything else about the rule (severity, hint, section) is in the catalogue, so a finding is cheap
 * enough to create by the million.
 */
export interface Finding {
  readonly rule: string;
  /** The finding in one sentence, with the values concerned. */
  readonly message: string;
  /** RFC 6901 pointer into the event; left out if the finding concerns the whole event or its absence. */
  readonly pointer?: string;
  /** The line or position of the earlier event concerned. */
  readonly since?: number;
  /** Replaces the catalogue's hint if the value allows a better one. */
  readonly hint?: string;
}

export const NO_FINDINGS: readonly Finding[] = Object.freeze([]);

/** A finding in its public form. */
export interface JudgedProblem extends Problem {
  readonly severity: Severity;
}

export function findingToProblem(finding: Finding, rule: Rule): JudgedProblem {
  return {
    severity: rule.severity,
    code: codeOf(rule),
    message: finding.message,
    rule: finding.rule,
    ...(finding.pointer === undefined ? {} : { pointer: finding.pointer }),
    hint: finding.hint ?? rule.hint,
  };
}
