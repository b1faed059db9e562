import type { JsonValue } from "@earshot/protocol/json";
import { type EventDraft, isDraft } from "./draft.ts";
import { isList } from "./json-values.ts";

/**
 * The members that all hooks of one call share: agent, session, turn, tool and input, or the members a mapping file names instead of the
 * last two. Two calls with the same input have the same key; their order distinguishes them.
 */
export function callKey(draft: EventDraft, correlated: readonly JsonValue[] | undefined): string {
  const { agent, session, tool, action } = draft;
  const common = [inner(agent, "slug"), inner(session, "id"), inner(session, "turn_id")];
  const rest = correlated ?? [inner(tool, "original_name") ?? inner(tool, "name") ?? inner(action, "type"), inner(action, "input")];
  return digestValue([...common, ...rest]);
}

function inner(object: unknown, name: string): JsonValue {
  return isDraft(object) && object[name] !== undefined ? (object[name] as JsonValue) : null;
}

/**
 * A 64-bit digest of a value as 16 hexadecimal digits, independent of key order. It distinguishes the calls of one session; it is not
 * collision resistant.
 */
export function digestValue(value: JsonValue | undefined): string {
  return hex(mix(hash(value, 0x9e3779b9, 0x01000193))) + hex(mix(hash(value, 0x85ebca6b, 0x5bd1e995)));
}

/** A 32-bit hash with a given seed and factor. It neither serializes nor sorts, because every tool call passes here. */
function hash(value: JsonValue | undefined, seed: number, factor: number): number {
  if (typeof value === "string") return hashText(value, seed, factor);
  if (typeof value !== "object" || value === null) return hashText(String(value), seed ^ 1, factor);
  if (isList(value)) {
    let bits = seed ^ 2;
    for (const item of value) bits = Math.imul(bits ^ hash(item, seed, factor), factor) ^ (bits >>> 15);
    return bits;
  }
  let bits = seed ^ 3;
  // Members are added because key order has no meaning, and mixed first so that swapped values differ.
  for (const key in value) bits = (bits + mix(Math.imul(hashText(key, seed, factor), 31) ^ hash(value[key], seed, factor))) | 0;
  return bits;
}

function hashText(text: string, seed: number, factor: number): number {
  let bits = seed ^ text.length;
  for (let index = 0; index < text.length; index++) bits = Math.imul(bits ^ text.charCodeAt(index), factor);
  return bits ^ (bits >>> 15);
}

function mix(bits: number): number {
  const once = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}

function hex(bits: number): string {
  return (bits >>> 0).toString(16).padStart(8, "0");
}
