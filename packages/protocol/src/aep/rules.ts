import type { Rule } from "../rule.ts";
import { ANSWER_RULES } from "./answer.ts";
import { CARRIES_RULES } from "./carries.ts";
import { CONTENT_RULES } from "./content.ts";
import { AEP_ENVELOPE_RULES } from "./envelope.ts";
import { IDS_RULES } from "./ids.ts";
import { JOIN_RULES } from "./join.ts";
import { AEP_LIFECYCLE_RULES } from "./lifecycle.ts";
import { MEMBER_NAMES_RULES } from "./member-names.ts";
import { NULLS_RULES } from "./nulls.ts";
import { OBJECTS_RULES } from "./objects.ts";
import { ROWS_RULES } from "./rows.ts";

/**
 * Every checkable clause of the AEP draft. The public page numbers nothing, so a section is one of its headings. Level 0 is the core
 * envelope, 1 is what a consumer needs to render a row, 2 is the rules that make records join, 3 is everything.
 */
export const AEP_RULES = {
  ...AEP_ENVELOPE_RULES,
  ...NULLS_RULES,
  ...IDS_RULES,
  ...MEMBER_NAMES_RULES,
  ...CARRIES_RULES,
  ...CONTENT_RULES,
  ...OBJECTS_RULES,
  ...ROWS_RULES,
  ...AEP_LIFECYCLE_RULES,
  ...ANSWER_RULES,
  ...JOIN_RULES,
} as const satisfies Record<string, Rule>;

export type AepRuleId = keyof typeof AEP_RULES;
