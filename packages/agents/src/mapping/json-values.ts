import { isObject, type JsonValue } from "@earshot/protocol/json";

export function isList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** JSON equality, independent of key order. */
export function isJsonEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (isList(a) || isList(b)) {
    if (!isList(a) || !isList(b) || a.length !== b.length) return false;
    return a.every((item, index) => isJsonEqual(item, b[index]));
  }
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isJsonEqual(a[key], b[key]));
}

/** Maximum nesting of values inside an event, so that the whole event stays within the readers' limit. */
const MAX_LEVELS = 56;

/** Whether a value can be embedded in an event: not too deep, no dangerous key, no number beyond a double. */
export function isPlain(value: JsonValue | undefined, levels = MAX_LEVELS): boolean {
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

const MAX_SEGMENTS = 64;
const FORBIDDEN: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Names that reach a program's own objects, such as `__proto__`. */
export function isForbiddenName(name: string): boolean {
  return FORBIDDEN.has(name);
}

/** The segments of an RFC 6901 pointer. Undefined for an invalid or too deep pointer, or one with a forbidden name. */
export function parsePointer(text: string): readonly string[] | undefined {
  if (text === "") return [];
  if (!text.startsWith("/") || /~(?![01])/.test(text)) return undefined;
  const segments = text
    .slice(1)
    .split("/")
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
  return segments.length > MAX_SEGMENTS || segments.some(isForbiddenName) ? undefined : segments;
}

/** Reads a value at a pointer. Undefined when it is missing; a stored null is returned as null. */
type Look = (value: JsonValue) => JsonValue | undefined;

/** Compiles a pointer. An invalid one finds nothing. */
export function createLook(text: string): Look {
  const segments = parsePointer(text);
  if (segments === undefined) return () => undefined;
  const [first, second] = segments;
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
