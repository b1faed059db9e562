import type { Rule } from "../rule.ts";
import { EVENT_RULES } from "./rules-event.ts";
import { OBJECT_RULES } from "./rules-objects.ts";
import { RECORDING_RULES } from "./rules-recording.ts";
import { RESPONSE_RULES } from "./rules-response.ts";

/**
 * Every checkable clause of the AEP draft. The public page numbers nothing, so a section is one of its headings. Level 0
 * is the core envelope, 1 what a consumer needs to render a row, 2 the rules that make records join, 3 everything.
 */
export const AEP_RULES = {
  ...EVENT_RULES,
  ...OBJECT_RULES,
  ...RECORDING_RULES,
  ...RESPONSE_RULES,
} as const satisfies Record<string, Rule>;

export type AepRuleId = keyof typeof AEP_RULES;
