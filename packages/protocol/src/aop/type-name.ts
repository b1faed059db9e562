import type { Finding } from "../finding.ts";
import { defineRule } from "../rule.ts";
import { quoteJsonValue } from "../schema.ts";
import { AOP_TYPES } from "./aliases.ts";
import { event, run, thought } from "./example-events.ts";
import { EVENT_TYPES_PAGE } from "./sections.ts";

const ANY = ["*"];

export const TYPE_NAME_RULES = {
  "aop/type-known": defineRule(["warning", "event", 0, EVENT_TYPES_PAGE, ANY], {
    title: "A type that begins with session, cognition, operation or aop is one of the twelve.",
    hint: "Check the spelling; types of your own need a first part of their own.",
    examples: () => ({ passes: run(thought(2)), fails: run(event(2, "cognition.though", { content: "Hm." })) }),
  }),
  "aop/type-namespaced": defineRule(["warning", "event", 0, EVENT_TYPES_PAGE, ANY], {
    title:
      "A type of one's own has two or more parts joined by dots, in lower-case letters, digits, `_` and `-`, each beginning with a letter.",
    hint: "Put the name of your project before it, for example `billing.invoice_sent`.",
    examples: () => ({ passes: run(event(2, "billing.checked")), fails: run(event(2, "checked")) }),
  }),
} as const;

const RESERVED = /^(?:session|cognition|operation|aop)(?:\.|$)/i;
const MAX_LENGTH = 128;
const CUSTOM = /^[a-z][a-z0-9_-]*(?:\.[a-z][a-z0-9_-]*)+$/;

/**
 * The finding for a type that is not one of the twelve. The protocol permits custom types and defines no grammar; a well-formed one gives
 * no finding, so only likely typing errors are shown.
 */
export function judgeTypeName(type: string): Finding | undefined {
  if (RESERVED.test(type)) {
    const near = nearestType(type);
    return {
      rule: "aop/type-known",
      pointer: "/type",
      message: `${quoteJsonValue(type)} is no type of AOP 1.0.`,
      ...(near === undefined ? {} : { hint: `Did you mean \`${near}\`?` }),
    };
  }
  // A longer one is already reported as too long; matching it part by part could exhaust the stack.
  if (type.length > MAX_LENGTH || CUSTOM.test(type)) return undefined;
  const near = nearestType(type);
  return {
    rule: "aop/type-namespaced",
    pointer: "/type",
    message: type.includes(".") ? `${quoteJsonValue(type)} is not well formed.` : `${quoteJsonValue(type)} has no prefix.`,
    ...(near === undefined ? {} : { hint: `Did you mean \`${near}\`?` }),
  };
}

/** The known type with the smallest edit distance, if that is small enough for a typo. */
export function nearestType(type: string): string | undefined {
  if (type.length > 64) return undefined;
  const typed = type.toLowerCase();
  let best: string | undefined;
  let bestEdits = 5;
  for (const known of AOP_TYPES) {
    // A missing prefix counts as one edit, whatever its length.
    const bare = known.slice(known.indexOf(".") + 1);
    const edits = Math.min(editsBetween(typed, known), typed === bare ? 1 : bestEdits);
    if (edits < bestEdits) {
      bestEdits = edits;
      best = known;
    }
  }
  return best;
}

function editsBetween(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const swap = (row[j - 1] as number) + (left.charCodeAt(i - 1) === right.charCodeAt(j - 1) ? 0 : 1);
      next.push(Math.min(swap, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[right.length] as number;
}
