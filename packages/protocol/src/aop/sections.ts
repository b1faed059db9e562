import { defineRule, type Rule, type RuleWords } from "../rule.ts";
import type { AopType } from "./aliases.ts";

// Sections of the public pages, which are not numbered.
export const EVENT_TYPES_PAGE = "Event Types";
export const LIFECYCLE = "Event Types, Tier 1 — Lifecycle";
export const COGNITION = "Event Types, Tier 2 — Cognition";
export const OPERATIONS = "Event Types, Tier 3 — Operations";
export const ORDER = "Event Types, Event lifecycle";
export const INSTRUMENTATION_PATTERNS = "Event Types, Instrumentation patterns";
export const COST = "Event Types, Cost tracking";
export const SECURITY = "Event Types, Security note";
export const TRANSPORT = "Transport";

/** The rule for the payload of a type. */
export function payloadRule(section: string, type: AopType, words: RuleWords): Rule {
  return defineRule(["error", "event", 0, section, [type]], { ...words, title: `The payload of \`${type}\` ${words.title}` });
}
