import type { Places } from "./asked.ts";
import { MOMENTS, type Moment, PERMISSIVE } from "./behaviour.ts";
import { compileMatch, type MatchTest } from "./match/compile-match.ts";
import type { PatternEngine } from "./match/text-pattern.ts";
import { momentsOf } from "./moments.ts";
import type { Policy, PolicyRule } from "./policy.ts";

/** Policies made ready to decide with. The first is the person's own; each further one can only tighten what it says. */
export interface CompiledPolicy {
  readonly layers: readonly CompiledLayer[];
  readonly places: Places;
}

export interface CompiledLayer {
  readonly rules: readonly CompiledRule[];
  /** The rules that can match at a moment, and whose answer has a place there. */
  readonly at: ReadonlyMap<Moment, readonly CompiledRule[]>;
}

export interface CompiledRule {
  readonly rule: PolicyRule;
  readonly permissive: boolean;
  readonly match: MatchTest;
  readonly except: MatchTest | undefined;
}

export interface CompileOptions {
  readonly places: Places;
  /** Left out: patterns are not read, and a rule that has one matches when it restricts, and does not when it allows. */
  readonly patterns?: PatternEngine;
  /** A repository's own rules, which can only tighten. */
  readonly repository?: Policy;
}

export function compileWith(policy: Policy, { places, patterns, repository }: CompileOptions): CompiledPolicy {
  const layers = repository === undefined ? [policy] : [policy, { rules: repository.rules.filter(tightens) }];
  return { places, layers: layers.map((layer) => compileLayer(layer, places, patterns)) };
}

/** Whether a rule may stand in a repository's own file. */
export function tightens({ answer, unanswered, unreachable, updatedInput }: PolicyRule): boolean {
  // `defer` would take a question away from the person that another rule asks.
  return !PERMISSIVE.has(answer) && answer !== "defer" && unanswered !== "allow" && unreachable !== "allow" && updatedInput === undefined;
}

/** Whether some rule has a pattern that needs an engine. */
export function usesPatterns({ rules }: Policy): boolean {
  const inMatch = (match: PolicyRule["match"] | undefined) =>
    Object.values(match ?? {}).some((value) => Array.isArray(value) && value.some((one) => typeof one === "object"));
  return rules.some(({ match, except }) => inMatch(match) || inMatch(except));
}

function compileLayer({ rules }: Policy, places: Places, engine: PatternEngine | undefined): CompiledLayer {
  const compiled = rules.map(
    (rule): CompiledRule => ({
      rule,
      permissive: PERMISSIVE.has(rule.answer),
      match: compileMatch(rule.match, places, engine),
      except: rule.except === undefined ? undefined : compileMatch(rule.except, places, engine),
    }),
  );
  const at = new Map(MOMENTS.map((moment) => [moment, compiled.filter(({ rule }) => momentsOf(rule).includes(moment))]));
  return { rules: compiled, at };
}
