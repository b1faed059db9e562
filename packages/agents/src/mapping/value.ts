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
export const MOST_LEVELS = 56;

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
