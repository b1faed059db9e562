import { ANSWERS_AT, MOMENTS, type Moment } from "./behaviour.ts";
import type { Match, PolicyRule } from "./policy.ts";

/** Moments at which something is about to be done, or was. */
const DOING: ReadonlySet<Moment> = new Set<Moment>([
  "action",
  "permission",
  "outcome",
  "subagent-start",
  "confirmation",
  "question",
  "handoff",
]);

/** Criteria that are about what is done: at any other moment there is nothing they could be about. */
const ABOUT_DOING = [
  "tool",
  "toolType",
  "server",
  "skill",
  "command",
  "danger",
  "harmless",
  "inspectable",
  "path",
  "access",
] as const satisfies readonly (keyof Match)[];

/** The moments at which a rule can match, and its answer has a place. */
export function momentsOf({ match, answer }: Pick<PolicyRule, "match" | "answer">): readonly Moment[] {
  const about = ABOUT_DOING.some((name) => match[name] !== undefined);
  return (match.moment ?? MOMENTS).filter((moment) => ANSWERS_AT[moment].includes(answer) && (!about || DOING.has(moment)));
}
