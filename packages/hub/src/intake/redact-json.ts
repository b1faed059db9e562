import { setImmediate as nextTurn } from "node:timers/promises";
import { countCodePoints } from "@earshot/protocol/code-points";
import type { JsonObject, JsonValue } from "@earshot/protocol/json";
import { SECRET_SHAPES } from "@earshot/protocol/secrets";
import type { RedactionMark } from "../ledger/ledger.ts";
import { findSecrets, findSecretsInSteps, MASK_CHARACTER, maskSpans, mayHoldSecret, type SecretSpan } from "./redact-find.ts";
import { rewriteJsonStrings } from "./redact-strings.ts";

export interface RedactOptions {
  /** Pointers to unmasked strings, because they identify the event; see `secretInIdentity`. */
  readonly skip?: ReadonlySet<string>;
  /** Secrets found earlier in some of the strings. */
  readonly found?: SecretsByString | undefined;
}

/** The secrets of strings already scanned. */
export type SecretsByString = ReadonlyMap<string, readonly SecretSpan[]>;

export interface RedactedJson {
  readonly text: string;
  readonly value: JsonValue;
  readonly marks: readonly RedactionMark[];
}

const NONE: ReadonlySet<string> = new Set();
/** The shape recognized by its member name. */
const NAMED = SECRET_SHAPES.find(({ members }) => members !== undefined);
const SECRET_MEMBER = new RegExp(NAMED?.members ?? "$^");
/** Shorter values are switches and counters: `"password": "required"` is the shortest ambiguous one. */
const SHORTEST_MEMBER = 8;
/** A mask, or a word in place of a secret. */
const PLACEHOLDER =
  /^(?:[*█•#.xX-]+|<[^<>]*>|\$\{[^{}]*\}|\$\w+|%\w+%|\{\{[^{}]*\}\}|\[[A-Za-z _-]+\]|\([A-Za-z0-9 _-]+\)|your[\w -]*|(?:redacted|undefined|required|optional)\.?)$/i;

/**
 * Masks the secrets in a JSON text. Undefined if there are none, which one scan decides for nearly all texts. Strings are masked in
 * place: only their own literals are rewritten.
 */
export function redactJson(text: string, value: JsonValue, options: RedactOptions = {}): RedactedJson | undefined {
  if (!mayHoldSecret(text)) return undefined;
  const { skip = NONE, found } = options;
  const marks: RedactionMark[] = [];
  const rewritten = rewriteJsonStrings(text, value, {
    value(said, pointer, key) {
      if (skip.has(pointer)) return said;
      if (key !== undefined && isNamedSecret(key, said)) {
        const length = countCodePoints(said);
        marks.push({ pointer, shape: NAMED?.name ?? "", length });
        return MASK_CHARACTER.repeat(length);
      }
      return maskString(said, pointer, { marks, found });
    },
    key(said, pointer, object) {
      const before = marks.length;
      const masked = maskString(said, pointer, { marks, found });
      if (masked === said) return said;
      const free = freeKey(masked, object);
      // The pointer refers to the stored text, where the member's name itself is masked.
      for (let index = before; index < marks.length; index++) {
        const mark = marks[index];
        if (mark !== undefined) marks[index] = { ...mark, pointer: `${pointer}/${free.replaceAll("~", "~0").replaceAll("/", "~1")}` };
      }
      return free;
    },
  });
  return rewritten === undefined ? undefined : { ...rewritten, marks };
}

function isNamedSecret(key: string, said: string): boolean {
  return SECRET_MEMBER.test(key) && countCodePoints(said) >= SHORTEST_MEMBER && !PLACEHOLDER.test(said);
}

interface Masking {
  readonly marks: RedactionMark[];
  readonly found: SecretsByString | undefined;
}

/** The string with its secrets masked, with a mark for each. */
function maskString(said: string, pointer: string, { marks, found }: Masking): string {
  const spans = found?.get(said) ?? findSecrets(said);
  if (spans.length === 0) return said;
  for (const { start, end, shape } of spans) marks.push({ pointer, shape, length: countCodePoints(said, start, end) });
  return maskSpans(said, spans);
}

/** Two keys that differ only in their secrets must stay distinct. */
function freeKey(masked: string, object: JsonObject): string {
  let key = masked;
  for (let count = 2; Object.hasOwn(object, key); count++) key = `${masked}~${count}`;
  return key;
}

/** Characters scanned by all patterns per turn of the event loop: a few milliseconds. */
const MAX_TURN_CHARACTERS = 128 * 1024;
/** The cost of a short string, in characters. */
const STRING_CHARACTERS = 64;
const NO_SPANS: readonly SecretSpan[] = [];

/** Finds the secrets of a long JSON text in several turns of the event loop, so that others do not wait; see `RedactOptions.found`. */
export async function findSecretsInTurns(text: string): Promise<SecretsByString | undefined> {
  if (!mayHoldSecret(text)) return undefined;
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return undefined; // it will be refused
  }
  const found = new Map<string, readonly SecretSpan[]>();
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

function* scan(said: string): Generator<number, readonly SecretSpan[]> {
  yield said.length + STRING_CHARACTERS;
  return mayHoldSecret(said) ? yield* findSecretsInSteps(said) : NO_SPANS;
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
