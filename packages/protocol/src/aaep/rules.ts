import type { Rule } from "../rule.ts";
import { EVENT_RULES } from "./rules/event-rules.ts";
import { REQUEST_RULES } from "./rules/request-rules.ts";
import { SESSION_RULES } from "./rules/session-rules.ts";
import { SUBSCRIPTION_RULES } from "./rules/subscription-rules.ts";

/** Every clause of AAEP 1.0 that Earshot knows, in the order in which an event meets them. */
export const AAEP_RULES = {
  ...EVENT_RULES,
  ...SESSION_RULES,
  ...REQUEST_RULES,
  ...SUBSCRIPTION_RULES,
} as const satisfies Record<string, Rule>;

export type AaepRuleId = keyof typeof AAEP_RULES;
