import type { Rule } from "../rule.ts";
import { ASKS_RULES } from "./asks.ts";
import { AUTHORISE_RULES } from "./authorise.ts";
import { AAEP_ENVELOPE_RULES } from "./envelope.ts";
import { AAEP_EXTENSIONS_RULES } from "./extensions.ts";
import { HANDOFF_RULES } from "./handoff.ts";
import { HANDSHAKE_RULES } from "./handshake.ts";
import { AAEP_LIFECYCLE_RULES } from "./lifecycle.ts";
import { ORDER_RULES } from "./order.ts";
import { OUTPUTS_RULES } from "./outputs.ts";
import { PROGRESS_RULES } from "./progress.ts";
import { QUESTIONS_RULES } from "./questions.ts";
import { REPLIES_RULES } from "./replies.ts";
import { STATES_RULES } from "./states.ts";
import { SUBSCRIPTIONS_RULES } from "./subscriptions.ts";
import { TEXTS_RULES } from "./texts.ts";
import { TOOLS_RULES } from "./tools.ts";

/** Every clause of AAEP 1.0 that Earshot knows, by topic. */
export const AAEP_RULES = {
  ...AAEP_ENVELOPE_RULES,
  ...AAEP_EXTENSIONS_RULES,
  ...TEXTS_RULES,
  ...AAEP_LIFECYCLE_RULES,
  ...ORDER_RULES,
  ...STATES_RULES,
  ...PROGRESS_RULES,
  ...TOOLS_RULES,
  ...OUTPUTS_RULES,
  ...QUESTIONS_RULES,
  ...AUTHORISE_RULES,
  ...ASKS_RULES,
  ...REPLIES_RULES,
  ...HANDOFF_RULES,
  ...HANDSHAKE_RULES,
  ...SUBSCRIPTIONS_RULES,
} as const satisfies Record<string, Rule>;

export type AaepRuleId = keyof typeof AAEP_RULES;
