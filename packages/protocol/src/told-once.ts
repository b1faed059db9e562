import type { Finding } from "./finding.ts";
import type { Rule } from "./rule.ts";

/** The once-per-session rules already reported: part of a session's state, hence a plain value. */
export type ToldOnce = Record<string, true>;

/**
 * Whether to report this finding for a session: false if the rule is reported once per session and was reported before. Records the
 * report.
 */
export function isFirstTime(rules: Readonly<Record<string, Rule>>, { rule }: Finding, toldOnce: ToldOnce): boolean {
  if (rules[rule]?.oncePerSession !== true) return true;
  if (toldOnce[rule] === true) return false;
  toldOnce[rule] = true;
  return true;
}
