import { boundText, isBrief } from "../brief.ts";
import { isObject, type JsonObject, type JsonValue } from "../json.ts";

/** Members that the lifecycle reads in full and keeps only in part or not at all. */
const IN_FULL: ReadonlySet<string> = new Set(["chunk", "action", "question"]);
/** Lists whose texts the lifecycle keeps. */
const LISTS = ["allowed_replies", "accepted_response_kinds", "choices"] as const;

/**
 * Returns an event or reply with bounded texts in the members that a session's state may keep. Nearly all have no long text and are
 * returned unchanged. The shortened copy yields the same findings, with long names truncated.
 */
export function boundAaepTexts(value: JsonObject): JsonObject {
  let copy: Record<string, JsonValue | undefined> | undefined;
  for (const name in value) {
    const member = value[name];
    if (typeof member !== "string" || isBrief(member) || IN_FULL.has(name)) continue;
    copy ??= { ...value };
    copy[name] = boundText(member);
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
    copy["extra_context"] = boundAaepTexts(context);
  }
  return copy ?? value;
}

function itemInBrief(item: JsonValue): JsonValue {
  if (typeof item === "string") return boundText(item);
  return isObject(item) ? boundAaepTexts(item) : item;
}
