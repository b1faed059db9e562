import { isObject, type JsonObject } from "../../../packages/protocol/src/json.ts";

/** The objects in a list that may not be one. */
export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((one) => isObject(one)) : [];
}

export function textsIn(values: readonly unknown[]): readonly string[] {
  return values.filter((one) => typeof one === "string");
}
