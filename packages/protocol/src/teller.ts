import type { Finding } from "./finding.ts";
import type { Told } from "./protocol.ts";
import type { Rule } from "./rule.ts";

/** Which once-per-session rules have been told already: part of a session's state, hence a plain value. */
export type ToldOnce = Record<string, true>;

/** Passes findings on, leaving out what a session has been told before where the catalogue says once is enough. */
export function createTeller(rules: Readonly<Record<string, Rule>>, tell: (told: Told) => void) {
  return (finding: Finding, place: Omit<Told, "finding">, toldOnce: ToldOnce): void => {
    if (rules[finding.rule]?.oncePerSession === true) {
      if (toldOnce[finding.rule] === true) return;
      toldOnce[finding.rule] = true;
    }
    tell({ finding, ...place });
  };
}
