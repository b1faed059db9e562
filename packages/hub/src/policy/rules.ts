import type { HookBehaviour, PolicyInput, PolicyDecision as PolicyRuling } from "@earshot/policy";

/** The person's rules as the engine uses them. Judging is pure, fast, and never throws: a rule that cannot be applied does not match. */
export interface PersonRules {
  /** `granted` rules come first where they may decide at all; a repository's tightening stays. */
  judge(asked: RuleInput, granted?: readonly GrantedRule[]): RuleResult;
}

/** A temporary rule from an approver, as one entry of `rules`. */
export interface GrantedRule {
  readonly name: string;
  readonly yaml: string;
}

/** Derived from the raw input, without the agent's own words. Unknown members are left out. */
export type RuleInput = PolicyInput;

/** The rules' result. Without a rule, none matched: the agent then decides as if it had not asked. */
export interface RuleResult extends Omit<PolicyRuling, "rule" | "judged" | "unreachable" | "why"> {
  readonly rule?: { readonly name: string };
  readonly judged: Partial<PolicyRuling["judged"]>;
}

/** The action must not run merely because no approver was active. */
export function isDangerous({ judged }: Pick<RuleResult, "judged">): boolean {
  return judged.risk === "high" || judged.reversible === false || (judged.dangers ?? []).length > 0;
}

/** Preset rules are named `guard/destructive`; names given by people contain no slash. */
export function isOfPreset({ name }: { readonly name: string }): boolean {
  return name.includes("/");
}

const DEFAULT_HOLD_MS = 600_000;

/** The result without rules: nothing. */
export const NO_PERSON_RULES = {
  judge: ({ risk, reversible }: RuleInput): RuleResult => ({
    behaviour: "abstain",
    hold: "when-someone-listens",
    holdForMs: DEFAULT_HOLD_MS,
    unanswered: "ask",
    judged: { ...(risk === undefined ? {} : { risk }), ...(reversible === undefined ? {} : { reversible }) },
  }),
};

const STRICTNESS: readonly HookBehaviour[] = ["allow", "continue", "abstain", "ask", "defer", "block", "deny", "stop"];

/** Whether one answer permits less than another. Of several repositories' rules the strictest answer counts. */
export function isStricter(one: HookBehaviour, other: HookBehaviour): boolean {
  return STRICTNESS.indexOf(one) > STRICTNESS.indexOf(other);
}
