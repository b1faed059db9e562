import type { JsonValue } from "@earshot/protocol/json";
import { readTimestamp } from "@earshot/protocol/timestamp";
import type { FieldKind } from "./field-kinds.ts";
import { isList, isPlain } from "./json-values.ts";

/** Control characters and lone surrogates: such an id could forge a frame in a record stream. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
const UNFIT = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const LONGEST_ID = 1000;

/** Converts a value to the kind of its field, or returns undefined. Nothing is invented: a number may become text, a list may not. */
export type CoerceValue = (value: JsonValue) => JsonValue | undefined;

export function createCoerce(kind: FieldKind): CoerceValue {
  if (typeof kind === "string") return COERCIONS[kind];
  return (value) => (typeof value === "string" && kind.includes(value) ? value : undefined);
}

const COERCIONS: Readonly<Record<Exclude<FieldKind, readonly string[]>, CoerceValue>> = {
  text: toText,
  id: (value) => {
    const text = toText(value);
    return text === undefined || text.length > LONGEST_ID || UNFIT.test(text) || !text.isWellFormed() ? undefined : text;
  },
  number: (value) => (typeof value === "number" && Number.isFinite(value) ? value : undefined),
  boolean: (value) => (typeof value === "boolean" ? value : undefined),
  time: (value) => (typeof value === "string" ? toUtc(value) : undefined),
  texts: (value) => {
    const list = isList(value) ? value.filter((item) => typeof item === "string") : [];
    return list.length === 0 ? undefined : list;
  },
  map: (value) => (typeof value === "object" && value !== null && !isList(value) && isPlain(value) ? value : undefined),
  // A value too deep or unsafe to embed is kept as JSON text: a gate must see everything the agent wants to do.
  any: (value) => (isPlain(value) ? value : toJsonText(value)),
};

/** An empty text carries no information and is left out. */
function toText(value: JsonValue): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) return String(value);
  return undefined;
}

/** A UTC timestamp with milliseconds, so that times sort as text. */
export function toUtc(text: string): string | undefined {
  const instant = readTimestamp(text);
  if (instant === undefined) return undefined;
  if (instant.utc && instant.fractionDigits === 3 && text.endsWith("Z")) return text;
  return toIso(instant.ms);
}

/** Years 0 to 9999, the range of RFC 3339. */
export function toIso(ms: number): string | undefined {
  return ms >= -62_167_219_200_000 && ms < 253_402_300_800_000 ? new Date(ms).toISOString() : undefined;
}

/** JSON of any value, including one nested too deeply for `JSON.stringify`. */
export function toJsonText(value: JsonValue): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined; // nested too deeply to be written at all
  }
}
