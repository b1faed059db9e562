import { isObject, type JsonObject } from "@earshot/protocol/json";

/** A JSON object that is all of the output; undefined for anything else. */
export function readObject(output: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(output);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // text, or nothing
  }
}

export function objectAt(value: JsonObject | undefined, key: string): JsonObject | undefined {
  const found = value?.[key];
  return isObject(found) ? found : undefined;
}

export function textAt(value: JsonObject | undefined, key: string): string | undefined {
  const found = value?.[key];
  return typeof found === "string" ? found : undefined;
}
