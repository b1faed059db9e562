import { ANSWERS_AT, MOMENTS, type Moment } from "./behaviour.ts";
import type { PolicyRule } from "./policy.ts";

/** Moments at which something is about to be done, or was. */
const DOING = /^(?:action|permission|outcome|subagent-start|confirmation|question|handoff)$/;

/** Criteria that are about what is done: at any other moment there is nothing they could be about. */
const IS_ABOUT_DOING = /^(?:tool|toolType|server|skill|command|danger|harmless|inspectable|path|access)$/;

/** The moments at which a rule can match, and its answer has a place. */
export function momentsOf({ match, answer }: Pick<PolicyRule, "match" | "answer">): readonly Moment[] {
  const about = Object.entries(match).some(([name, value]) => value !== undefined && IS_ABOUT_DOING.test(name));
  return (match.moment ?? MOMENTS).filter((moment) => ANSWERS_AT[moment].includes(answer) && (!about || DOING.test(moment)));
}
