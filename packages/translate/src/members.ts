import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol/json";

// Members of an object by the type they should have. One of another type is as good as none.

/** A text that says something. */
export function text(value: JsonObject, name: string): string | undefined {
  const member = value[name];
  return typeof member === "string" && member !== "" ? member : undefined;
}

/** The first of several names that holds a text. */
export function firstText(value: JsonObject, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = text(value, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A number that counts something: never negative. */
export function amount(value: JsonObject, name: string): number | undefined {
  const member = value[name];
  return isAmount(member) ? member : undefined;
}

export function isAmount(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value < Number.POSITIVE_INFINITY;
}

export function flag(value: JsonObject, name: string): boolean | undefined {
  const member = value[name];
  return typeof member === "boolean" ? member : undefined;
}

export function texts(value: JsonObject, name: string): readonly string[] | undefined {
  const member = value[name];
  if (!Array.isArray(member)) return undefined;
  const found = (member as readonly JsonValue[]).filter((item) => typeof item === "string");
  return found.length === 0 ? undefined : found;
}

export function object(value: JsonObject, name: string): JsonObject | undefined {
  const member = value[name];
  return isObject(member) ? member : undefined;
}

/** The objects in a list; empty for everything else. */
export function objects(value: JsonObject, name: string): readonly JsonObject[] {
  const member = value[name];
  return Array.isArray(member) ? (member as readonly JsonValue[]).filter(isObject) : [];
}

export function oneOf<Word extends string>(value: JsonObject, name: string, words: readonly Word[]): Word | undefined {
  const member = value[name];
  return typeof member === "string" ? words.find((word) => word === member) : undefined;
}

/** Any value; null is nothing. */
export function anything(value: JsonObject, name: string): JsonValue | undefined {
  return value[name] ?? undefined;
}

export const NOTHING: JsonObject = Object.freeze({});
export const LEVELS = ["low", "medium", "high"] as const;
