import { stringify } from "yaml";
import type { HookBehaviour } from "../behaviour.ts";
import type { PolicyRule, RuleMatch } from "../policy.ts";
import { RULE_DEFAULTS } from "../policy.ts";

/** A rule that is proposed and not yet accepted. */
export interface RuleDraft {
  readonly name: string;
  readonly match: RuleMatch;
  readonly except?: RuleMatch;
  readonly answer: HookBehaviour;
  readonly message?: string;
}

/** The rule as one entry of `rules` in the file. */
export function writeRule({ name, match, except, answer, message }: RuleDraft): string {
  const rule = {
    name,
    match: writeMatch(match),
    ...(except === undefined ? {} : { except: writeMatch(except) }),
    answer,
    ...(message === undefined ? {} : { message }),
  };
  return stringify([rule], { lineWidth: 0, version: "1.2", schema: "core" });
}

export function toRule(draft: RuleDraft): PolicyRule {
  return { ...RULE_DEFAULTS, from: { file: "draft", line: 1 }, ...draft };
}

/** A list with one member is written as that member. */
function writeMatch(match: RuleMatch): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(match).map(([key, value]) => [key, Array.isArray(value) && value.length === 1 ? value[0] : value]),
  );
}
