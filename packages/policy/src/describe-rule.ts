import type { PolicyRule, RuleMatch } from "./policy.ts";

const MAX_NAMED = 5;

/** Describes a rule as one part of a sentence for the approver. */
export function describeRule({ name, match, except, answer, unanswered, unreachable, hold, updatedInput }: PolicyRule): string {
  const what = describeMatch(match);
  const apart = except === undefined ? "" : `, except ${describeMatch(except)}`;
  const extras: string[] = [];
  if (answer === "ask" || answer === "defer") {
    if (unanswered !== "ask") extras.push(`${unanswered} when nobody answers`);
    if (unreachable !== "ask") extras.push(`${unreachable} when the hub cannot be reached`);
    if (hold !== "when-someone-listens") extras.push(`hold ${hold}`);
  }
  if (updatedInput !== undefined) extras.push("with a changed input");
  return `${name}: ${[answer, ...extras].join(", ")}, for ${what}${apart}`;
}

function describeMatch(match: RuleMatch): string {
  const parts = Object.entries(match).map(([name, value]) => `${name} ${describeValue(value)}`);
  return parts.length === 0 ? "everything" : parts.join(" and ");
}

function describeValue(value: unknown): string {
  if (!Array.isArray(value)) return String(value);
  const shown = value.slice(0, MAX_NAMED).map((one) => (typeof one === "string" ? one : `/${one.regex}/`));
  const more = value.length - shown.length;
  return more > 0 ? `${shown.join(" or ")} or ${more} more` : shown.join(" or ");
}
