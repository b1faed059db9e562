import { type Fallback, type HoldPolicy, PERMISSIVE_BEHAVIOURS, STRICTEST_FALLBACKS } from "../behaviour.ts";
import { describeRule } from "../describe-rule.ts";
import { momentsOf } from "../moments.ts";
import type { Policy, PolicyRule, RuleMatch } from "../policy.ts";
import { alignRules, isSameRule } from "./align-rules.ts";

/** Whether one policy permits more than another. A policy that cannot be shown to be as tight counts as looser. */
export interface Looseness {
  readonly loosens: boolean;
  readonly changes: readonly PolicyChange[];
}

export interface PolicyChange {
  readonly kind: "added" | "removed" | "changed";
  readonly rule: string;
  readonly loosens: boolean;
  /** Whole sentences for the approver. */
  readonly told: string;
}

/**
 * Compares two policies rule by rule. The change is split into single steps: removals, then changes, then additions. Each step is judged
 * by the rules that could decide instead.
 *
 * Since the first matching rule decides, a rule may be removed if everything after it, and abstaining, is at least as tight; a rule may
 * be added if it is at least as tight as all of that. If no step permits more, the whole change permits nothing more.
 */
export function compareLooseness(before: Policy, after: Policy): Looseness {
  const changes: PolicyChange[] = [];
  const pairs = alignRules(before.rules, after.rules);
  const current = [...before.rules];
  for (const { from, to } of pairs) {
    if (from === undefined || to !== undefined) continue;
    const at = current.indexOf(from);
    const loosens = !nothingAsTight(from) || !current.slice(at + 1).every((later) => asTight(later, from));
    current.splice(at, 1);
    changes.push({ kind: "removed", rule: from.name, loosens, told: `Removed. ${describeRule(from)}.` });
  }
  for (const { from, to } of pairs) {
    if (from === undefined || to === undefined || isSameRule(from, to)) continue;
    const at = current.indexOf(from);
    const loosens = !isTighter(from, to, current.slice(at + 1));
    current[at] = to;
    changes.push({ kind: "changed", rule: to.name, loosens, told: `Changed. Before: ${describeRule(from)}. Now: ${describeRule(to)}.` });
  }
  let at = 0;
  for (const { from, to } of pairs) {
    if (to === undefined) continue;
    if (from === undefined) {
      const loosens = !tighterThanNothing(to) || !current.slice(at).every((later) => asTight(to, later));
      current.splice(at, 0, to);
      changes.push({ kind: "added", rule: to.name, loosens, told: `Added. ${describeRule(to)}.` });
    }
    at++;
  }
  return { loosens: changes.some(({ loosens }) => loosens), changes };
}

/** Whether a rule that was changed in place permits nothing more. */
function isTighter(from: PolicyRule, to: PolicyRule, later: readonly PolicyRule[]): boolean {
  // Permissive and restrictive rules read their match differently.
  const passes = PERMISSIVE_BEHAVIOURS.has(from.answer);
  if (!asTight(to, from) || passes !== PERMISSIVE_BEHAVIOURS.has(to.answer)) return false;
  const answered = momentsOf(to);
  if (!momentsOf(from).every((moment) => answered.includes(moment)) && to.answer !== from.answer) return false;
  const wider = isWithin(from.match, to.match, passes) && isExceptWithin(to.except, from.except, !passes);
  const narrower = isWithin(to.match, from.match, passes) && isExceptWithin(from.except, to.except, !passes);
  if (wider && narrower) return true;
  // The rule matches more: it must be as tight as every rule that would have decided the added cases.
  if (wider) return tighterThanNothing(to) && later.every((one) => asTight(to, one));
  // The rule matches less: what decides the other cases must be as tight as the rule was.
  return narrower && nothingAsTight(from) && later.every((one) => asTight(one, from));
}

function isExceptWithin(inner: RuleMatch | undefined, outer: RuleMatch | undefined, passes: boolean): boolean {
  return inner === undefined || (outer !== undefined && isWithin(inner, outer, passes));
}

/** Criteria that change how the others are read when a match is read narrowly. */
const READ_TOGETHER = ["command", "path", "access", "danger", "risk"] as const satisfies readonly (keyof RuleMatch)[];

/** Whether everything the first matches is matched by the second, as far as can be determined. */
function isWithin(inner: RuleMatch, outer: RuleMatch, passes: boolean): boolean {
  if (passes && READ_TOGETHER.some((name) => (inner[name] === undefined) !== (outer[name] === undefined))) return false;
  return Object.entries(outer).every(([name, wanted]) => {
    const given: unknown = Object.entries(inner).find(([other]) => other === name)?.[1];
    if (given === undefined) return false;
    if (!Array.isArray(wanted) || !Array.isArray(given)) return wanted === given;
    const known = new Set(wanted.map((one) => JSON.stringify(one)));
    return given.every((one) => known.has(JSON.stringify(one)));
  });
}

/** Whether nothing happens, whatever rules follow. */
function refuses({ answer }: PolicyRule): boolean {
  return /^(?:deny|stop|block)$/.test(answer);
}

function letsGo({ answer }: PolicyRule): boolean {
  return answer === "allow" || answer === "continue";
}

/** Whether the first rule's answer permits nothing that the second's would not. */
function asTight(one: PolicyRule, other: PolicyRule): boolean {
  if (refuses(one)) return true;
  const sameInput = JSON.stringify(one.updatedInput) === JSON.stringify(other.updatedInput);
  // A changed input is a different action from the allowed one.
  if (letsGo(other)) return one.updatedInput === undefined || sameInput;
  if (letsGo(one)) return false;
  const holds = HOLD_ORDER.indexOf(one.hold) >= HOLD_ORDER.indexOf(other.hold);
  if (other.answer === "abstain") return one.answer === "abstain" ? holds : tighterThanNothing(one);
  const sooner = one.unanswered === "allow" && one.holdForMs < other.holdForMs;
  if (one.answer !== other.answer || !sameInput || sooner || !holds) return false;
  return (["unanswered", "unreachable"] as const).every((name) => strictness(one[name]) >= strictness(other[name]));
}

/** Whether a rule is as tight as leaving the decision to the agent: it permits nothing that the agent would have asked about. */
function tighterThanNothing(rule: PolicyRule): boolean {
  if (refuses(rule)) return true;
  if (letsGo(rule) || rule.updatedInput !== undefined) return false;
  return rule.answer === "abstain" ? rule.hold !== "never" : rule.unanswered !== "allow" && rule.unreachable !== "allow";
}

/** Whether leaving the decision to the agent is as tight as this rule. */
function nothingAsTight({ answer }: PolicyRule): boolean {
  return PERMISSIVE_BEHAVIOURS.has(answer);
}

const HOLD_ORDER: readonly HoldPolicy[] = ["never", "when-someone-listens", "always"];

function strictness(fallback: Fallback): number {
  return -STRICTEST_FALLBACKS.indexOf(fallback);
}
