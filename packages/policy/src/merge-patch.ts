import type { JsonObject, JsonValue } from "@earshot/protocol";

/** RFC 7396: members of the patch take the place of the value's; null removes one. */
export function mergePatch(value: JsonValue | undefined, patch: JsonObject): JsonObject {
  const merged: Record<string, JsonValue | undefined> = Object.create(null);
  if (isObject(value)) for (const [name, member] of Object.entries(value)) merged[name] = member;
  for (const [name, member] of Object.entries(patch)) {
    if (member === null) delete merged[name];
    else if (member !== undefined) merged[name] = isObject(member) ? mergePatch(merged[name], member) : member;
  }
  return { ...merged };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
