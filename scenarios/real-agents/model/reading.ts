import { isObject, type JsonObject } from "../../../packages/protocol/src/json.ts";

/** The objects of a value that may not be a list. */
export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((one) => isObject(one)) : [];
}

export function textsIn(values: readonly unknown[]): readonly string[] {
  return values.filter((one) => typeof one === "string");
}
