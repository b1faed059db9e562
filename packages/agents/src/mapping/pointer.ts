import type { JsonValue } from "@earshot/protocol/json";
import { isList } from "./value.ts";

const MOST_SEGMENTS = 64;
const FORBIDDEN: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Names by which a program's own objects could be reached. */
export function isForbiddenName(name: string): boolean {
  return FORBIDDEN.has(name);
}

/** The segments of an RFC 6901 pointer; undefined when it is none, is too deep, or leads to a forbidden name. */
export function parsePointer(text: string): readonly string[] | undefined {
  if (text === "") return [];
  if (!text.startsWith("/") || /~(?![01])/.test(text)) return undefined;
  const segments = text
    .slice(1)
    .split("/")
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
  return segments.length > MOST_SEGMENTS || segments.some(isForbiddenName) ? undefined : segments;
}

/** What a value holds at a pointer. Undefined when there is nothing; a null that stands there is a null. */
export type Look = (value: JsonValue) => JsonValue | undefined;

/** A pointer made ready for being used many times. One that cannot be parsed finds nothing. */
export function createLook(text: string): Look {
  const segments = parsePointer(text);
  if (segments === undefined) return () => undefined;
  const [first, second] = segments;
  // Most pointers have one segment or two.
  if (first === undefined) return (value) => value;
  if (second === undefined) return (value) => member(value, first);
  if (segments.length === 2) {
    return (value) => {
      const inner = member(value, first);
      return inner === undefined ? undefined : member(inner, second);
    };
  }
  return (value) => {
    let inner: JsonValue | undefined = value;
    for (const segment of segments) {
      inner = member(inner, segment);
      if (inner === undefined) return undefined;
    }
    return inner;
  };
}

function member(value: JsonValue, name: string): JsonValue | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (isList(value)) return /^(?:0|[1-9]\d{0,8})$/.test(name) ? value[Number(name)] : undefined;
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
