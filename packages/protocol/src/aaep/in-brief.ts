import { brief, isBrief } from "../brief.ts";
import { isObject, type JsonObject, type JsonValue } from "../json.ts";

/** Read in full, and kept in part or not at all. */
const IN_FULL: ReadonlySet<string> = new Set(["chunk", "action", "question"]);
/** Lists of which the lifecycle keeps the texts. */
const LISTS = ["allowed_replies", "accepted_response_kinds", "choices"] as const;

/**
 * An event or reply with bounded texts in the places that a session's state may keep. Nearly all have none that is too
 * long and are handed back as they are. Judged in its place it gives the same findings, with a long name cut short.
 */
export function inBrief(value: JsonObject): JsonObject {
  let copy: Record<string, JsonValue | undefined> | undefined;
  for (const name in value) {
    const member = value[name];
    if (typeof member !== "string" || isBrief(member) || IN_FULL.has(name)) continue;
    copy ??= { ...value };
    copy[name] = brief(member);
  }
  for (const name of LISTS) {
    const list = value[name];
    if (!Array.isArray(list)) continue;
    copy ??= { ...value };
    copy[name] = list.map(itemInBrief);
  }
  const context = value["extra_context"];
  if (isObject(context)) {
    copy ??= { ...value };
    copy["extra_context"] = inBrief(context);
  }
  return copy ?? value;
}

function itemInBrief(item: JsonValue): JsonValue {
  if (typeof item === "string") return brief(item);
  return isObject(item) ? inBrief(item) : item;
}
