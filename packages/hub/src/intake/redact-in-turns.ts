import { setImmediate as nextTurn } from "node:timers/promises";
import type { JsonValue } from "@earshot/protocol/json";
import { mayHoldSecret, type Span, seekSecrets } from "./redact-find.ts";
import type { SecretsByString } from "./redact-json.ts";

/** Characters scanned by all patterns per turn of the event loop: a few milliseconds. */
const MAX_TURN_CHARACTERS = 512 * 1024;

/** Finds the secrets of a long JSON text in several turns of the event loop, so that others do not wait; see `RedactOptions.found`. */
export async function findSecretsInTurns(text: string): Promise<SecretsByString | undefined> {
  if (!mayHoldSecret(text)) return undefined;
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return undefined; // it will be refused
  }
  const found = new Map<string, readonly Span[]>();
  let characters = 0;
  for (const said of stringsIn([value])) {
    if (found.has(said) || !mayHoldSecret(said)) continue;
    const steps = seekSecrets(said);
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) {
      characters += step.value;
      if (characters < MAX_TURN_CHARACTERS) continue;
      characters = 0;
      await nextTurn();
    }
    found.set(said, step.value);
  }
  return found;
}

/** The strings and names in a value. Uses a stack, because nesting may exceed the call stack. */
function* stringsIn(stack: (JsonValue | undefined)[]): Generator<string> {
  for (let value = stack.pop(); stack.length > 0 || value !== undefined; value = stack.pop()) {
    if (typeof value === "string") yield value;
    if (typeof value !== "object" || value === null) continue;
    if (!Array.isArray(value)) yield* Object.keys(value);
    for (const member of Object.values(value)) stack.push(member as JsonValue);
  }
}
