import { isObject, type JsonValue } from "@earshot/protocol";
import type { Activity } from "@earshot/protocol/activities";

/** Cuts a text with an ellipsis, never inside a surrogate pair. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text.toWellFormed();
  return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, "")}…`.toWellFormed();
}

/** The first characters of a value's JSON. The rest is not serialized, because a tool's input may be megabytes long. */
export function beginningOf(value: JsonValue | undefined, length: number): string {
  return write("", value, length).slice(0, length);
}

function write(before: string, value: JsonValue | undefined, length: number): string {
  if (before.length >= length) return before;
  if (typeof value === "string") return before + JSON.stringify(value.slice(0, length));
  if (isObject(value)) {
    let text = `${before}{`;
    let comma = "";
    // `Object.entries` would visit every member although only a few are needed.
    for (const key in value) {
      if (text.length >= length) return text;
      if (value[key] === undefined) continue;
      text = write(`${text}${comma}${JSON.stringify(key.slice(0, length))}:`, value[key], length);
      comma = ",";
    }
    return `${text}}`;
  }
  if (Array.isArray(value)) {
    let text = `${before}[`;
    let comma = "";
    for (const item of value as readonly JsonValue[]) {
      if (text.length >= length) return text;
      text = write(text + comma, item, length);
      comma = ",";
    }
    return `${text}]`;
  }
  return before + String(value);
}

/** Maximum characters of one story item; the ledger has the whole text. */
const MAX_CHARACTERS = 16_000;
const MAX_TEXT = 8000;
const MAX_MEMBERS = 100;
const MAX_DEPTH = 12;

/** An activity with its texts cut to the size of a page. */
export function boundActivity(activity: Activity): Activity {
  // The shape is preserved: only texts, lists and free-form objects get shorter.
  return bound(activity as unknown as JsonValue, { left: MAX_CHARACTERS }, 0) as unknown as Activity;
}

function bound(value: JsonValue, room: { left: number }, depth: number): JsonValue {
  if (typeof value === "string") {
    const text = shorten(value, Math.max(1, Math.min(MAX_TEXT, room.left)));
    room.left -= text.length;
    return text;
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return "…";
  if (Array.isArray(value)) return (value as readonly JsonValue[]).slice(0, MAX_MEMBERS).map((item) => bound(item, room, depth + 1));
  const members: [string, JsonValue][] = [];
  for (const [name, member] of Object.entries(value)) {
    if (members.length >= MAX_MEMBERS || (depth > 0 && room.left <= 0)) break;
    if (member === undefined) continue;
    room.left -= name.length;
    members.push([shorten(name, 200), bound(member as JsonValue, room, depth + 1)]);
  }
  return Object.fromEntries(members);
}

/**
 * A 53-bit hash that JSON keeps exactly. It represents names of any length in a bounded state. Not for secrets: collisions can be
 * constructed, but only affect the numbers of the attacker's own session.
 */
export function hash53(text: string): number {
  let high = 0xdeadbeef ^ text.length;
  let low = 0x41c6ce57 ^ text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}
