import { setImmediate as nextTurn } from "node:timers/promises";
import type { JsonValue } from "@earshot/protocol/json";
import { mayHoldSecret, type Span, seekSecrets } from "./redact-find.ts";
import type { SecretsByString } from "./redact-json.ts";

/** Characters scanned by all patterns per turn of the event loop: a few milliseconds. */
const MAX_TURN_CHARACTERS = 128 * 1024;
/** The cost of a short string, in characters. */
const STRING_CHARACTERS = 64;
const NO_SPANS: readonly Span[] = [];

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
    if (found.has(said)) continue;
    let spans = NO_SPANS;
    for (const steps = scan(said); ; ) {
      const { done, value } = steps.next();
      if (done === true) {
        spans = value;
        break;
      }
      characters += value;
      if (characters < MAX_TURN_CHARACTERS) continue;
      characters = 0;
      await nextTurn();
    }
    found.set(said, spans);
  }
  return found;
}

function* scan(said: string): Generator<number, readonly Span[]> {
  yield said.length + STRING_CHARACTERS;
  return mayHoldSecret(said) ? yield* seekSecrets(said) : NO_SPANS;
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
