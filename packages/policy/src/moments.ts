import { ANSWERS_AT, POLICY_MOMENTS, type PolicyMoment } from "./behaviour.ts";
import type { PolicyRule } from "./policy.ts";

/** Moments before or after an action. */
const DOING = /^(?:action|permission|outcome|subagent-start|confirmation|question|handoff)$/;

/** Criteria about an action; at any other moment there is no action for them to match. */
const IS_ABOUT_DOING = /^(?:tool|toolType|server|skill|command|danger|harmless|inspectable|path|access)$/;

/** The moments at which a rule can match and its answer is possible. */
export function momentsOf({ match, answer }: Pick<PolicyRule, "match" | "answer">): readonly PolicyMoment[] {
  const about = Object.entries(match).some(([name, value]) => value !== undefined && IS_ABOUT_DOING.test(name));
  return (match.moment ?? POLICY_MOMENTS).filter((moment) => ANSWERS_AT[moment].includes(answer) && (!about || DOING.test(moment)));
}
