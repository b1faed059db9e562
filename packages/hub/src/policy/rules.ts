import type { Asked, Behaviour, Ruling as PolicyRuling } from "@earshot/policy";

/**
 * What the engine asks of the person's rules. The policy package answers it; anything with this shape will do. Judging is
 * pure, fast, and never throws: a rule that cannot be applied does not match.
 */
export interface Rules {
  /** `granted` come first, as far as they could decide at all; what a repository tightens stays tightened. */
  judge(asked: PutToRules, granted?: readonly GrantedRule[]): Ruling;
}

/** A rule that an approver granted for a while: as it would stand in the file, as one entry of `rules`. */
export interface GrantedRule {
  readonly name: string;
  readonly yaml: string;
}

/** Read from the raw input; the agent's own words about it are no part of it. What is unknown is left out. */
export type PutToRules = Asked;

/** What the rules say. Without a rule, none matched: then nothing is said, and the agent decides as if nobody was asked. */
export interface Ruling extends Omit<PolicyRuling, "rule" | "judged" | "unreachable" | "why"> {
  readonly rule?: { readonly name: string };
  readonly judged: Partial<PolicyRuling["judged"]>;
}

/** The action must not run merely because no approver was active. */
export function isDangerous({ judged }: Pick<Ruling, "judged">): boolean {
  return judged.risk === "high" || judged.reversible === false || (judged.dangers ?? []).length > 0;
}

/** Rules of presets are called after them, as in `guard/destructive`; no name that a person gives has a stroke in it. */
export function isOfPreset({ name }: { readonly name: string }): boolean {
  return name.includes("/");
}

const DEFAULT_HOLD_MS = 600_000;

/** What a hub without rules says: nothing. */
export const NO_RULES = {
  judge: ({ risk, reversible }: PutToRules): Ruling => ({
    behaviour: "abstain",
    hold: "when-someone-listens",
    holdForMs: DEFAULT_HOLD_MS,
    unanswered: "ask",
    judged: { ...(risk === undefined ? {} : { risk }), ...(reversible === undefined ? {} : { reversible }) },
  }),
};

const STRICTNESS: readonly Behaviour[] = ["allow", "continue", "abstain", "ask", "defer", "block", "deny", "stop"];

/** Whether one answer lets less through than another. Of several repositories' rules the strictest answer counts. */
export function isStricter(one: Behaviour, other: Behaviour): boolean {
  return STRICTNESS.indexOf(one) > STRICTNESS.indexOf(other);
}
