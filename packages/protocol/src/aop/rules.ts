import type { Rule } from "../rule.ts";
import { AOP_ENVELOPE_RULES } from "./envelope.ts";
import { GOALS_RULES } from "./goals.ts";
import { AOP_LIFECYCLE_RULES } from "./lifecycle.ts";
import { NOTES_RULES } from "./notes.ts";
import { PAYLOADS_RULES } from "./payloads.ts";
import { SESSION_RULES } from "./session.ts";
import { TOOL_CALLS_RULES } from "./tool-calls.ts";
import { TREE_RULES } from "./tree.ts";
import { TYPE_NAME_RULES } from "./type-name.ts";

/** Every checkable clause of AOP 1.0. Ids are public: add freely, never rename. */
export const AOP_RULES = {
  ...AOP_ENVELOPE_RULES,
  ...TYPE_NAME_RULES,
  ...PAYLOADS_RULES,
  ...NOTES_RULES,
  ...SESSION_RULES,
  ...AOP_LIFECYCLE_RULES,
  ...TOOL_CALLS_RULES,
  ...GOALS_RULES,
  ...TREE_RULES,
} as const satisfies Record<string, Rule>;

export type AopRuleId = keyof typeof AOP_RULES;
