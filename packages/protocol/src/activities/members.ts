import { isObject, type JsonObject, type JsonValue } from "../json.ts";

// Reads members of an object by their expected type. A member of another type counts as absent.

/** A non-empty text. */
export function nonEmptyText(value: JsonObject, name: string): string | undefined {
  const member = value[name];
  return typeof member === "string" && member !== "" ? member : undefined;
}

/** The first of several names that holds a text. */
export function firstText(value: JsonObject, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = nonEmptyText(value, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A non-negative number. */
export function nonNegative(value: JsonObject, name: string): number | undefined {
  const member = value[name];
  return isAmount(member) ? member : undefined;
}

export function isAmount(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value < Number.POSITIVE_INFINITY;
}

export function booleanMember(value: JsonObject, name: string): boolean | undefined {
  const member = value[name];
  return typeof member === "boolean" ? member : undefined;
}

export function textList(value: JsonObject, name: string): readonly string[] | undefined {
  const member = value[name];
  if (!Array.isArray(member)) return undefined;
  const found = (member as readonly JsonValue[]).filter((item) => typeof item === "string");
  return found.length === 0 ? undefined : found;
}

export function objectMember(value: JsonObject, name: string): JsonObject | undefined {
  const member = value[name];
  return isObject(member) ? member : undefined;
}

/** The objects in a list; empty for any other value. */
export function objectList(value: JsonObject, name: string): readonly JsonObject[] {
  const member = value[name];
  return Array.isArray(member) ? (member as readonly JsonValue[]).filter(isObject) : [];
}

export function oneOfWords<Word extends string>(value: JsonObject, name: string, words: readonly Word[]): Word | undefined {
  const member = value[name];
  return typeof member === "string" ? words.find((word) => word === member) : undefined;
}

/** Any value; null counts as absent. */
export function nonNullMember(value: JsonObject, name: string): JsonValue | undefined {
  return value[name] ?? undefined;
}

export const EMPTY_OBJECT: JsonObject = Object.freeze({});
export const CONFIDENCE_LEVELS = ["low", "medium", "high"] as const;

type Outcome = "completed" | "failed" | "cancelled" | "timeout";

/** Agents' words for an outcome. Other words (`logout`, `window_close`) report that something ended, not how. */
const OUTCOME_WORDS: ReadonlyMap<string, Outcome> = new Map([
  ...["completed", "complete", "success", "succeeded", "done", "ok"].map((word) => [word, "completed"] as const),
  ...["failed", "failure", "error", "errored"].map((word) => [word, "failed"] as const),
  ...["cancelled", "canceled", "aborted", "abort", "interrupted"].map((word) => [word, "cancelled"] as const),
  ...["timeout", "timed_out"].map((word) => [word, "timeout"] as const),
]);

export function readOutcome(word: string | undefined): Outcome | undefined {
  return word === undefined ? undefined : OUTCOME_WORDS.get(word);
}

/** As `readOutcome`, in the words for tool calls. */
export function readCallOutcome(word: string | undefined): "succeeded" | "failed" | "cancelled" | "timeout" | undefined {
  const outcome = readOutcome(word);
  return outcome === "completed" ? "succeeded" : outcome;
}

/** Names of the input member that a tool acts on, the most specific first. */
const SUBJECT_NAMES = [
  "command",
  "cmd",
  "file_path",
  "filePath",
  "notebook_path",
  "path",
  "filename",
  "url",
  "uri",
  "query",
  "pattern",
] as const;
const MAX_COMMAND_WORDS = 64;

/** Finds the command, path or address that a tool call acts on in its input. */
export function findCallSubject(input: JsonValue | undefined): string | undefined {
  if (typeof input === "string") return input === "" ? undefined : input;
  if (!isObject(input)) return undefined;
  return firstText(input, ...SUBJECT_NAMES) ?? joinWords(input["command"]) ?? joinWords(input["commands"]);
}

/** A command may be a list of words. */
function joinWords(value: JsonValue | undefined): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const found = (value as readonly JsonValue[]).slice(0, MAX_COMMAND_WORDS).filter((word) => typeof word === "string");
  return found.length === 0 ? undefined : found.join(" ");
}
