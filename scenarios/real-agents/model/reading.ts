import { isObject, type JsonObject } from "../../../packages/protocol/src/json.ts";
import type { OfferedTool } from "./script.ts";

/** The objects of a value that may not be a list. */
export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((one) => isObject(one)) : [];
}

export function readTool(name: unknown, schema: unknown): OfferedTool {
  return { name: String(name), members: objectsIn([schema]).flatMap(({ properties }) => objectsIn([properties]).flatMap(Object.keys)) };
}
