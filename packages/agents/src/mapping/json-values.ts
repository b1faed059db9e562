import { isObject, type JsonValue } from "@earshot/protocol/json";

/** `Array.isArray` for values that may only be read. */
export function isList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Equal as JSON, whatever the order of keys. */
export function isEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (isList(a) || isList(b)) {
    if (!isList(a) || !isList(b) || a.length !== b.length) return false;
    return a.every((item, index) => isEqual(item, b[index]));
  }
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key]));
}

/** How deep values may be nested inside an event, so that the event itself stays within what every reader takes. */
const MOST_LEVELS = 56;

/** Whether a value can be written into an event as it is: not too deep, no key that attacks readers, no number past a double. */
export function isPlain(value: JsonValue | undefined, levels = MOST_LEVELS): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  if (isList(value)) {
    for (const item of value) if (!isPlain(item, levels - 1)) return false;
    return true;
  }
  for (const key in value) {
    const inner = value[key];
    if (key === "__proto__" || (key === "constructor" && isObject(inner) && Object.hasOwn(inner, "prototype"))) return false;
    if (!isPlain(inner, levels - 1)) return false;
  }
  return true;
}

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
type Look = (value: JsonValue) => JsonValue | undefined;

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
