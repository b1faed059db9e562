import { isObject, type JsonValue } from "@earshot/protocol/json";
import { TRUNCATED } from "../requests/held-table.ts";

/** The hub takes no larger event; what is kept must fit. */
export const LARGEST_KEPT = 512 * 1024;
const LONGEST_TEXT = 4096;

/** The event itself, or with its long texts cut where it would be too large to be taken. */
export function fitEvent<Event extends object>(event: Event): Event {
  if (JSON.stringify(event).length <= LARGEST_KEPT) return event;
  const cut = shorten(event as unknown as JsonValue) as unknown as Event & { readonly extensions?: object };
  const fitted = { ...cut, extensions: { ...cut.extensions, [TRUNCATED]: true } };
  return JSON.stringify(fitted).length <= LARGEST_KEPT ? fitted : { ...fitted, action: undefined, content: undefined };
}

function shorten(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value === "string") return value.length <= LONGEST_TEXT ? value : `${value.slice(0, LONGEST_TEXT).toWellFormed()}…`;
  if (Array.isArray(value)) return value.slice(0, 1000).map((one: JsonValue) => shorten(one) ?? null);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shorten(one)]));
}
