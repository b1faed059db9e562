import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol/json";
import { isList } from "../mapping/json-values.ts";

/** What may stand in for a text in a template. */
export interface Fillings {
  readonly message: string | undefined;
  /** The message, or what is said when there is none. */
  readonly reason: string;
  readonly updated_input: JsonValue | undefined;
  readonly additional_context: string | undefined;
  readonly hook: string;
}

const PLACEHOLDER = /^\$(message|reason|updated_input|additional_context|hook)$/;

/** A template with its texts filled in; a member without one is left out. */
export function fill(template: JsonValue, fillings: Fillings): JsonValue | undefined {
  if (typeof template === "string") {
    const name = PLACEHOLDER.exec(template)?.[1];
    return name === undefined ? template : fillings[name as keyof Fillings];
  }
  if (isList(template)) return template.flatMap((item) => fill(item, fillings) ?? []);
  if (!isObject(template)) return template;
  const filled: Record<string, JsonValue> = {};
  for (const [name, inner] of Object.entries(template)) {
    const value = inner === undefined ? undefined : fill(inner, fillings);
    if (value !== undefined) filled[name] = value;
  }
  return filled;
}

/** Whether a template has a place for one of these. */
export function mentions(template: JsonValue | undefined, ...names: readonly (keyof Fillings)[]): boolean {
  if (typeof template === "string") return names.some((name) => template === `$${name}`);
  if (isList(template)) return template.some((item) => mentions(item, ...names));
  return isObject(template) && Object.values(template).some((inner) => mentions(inner, ...names));
}

/** Two templates in one answer. Objects are laid over each other; where they cannot be, the second is not taken. */
export function merge(base: JsonValue | undefined, added: JsonValue): JsonValue {
  if (base === undefined) return added;
  if (!isObject(base) || !isObject(added)) return base;
  const merged: Record<string, JsonValue | undefined> = { ...base };
  for (const [name, inner] of Object.entries(added)) {
    const there = Object.hasOwn(merged, name) ? merged[name] : undefined;
    if (inner !== undefined) merged[name] = merge(there, inner);
  }
  return merged as JsonObject;
}

/** Whether both can be said at once. */
export function canMerge(base: JsonValue | undefined, added: JsonValue): boolean {
  return base === undefined || (isObject(base) && isObject(added));
}
