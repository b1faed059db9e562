import type { JsonValue } from "@earshot/protocol";
import type { Activity } from "@earshot/translate";
import { shorten } from "./shorten.ts";

/** So much of what one thing says is shown in a story; the ledger has all of it. */
const MOST_CHARACTERS = 16_000;
const MAX_TEXT = 8000;
const MOST_MEMBERS = 100;
const MAX_DEPTH = 12;

/** An activity with its texts cut to what fits on a page. */
export function boundActivity(activity: Activity): Activity {
  // The shape stays: only texts, lists and objects of any content get shorter.
  return bound(activity as unknown as JsonValue, { left: MOST_CHARACTERS }, 0) as unknown as Activity;
}

function bound(value: JsonValue, room: { left: number }, depth: number): JsonValue {
  if (typeof value === "string") {
    const text = shorten(value, Math.max(1, Math.min(MAX_TEXT, room.left)));
    room.left -= text.length;
    return text;
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return "…";
  if (Array.isArray(value)) return (value as readonly JsonValue[]).slice(0, MOST_MEMBERS).map((item) => bound(item, room, depth + 1));
  const members: [string, JsonValue][] = [];
  for (const [name, member] of Object.entries(value)) {
    if (members.length >= MOST_MEMBERS || (depth > 0 && room.left <= 0)) break;
    if (member === undefined) continue;
    room.left -= name.length;
    members.push([shorten(name, 200), bound(member as JsonValue, room, depth + 1)]);
  }
  return Object.fromEntries(members);
}
