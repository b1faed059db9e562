import { isObject, type JsonValue } from "@earshot/protocol/json";
import type { ReadCall } from "../calls/read-call.ts";

const MOST_CHARACTERS = 1_000_000;

/** The exact text of what is asked: the command where it is one, else every member of the input, each in a line of its own. */
export function exactOf(input: JsonValue | undefined, call: ReadCall): string {
  const text = call.script ?? (typeof input === "string" ? input : isObject(input) ? membersOf(input) : JSON.stringify(input ?? ""));
  return input === undefined && call.script === undefined ? "" : text.slice(0, MOST_CHARACTERS);
}

function membersOf(input: Readonly<Record<string, JsonValue | undefined>>): string {
  return Object.entries(input)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value ?? null)}`)
    .join("\n");
}
