import type { Finding } from "../finding.ts";
import { isObject, type JsonObject } from "../json.ts";
import { defineRule } from "../rule.ts";
import { quoteJsonValue } from "../schema.ts";
import { PROMPT } from "./example-events.ts";
import type { AepRuleId } from "./rules.ts";

export const IDS_RULES = {
  "aep/id-characters": defineRule(["error", "event", 0, "What AEP makes explicit", ["*", "response"]], {
    title: "Ids have no control characters, no line breaks and no half characters.",
    hint: "An id is copied into other records, and written bare where records are streamed: a line break in it forges a frame. Use printable characters, such as a ULID.",
    examples: () => ({ passes: [PROMPT], fails: [{ ...PROMPT, id: "evt_1\nevent: forged" }] }),
  }),
  "aep/agent-slug": defineRule(["warning", "event", 3, "What AEP makes explicit", ["*"]], {
    title: "`agent.slug` is written in lower-case letters, digits, `-`, `_` and `.`.",
    hint: "Rules and dashboards compare slugs as text. Write `claude`; the name for people goes into `agent.display_name`.",
    oncePerSession: true,
    examples: () => ({ passes: [PROMPT], fails: [{ ...PROMPT, agent: { slug: "Claude Code" } }] }),
  }),
} as const;

/** Control characters, the two Unicode line separators, and every half of a surrogate pair, paired or not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
const SUSPECT = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const SLUG = /^[a-z0-9._-]+$/;

/**
 * Checks the ids of an event that other records copy. Streams write an id without quoting, so a line break in it would start a forged
 * frame; an unpaired surrogate does not survive UTF-8 encoding.
 */
export function findInEventIds({ id, session, action, agent }: JsonObject, findings: Finding[]): void {
  findInId(id, "/id", findings);
  if (isObject(session)) findInId(session["id"], "/session/id", findings);
  if (isObject(action)) findInId(action["id"], "/action/id", findings);
  const slug = isObject(agent) ? agent["slug"] : undefined;
  if (typeof slug !== "string" || slug === "" || SLUG.test(slug)) return;
  add(findings, "aep/agent-slug", `\`agent.slug\` is not a lower-case word; found ${quoteJsonValue(slug)}.`, "/agent/slug");
}

export function findInResponseIds({ id, request_event_id: requestId, action_id: actionId }: JsonObject, findings: Finding[]): void {
  findInId(id, "/id", findings);
  findInId(requestId, "/request_event_id", findings);
  findInId(actionId, "/action_id", findings);
}

function findInId(id: unknown, pointer: string, findings: Finding[]): void {
  if (typeof id !== "string" || !SUSPECT.test(id)) return;
  const control = CONTROL.exec(id)?.[0];
  if (control === undefined && id.isWellFormed()) return;
  const name = pointer.slice(1).replaceAll("/", ".");
  const what = control === undefined ? "half a character" : `the control character ${codeOf(control)}`;
  add(findings, "aep/id-characters", `\`${name}\` contains ${what}; found ${quoteJsonValue(id)}.`, pointer);
}

function codeOf(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function add(findings: Finding[], rule: AepRuleId, message: string, pointer: string): void {
  findings.push({ rule, message, pointer });
}
