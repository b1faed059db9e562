import { isObject, type JsonObject, type JsonValue } from "../json.ts";
import { pointerTo } from "../problem.ts";
import { defineRule } from "../rule.ts";
import { PROMPT, requested } from "./example-events.ts";

export const NULLS_RULES = {
  "aep/no-null": defineRule(["warning", "event", 0, "Example AEP event", ["*", "response"]], {
    title: "A field that is not known is left out, not written as null.",
    hint: "Leave the member out. A null is read as if it were not there.",
    examples: () => ({
      passes: [requested(1, { input: { command: "ls", timeout: null } })],
      fails: [{ ...PROMPT, model: null }],
    }),
  }),
} as const;

/** The objects that the draft defines, and the objects inside them. Everything else is data and keeps its nulls. */
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

const MAX_POINTERS = 16;

export interface WithoutNulls {
  /** The record without its null members; the record itself if it has none. */
  readonly value: JsonObject;
  /** Pointers to the null members in record order, up to a limit. */
  readonly pointers: readonly string[];
}

/**
 * Treats a null member as absent in the objects the draft defines. Nulls in the arguments and the result of an action, in a tool's schema
 * and in extensions are foreign data and stay.
 */
export function omitNulls(record: JsonObject): WithoutNulls {
  const pointers: string[] = [];
  findNulls(record, { structure: STRUCTURE, pointer: "" }, pointers);
  return { value: pointers.length === 0 ? record : copyOf(record, STRUCTURE), pointers };
}

interface Place {
  readonly structure: Structure;
  readonly pointer: string;
}

function findNulls(object: JsonObject, { structure, pointer }: Place, found: string[]): void {
  for (const key in object) {
    if (found.length >= MAX_POINTERS) return;
    const member = object[key];
    if (member === null) {
      found.push(pointer + pointerTo(key));
      continue;
    }
    const inner = innerOf(structure, key);
    if (inner === undefined) continue;
    const place = { structure: inner, pointer: pointer + pointerTo(key) };
    if (isObject(member)) findNulls(member, place, found);
    else if (Array.isArray(member)) findNullsOfItems(member, place, found);
  }
}

function findNullsOfItems(items: readonly JsonValue[], { structure, pointer }: Place, found: string[]): void {
  for (let index = 0; index < items.length && found.length < MAX_POINTERS; index++) {
    const item = items[index];
    if (isObject(item)) findNulls(item, { structure, pointer: pointer + pointerTo(index) }, found);
  }
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
