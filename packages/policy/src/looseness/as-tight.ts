import { type Fallback, type Hold, PERMISSIVE } from "../behaviour.ts";
import type { PolicyRule } from "../policy.ts";

/** Nothing happens, whatever comes after. */
function refuses({ answer }: PolicyRule): boolean {
  return answer === "deny" || answer === "stop" || answer === "block";
}

function letsGo({ answer }: PolicyRule): boolean {
  return answer === "allow" || answer === "continue";
}

/** Whether the answer of the first rule lets nothing through that the second's would not. */
export function asTight(one: PolicyRule, other: PolicyRule): boolean {
  if (refuses(one)) return true;
  // A changed input is another action than the one that was allowed.
  if (letsGo(other)) return one.updatedInput === undefined || same(one.updatedInput, other.updatedInput);
  if (letsGo(one)) return false;
  if (other.answer === "abstain") return one.answer === "abstain" ? isHeldAs(one.hold, other.hold) : tighterThanNothing(one);
  if (one.answer !== other.answer || !same(one.updatedInput, other.updatedInput)) return false;
  const sooner = one.unanswered === "allow" && one.holdForMs < other.holdForMs;
  if (sooner || !isHeldAs(one.hold, other.hold)) return false;
  return fallsAs(one.unanswered, other.unanswered) && fallsAs(one.unreachable, other.unreachable);
}

/** As tight as leaving it to the agent: nothing is let through that the agent would have asked about. */
export function tighterThanNothing(rule: PolicyRule): boolean {
  if (refuses(rule)) return true;
  if (letsGo(rule) || rule.updatedInput !== undefined) return false;
  return rule.answer === "abstain" ? rule.hold !== "never" : rule.unanswered !== "allow" && rule.unreachable !== "allow";
}

/** Whether leaving it to the agent is as tight as this rule. */
export function nothingAsTight({ answer }: PolicyRule): boolean {
  return PERMISSIVE.has(answer);
}

const HOLD_ORDER: readonly Hold[] = ["never", "when-someone-listens", "always"];
const FALLBACK_ORDER: readonly Fallback[] = ["allow", "ask", "deny"];

function isHeldAs(one: Hold, other: Hold): boolean {
  return HOLD_ORDER.indexOf(one) >= HOLD_ORDER.indexOf(other);
}

function fallsAs(one: Fallback, other: Fallback): boolean {
  return FALLBACK_ORDER.indexOf(one) >= FALLBACK_ORDER.indexOf(other);
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
