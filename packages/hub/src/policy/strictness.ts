import type { Behaviour } from "./rules.ts";

const STRICTNESS: readonly Behaviour[] = ["allow", "continue", "abstain", "ask", "defer", "block", "deny", "stop"];

/** Whether one answer lets less through than another. Of several repositories' rules the strictest answer counts. */
export function isStricter(one: Behaviour, other: Behaviour): boolean {
  return STRICTNESS.indexOf(one) > STRICTNESS.indexOf(other);
}
