import type { Policy, PolicyRule } from "@earshot/policy/hook";

/**
 * The answers for an action that cannot be judged, because its payload, the rules or Earshot's own files cannot be read. `nothing` if no
 * rule restricts any action. `ask` becomes `deny` if the agent would not ask anyone.
 */
export const UNREADABLE_ANSWERS = ["nothing", "ask", "deny"] as const;
export type UnreadableAnswer = (typeof UNREADABLE_ANSWERS)[number];

const RESTRICTING: ReadonlySet<PolicyRule["answer"]> = new Set(["ask", "defer", "deny", "stop", "block"]);
const HOLDING: ReadonlySet<PolicyRule["answer"]> = new Set(["ask", "defer"]);

/** Any rule might restrict an unreadable action, so the strictest `unreachable` of the rules that ask applies. */
export function unreadableAnswer({ rules }: Policy): UnreadableAnswer {
  const restricting = rules.filter(({ answer, match }) => RESTRICTING.has(answer) && isAboutActions(match.moment));
  if (restricting.length === 0) return "nothing";
  return restricting.some(({ answer, unreachable }) => HOLDING.has(answer) && unreachable === "deny") ? "deny" : "ask";
}

function isAboutActions(moments: PolicyRule["match"]["moment"]): boolean {
  return moments === undefined || moments.includes("action") || moments.includes("permission");
}

export const UNREADABLE_RULE = "unreadable";
export const UNREADABLE = "Earshot could not read what the agent wants to do.";
