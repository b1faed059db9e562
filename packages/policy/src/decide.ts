import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol/json";
import type { PolicyInput } from "./asked.ts";
import { type Fallback, type HookBehaviour, STRICTEST_FALLBACKS } from "./behaviour.ts";
import { type CompiledPolicy, matchRule } from "./compile-policy.ts";
import { findFacts, type RequestFacts } from "./facts.ts";
import { type PolicyRule, RULE_DEFAULTS } from "./policy.ts";
import type { PolicyDecision, RuleReference } from "./ruling.ts";

/**
 * The policy's ruling on a request. In each file the first matching rule decides; between two files the stricter answer counts. If no
 * rule matches, it abstains, so nothing the agent would have asked about is loosened.
 */
export function decideByPolicy(policy: CompiledPolicy, asked: PolicyInput): PolicyDecision {
  const facts = findFacts(asked, policy.places);
  const rules = policy.layers.flatMap(({ at }) => at.get(asked.moment)?.find((rule) => matchRule(rule, facts) === undefined)?.rule ?? []);
  return toRuling(rules, facts);
}

/** The ruling that results from the matching rules, one per file, the user's own first. */
export function toRuling(rules: readonly PolicyRule[], facts: RequestFacts): PolicyDecision {
  const { judged } = facts;
  const [first] = rules;
  const [rule] = rules.toSorted((a, b) => STRICTNESS[b.answer] - STRICTNESS[a.answer]);
  if (rule === undefined) return { behaviour: "abstain", ...RULE_DEFAULTS, judged, why: NO_RULE };
  const why = [`The rule ${rule.name} says ${rule.answer}.`];
  if (first !== undefined && first !== rule) why.push(`It is stricter than ${first.name}, which says ${first.answer}.`);
  why.push(...facts.dangers.map(({ sentence }) => sentence));
  if (judged.uninspectable !== undefined) why.push(`The command cannot be inspected. ${judged.uninspectable}`);
  const risky = judged.risk === "high" || judged.reversible === false;
  const holding = rules.filter(({ answer }) => answer === "ask" || answer === "defer");
  const settle = (name: "unanswered" | "unreachable"): Fallback => {
    const strictest = STRICTEST_FALLBACKS.find((fallback) => holding.some((one) => one[name] === fallback)) ?? rule[name];
    if (strictest !== "allow" || !risky) return strictest;
    why.push(`\`${name}: allow\` does not count here: what is risky or cannot be undone is never allowed by silence.`);
    return "ask";
  };
  return {
    behaviour: rule.answer,
    rule: toReference(rule),
    ...(rule.message === undefined ? {} : { message: rule.message }),
    ...(rule.updatedInput === undefined ? {} : { updatedInput: mergePatch(facts.asked.input, rule.updatedInput) }),
    hold: rule.hold,
    holdForMs: rule.holdForMs,
    unanswered: settle("unanswered"),
    unreachable: settle("unreachable"),
    judged,
    why,
  };
}

export function toReference({ name, from }: PolicyRule): RuleReference {
  return { name, ...from };
}

const NO_RULE: readonly string[] = ["No rule matches: it is left to the agent."];

/** The answer with the higher number wins. */
const STRICTNESS: Readonly<Record<HookBehaviour, number>> = {
  allow: 0,
  continue: 0,
  abstain: 1,
  ask: 2,
  defer: 3,
  block: 4,
  deny: 4,
  stop: 5,
};

/** RFC 7396: members of the patch replace the value's; null removes one. */
function mergePatch(value: JsonValue | undefined, patch: JsonObject): JsonObject {
  const merged: Record<string, JsonValue | undefined> = Object.assign(Object.create(null), isObject(value) ? value : {});
  for (const [name, member] of Object.entries(patch)) {
    if (member === null) delete merged[name];
    else if (member !== undefined) merged[name] = isObject(member) ? mergePatch(merged[name], member) : member;
  }
  return { ...merged };
}
