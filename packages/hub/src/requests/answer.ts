import { EarshotError, isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import type { Edit } from "./edit.ts";

/**
 * What can be said to whoever asks. The first eight are AEP's behaviours, for actions, prompts and stops; `accept` and
 * `reject` answer a confirmation, `respond` a question, `take-over` and `decline` a handoff.
 */
export const WORDS = [
  "allow",
  "deny",
  "ask",
  "defer",
  "block",
  "continue",
  "stop",
  "abstain",
  "accept",
  "reject",
  "respond",
  "take-over",
  "decline",
] as const;
export type Word = (typeof WORDS)[number];

export interface Answer {
  readonly word: Word;
  /** With `respond`: what is answered. */
  readonly response?: string | number | boolean | JsonObject;
  /** Words for the agent. */
  readonly message?: string;
  /** Text that is added to what the model knows. */
  readonly context?: string;
  /** With `allow`: how the input is changed, as a patch of what the agent sent. Never the input itself. */
  readonly edit?: Edit;
  /** With `allow`, by a rule: the rule puts another input in place. It may hold secrets, and is made again rather than stored. */
  readonly rewrites?: true;
}

const CONSENTING: ReadonlySet<Word> = new Set(["allow", "accept"]);
const LONGEST = 16_384;

/** Whether something happens because of it that would not happen otherwise. */
export function isConsent({ word }: Pick<Answer, "word">): boolean {
  return CONSENTING.has(word);
}

export function isWord(value: unknown): value is Word {
  return typeof value === "string" && (WORDS as readonly string[]).includes(value);
}

/** An answer as it came from outside. Spelt exactly, or refused: nothing is trimmed, lowered or guessed. */
export function readAnswer(value: JsonObject): Answer {
  const { answer: word, response, message, context, edit } = value;
  if (!isWord(word)) throw wrong("/answer", `\`answer\` is one of ${WORDS.join(", ")}.`);
  if ((response !== undefined) !== (word === "respond")) throw wrong("/response", "`response` goes with `respond`, and only with it.");
  if (edit !== undefined && word !== "allow") throw wrong("/edit", "Only what is allowed can be edited.");
  return {
    word,
    ...(response === undefined ? {} : { response: readResponse(response) }),
    ...(message === undefined ? {} : { message: readText(message, "message") }),
    ...(context === undefined ? {} : { context: readText(context, "context") }),
    ...(edit === undefined ? {} : { edit: readEdit(edit) }),
  };
}

export function readText(value: JsonValue | undefined, name: string): string {
  if (typeof value === "string" && value !== "" && value.length <= LONGEST && value.isWellFormed()) return value;
  throw wrong(`/${name}`, `\`${name}\` is a text of at most ${LONGEST.toLocaleString("en")} characters.`);
}

function readResponse(value: JsonValue): string | number | boolean | JsonObject {
  if (typeof value === "string") return readText(value, "response");
  if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value)) || isObject(value)) return value;
  throw wrong("/response", "`response` is a text, a number, true or false, or an object.");
}

const MOST_EDITS = 100;

export function readEdit(value: JsonValue | undefined): Edit {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_EDITS) throw wrong("/edit", "`edit` is a list of replacements.");
  return value.map((one: JsonValue, index) => {
    if (!isObject(one) || typeof one["pointer"] !== "string" || one["value"] === undefined)
      throw wrong(`/edit/${index}`, "A replacement has a `pointer` (RFC 6901, into the input) and a `value`.");
    return { pointer: one["pointer"], value: one["value"] };
  });
}

function wrong(pointer: string, message: string): EarshotError {
  return new EarshotError({ code: "ANSWER_INVALID", message, pointer });
}
