import { type JsonObject, readJson } from "../src/json.ts";
import type { ReadingFacts } from "../src/protocol.ts";

/** An item as read from a file: written as text and parsed. */
export function readItem(item: unknown): { readonly value: JsonObject; readonly facts: ReadingFacts } {
  const text = JSON.stringify(item);
  const read = readJson(text);
  if (!read.ok) throw new Error(`Not readable: ${read.problem.message}`);
  return { value: read.value as JsonObject, facts: read.facts };
}
