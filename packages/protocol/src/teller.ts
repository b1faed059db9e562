import type { Finding } from "./finding.ts";
import type { Rule } from "./rule.ts";

/** Which once-per-session rules have been told already: part of a session's state, hence a plain value. */
export type ToldOnce = Record<string, true>;

/** Whether a session is to be told this: not again, where the catalogue says that once is enough. Remembers that it was told. */
export function isFirstTime(rules: Readonly<Record<string, Rule>>, { rule }: Finding, toldOnce: ToldOnce): boolean {
  if (rules[rule]?.oncePerSession !== true) return true;
  if (toldOnce[rule] === true) return false;
  toldOnce[rule] = true;
  return true;
}
