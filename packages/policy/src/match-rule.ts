import type { CompiledRule } from "./compile-policy.ts";
import type { Facts } from "./facts.ts";
import { hasPartCriteria } from "./match/compile-match.ts";
import type { Match } from "./policy.ts";

/** Why a rule does not match: a criterion that does not hold, or one of the things that no rule lets through unnamed. */
export type Mismatch = keyof Match | "except" | "uninspectable" | "unnamed-danger" | "unnamed-risk";

/** Undefined when the rule matches. */
export function matchRule({ rule, permissive, match, except }: CompiledRule, facts: Facts): Mismatch | undefined {
  if (!permissive) {
    return match(facts, "held") ?? (except !== undefined && except(facts, "passed") === undefined ? "except" : undefined);
  }
  if (!facts.inspectable && (rule.answer === "allow" || hasPartCriteria(rule.match))) return "uninspectable";
  const missing = match(facts, "passed");
  if (missing !== undefined) return missing;
  if (except !== undefined && except(facts, "excepted") === undefined) return "except";
  return rule.answer === "allow" ? unnamed(rule.match, facts) : undefined;
}

/** There is no "allow everything" for what does harm: a rule must say that it means it. */
function unnamed({ danger = [], risk = [] }: Match, { dangers, judged }: Facts): Mismatch | undefined {
  const meant = danger.includes("any") || risk.includes("high");
  if (!meant && dangers.some(({ id }) => !danger.includes(id))) return "unnamed-danger";
  return judged.risk === "high" && dangers.length === 0 && !meant ? "unnamed-risk" : undefined;
}
