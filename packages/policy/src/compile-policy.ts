import type { Places } from "./asked.ts";
import { PERMISSIVE_BEHAVIOURS, POLICY_MOMENTS, type PolicyMoment } from "./behaviour.ts";
import type { RequestFacts } from "./facts.ts";
import { compileMatch, hasPartCriteria, type MatchTest } from "./match/compile-match.ts";
import type { PatternEngine } from "./match/text-pattern.ts";
import { momentsOf } from "./moments.ts";
import type { Policy, PolicyRule, RuleMatch } from "./policy.ts";

/** Policies compiled for decisions. The first is the user's own; each further one can only tighten it. */
export interface CompiledPolicy {
  readonly layers: readonly CompiledLayer[];
  readonly places: Places;
}

export interface CompiledLayer {
  readonly rules: readonly CompiledRule[];
  /** The rules that can match at a moment and whose answer is possible there. */
  readonly at: ReadonlyMap<PolicyMoment, readonly CompiledRule[]>;
}

export interface CompiledRule {
  readonly rule: PolicyRule;
  readonly permissive: boolean;
  readonly match: MatchTest;
  readonly except: MatchTest | undefined;
}

export interface CompileOptions {
  readonly places: Places;
  /** Absent: patterns are not evaluated; a rule with a pattern matches if it restricts and does not match if it allows. */
  readonly patterns?: PatternEngine;
  /** A repository's own rules, which can only tighten. */
  readonly repository?: Policy;
}

export function compileWith(policy: Policy, { places, patterns, repository }: CompileOptions): CompiledPolicy {
  const layers = repository === undefined ? [policy] : [policy, { rules: repository.rules.filter(onlyTightens) }];
  return { places, layers: layers.map((layer) => compileLayer(layer, places, patterns)) };
}

/** Whether a rule may occur in a repository's own file. */
export function onlyTightens({ answer, unanswered, unreachable, updatedInput }: PolicyRule): boolean {
  // `defer` would withhold a question that another rule puts to the user.
  return (
    !PERMISSIVE_BEHAVIOURS.has(answer) &&
    answer !== "defer" &&
    unanswered !== "allow" &&
    unreachable !== "allow" &&
    updatedInput === undefined
  );
}

/** Whether any rule has a pattern that needs an engine. */
export function usesPatterns({ rules }: Policy): boolean {
  const inMatch = (match: PolicyRule["match"] | undefined) =>
    Object.values(match ?? {}).some((value) => Array.isArray(value) && value.some((one) => typeof one === "object"));
  return rules.some(({ match, except }) => inMatch(match) || inMatch(except));
}

function compileLayer({ rules }: Policy, places: Places, engine: PatternEngine | undefined): CompiledLayer {
  const compiled = rules.map(
    (rule): CompiledRule => ({
      rule,
      permissive: PERMISSIVE_BEHAVIOURS.has(rule.answer),
      match: compileMatch(rule.match, places, engine),
      except: rule.except === undefined ? undefined : compileMatch(rule.except, places, engine),
    }),
  );
  const at = new Map(POLICY_MOMENTS.map((moment) => [moment, compiled.filter(({ rule }) => momentsOf(rule).includes(moment))]));
  return { rules: compiled, at };
}

/** Why a rule does not match: a criterion that fails, or something that no rule permits without naming it. */
export type RuleMismatch = keyof RuleMatch | "except" | "uninspectable" | "unnamed-danger" | "unnamed-risk";

/** Undefined if the rule matches. */
export function matchRule({ rule, permissive, match, except }: CompiledRule, facts: RequestFacts): RuleMismatch | undefined {
  if (!permissive) {
    return match(facts, "held") ?? (except !== undefined && except(facts, "passed") === undefined ? "except" : undefined);
  }
  if (!facts.inspectable && (rule.answer === "allow" || hasPartCriteria(rule.match))) return "uninspectable";
  const missing = match(facts, "passed");
  if (missing !== undefined) return missing;
  if (except !== undefined && except(facts, "excepted") === undefined) return "except";
  return rule.answer === "allow" ? unnamed(rule.match, facts) : undefined;
}

/** No rule allows harmful effects implicitly: it must name them. */
function unnamed({ danger = [], risk = [] }: RuleMatch, { dangers, judged }: RequestFacts): RuleMismatch | undefined {
  const meant = danger.includes("any") || risk.includes("high");
  if (!meant && dangers.some(({ id }) => !danger.includes(id))) return "unnamed-danger";
  return judged.risk === "high" && dangers.length === 0 && !meant ? "unnamed-risk" : undefined;
}
