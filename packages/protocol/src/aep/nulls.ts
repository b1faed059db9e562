import { isObject, type JsonObject, type JsonValue } from "../json.ts";
import { pointerTo } from "../problem.ts";

/** The objects that the draft defines, and those inside them. What is not named here is data and keeps its nulls. */
interface Structure {
  readonly [member: string]: Structure;
}

const FLAT: Structure = {};
const WITH_ICON: Structure = { icon: FLAT };
const STRUCTURE: Structure = {
  agent: FLAT,
  session: { parent: FLAT },
  user: FLAT,
  workspace: FLAT,
  model: FLAT,
  action: { error: FLAT },
  tool: WITH_ICON,
  server: WITH_ICON,
  skill: FLAT,
  content: FLAT,
  attachments: FLAT,
  decision: FLAT,
  metrics: FLAT,
  lifecycle: FLAT,
  control: FLAT,
};

export interface WithoutNulls {
  /** The record with its null members left out; the record itself when it has none. */
  readonly value: JsonObject;
  /** Pointer to the first of them. */
  readonly pointer: string | undefined;
}

/**
 * Reads a null member as an absent one, as far as the draft's own objects go. Nulls inside the arguments and the result
 * of an action, a tool's schema and extensions belong to somebody else and stay.
 */
export function withoutNulls(record: JsonObject): WithoutNulls {
  const pointer = firstNull(record, STRUCTURE);
  return { value: pointer === undefined ? record : copyOf(record, STRUCTURE), pointer };
}

function firstNull(object: JsonObject, structure: Structure): string | undefined {
  for (const key in object) {
    const member = object[key];
    if (member === null) return pointerTo(key);
    const inner = innerOf(structure, key);
    if (inner === undefined || typeof member !== "object") continue;
    const found = Array.isArray(member) ? firstNullOfItems(member, inner) : firstNull(member as JsonObject, inner);
    if (found !== undefined) return pointerTo(key) + found;
  }
  return undefined;
}

function firstNullOfItems(items: readonly JsonValue[], structure: Structure): string | undefined {
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    const found = isObject(item) ? firstNull(item, structure) : undefined;
    if (found !== undefined) return pointerTo(index) + found;
  }
  return undefined;
}

function copyOf(object: JsonObject, structure: Structure): JsonObject {
  const copy: Record<string, JsonValue | undefined> = {};
  for (const key in object) {
    const member = object[key];
    if (member === null) continue;
    const inner = innerOf(structure, key);
    if (inner === undefined) copy[key] = member;
    else if (Array.isArray(member)) copy[key] = member.map((item: JsonValue) => (isObject(item) ? copyOf(item, inner) : item));
    else copy[key] = isObject(member) ? copyOf(member, inner) : member;
  }
  return copy;
}

function innerOf(structure: Structure, key: string): Structure | undefined {
  return Object.hasOwn(structure, key) ? structure[key] : undefined;
}
