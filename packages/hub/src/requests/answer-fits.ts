import { EarshotError, isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import { redactText } from "../intake/redact-text.ts";
import type { RequestAnswer } from "./answer.ts";
import type { AskedCard, CardField, RequestCardData, ResponseKind } from "./card.ts";
import { createRequestProblem } from "./news.ts";
import { isListOfQuestions } from "./question-form.ts";

/** Refuses what does not answer this question. Edited members must exist and must not be masked. */
export function checkAnswer(answer: RequestAnswer, { asked, terms }: RequestCardData, raw: JsonValue | undefined): void {
  if (!terms.answers.includes(answer.word)) throw invalid("/answer", `This can be answered with ${terms.answers.join(", ")}.`);
  if (answer.word === "respond") checkResponse(answer.response, asked);
  if (answer.edit === undefined) return;
  if (raw === undefined) throw invalid("/edit", "There is no input here that could be edited.");
  applyEdit(raw, answer.edit, asked.masked ?? []);
}

const FITS_RESPONSE: Readonly<Record<ResponseKind, (response: RequestAnswer["response"], asked: AskedCard) => boolean>> = {
  freetext: (response) => typeof response === "string" && response.trim() !== "",
  yes_no: (response) => typeof response === "boolean",
  multiple_choice: (response, { choices = [] }) => choices.some(({ value }) => value === response),
  numeric: (response) => typeof response === "number",
};

/** Objects answer forms; any is accepted if the question names no kinds. */
function checkResponse(response: RequestAnswer["response"], asked: AskedCard): void {
  const { responds, fields } = asked;
  if (fields !== undefined) {
    const why = explainMisfit(response, fields);
    if (why !== undefined) throw invalid("/response", why);
    return;
  }
  const isBlank = typeof response === "string" && response.trim() === "";
  if (responds === undefined ? response !== undefined && !isBlank : responds.some((kind) => FITS_RESPONSE[kind](response, asked))) return;
  const wanted = responds?.map((kind) => NAMES[kind]).join(" or ") ?? "a response";
  throw invalid("/response", `This question takes ${wanted}${isObject(response) ? ", not an object" : ""}.`);
}

const NAMES: Readonly<Record<ResponseKind, string>> = {
  freetext: "a text that is not empty",
  yes_no: "true or false",
  multiple_choice: "the value of one of its choices",
  numeric: "a number",
};

function invalid(pointer: string, message: string): EarshotError {
  return new EarshotError({ code: "ANSWER_INVALID", message, pointer });
}

/** Why an answer does not fit these fields; undefined if it does. For a single field, its value suffices. */
export function explainMisfit(response: RequestAnswer["response"], fields: readonly CardField[]): string | undefined {
  const given = valuesOf(response, fields);
  if (given === undefined) return `This takes an object with ${fields.map(({ name }) => JSON.stringify(name)).join(", ")}.`;
  const names = new Set(fields.map(({ name }) => name));
  const unknown = Object.keys(given).find((name) => !names.has(name));
  if (unknown !== undefined) return `Nothing was asked that is called ${JSON.stringify(unknown.slice(0, 80))}.`;
  for (const field of fields) {
    const value = given[field.name];
    const about = JSON.stringify(field.name.slice(0, 80));
    if (value === undefined || value === null || isBlank(value)) {
      if (field.isRequired) return `Nothing is said to ${about}.`;
    } else if (!FITS[field.kind](value, field)) return `${about} takes ${WANTED[field.kind]}.`;
  }
  return undefined;
}

/** A blank answer is refused: the agent would continue as if it had been answered. */
function isBlank(value: JsonValue): boolean {
  return typeof value === "string" && value.trim() === "";
}

const FITS: Readonly<Record<CardField["kind"], (value: JsonValue, field: CardField) => boolean>> = {
  choice: (value, { choices = [], isOpen }) => typeof value === "string" && (isOpen || choices.some((one) => one.value === value)),
  choices: (value, field) => {
    const all = listOf(value, field);
    return all !== undefined && all.length > 0 && all.every((one) => FITS.choice(one, field)) && new Set(all).size === all.length;
  },
  text: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  confirm: (value) => typeof value === "boolean",
};

const WANTED: Readonly<Record<CardField["kind"], string>> = {
  choice: "one of its choices",
  choices: "a list of its choices, each once",
  text: "a text",
  number: "a number",
  confirm: "true or false",
};

function valuesOf(response: RequestAnswer["response"], fields: readonly CardField[]): JsonObject | undefined {
  if (isObject(response)) return response;
  const [only, second] = fields;
  return response === undefined || only === undefined || second !== undefined ? undefined : { [only.name]: response };
}

/** Several choices in one text are accepted if no choice contains a comma. */
function listOf(value: JsonValue, { choices = [] }: CardField): readonly JsonValue[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== "string") return undefined;
  if (choices.some((one) => one.value === value)) return [value];
  return choices.some((one) => one.value.includes(",")) ? [value] : value.split(",").map((part) => part.trim());
}

/** An answer by field name, with lists as lists, as sent to the asker. */
export function toContent(response: RequestAnswer["response"], fields: readonly CardField[]): JsonObject {
  const given = valuesOf(response, fields) ?? {};
  return Object.fromEntries(
    fields.flatMap((field): readonly (readonly [string, JsonValue])[] => {
      const value = given[field.name];
      if (value === undefined || value === null) return [];
      return [[field.name, field.kind === "choices" ? [...(listOf(value, field) ?? [])] : value]];
    }),
  );
}

/**
 * The arguments of a tool that only asks, with the answers filled in, for agents whose input can be replaced. Undefined for any other
 * question.
 */
export function withAnswers(input: JsonValue | undefined, content: JsonObject): JsonObject | undefined {
  if (!isListOfQuestions(input)) return undefined;
  const answers = Object.entries(content).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : String(value)]);
  return { ...input, answers: Object.fromEntries(answers) };
}

/** Changes to an input: each sets an existing value at a pointer (RFC 6901). */
export type AnswerEdit = readonly { readonly pointer: string; readonly value: JsonValue }[];

/** A masked secret in the shown input. */
export interface MaskedPlace {
  /** Pointer into the input. */
  readonly pointer: string;
}

/**
 * Applies changes to the agent's real input, which the editor has not seen whole. Masked values and their surroundings must not be
 * changed, because the shown text differs from the real one.
 */
export function applyEdit(input: JsonValue, edit: AnswerEdit, masked: readonly MaskedPlace[]): JsonValue {
  let edited = input;
  for (const { pointer, value } of edit) {
    if (masked.some((mark) => isWithin(mark.pointer, pointer) || isWithin(pointer, mark.pointer)))
      throw invalid(`/edit${pointer}`, "This part holds a masked secret and cannot be edited.");
    edited = replaceAt(edited, pathOf(pointer), value, pointer);
  }
  return edited;
}

function replaceAt(input: JsonValue, [first, ...rest]: readonly string[], value: JsonValue, pointer: string): JsonValue {
  if (first === undefined) return value;
  if (Array.isArray(input)) {
    const list: readonly JsonValue[] = input;
    const index = /^(?:0|[1-9]\d{0,9})$/.test(first) ? Number(first) : Number.NaN;
    const known = list[index];
    if (known === undefined) throw invalid(`/edit${pointer}`, "There is nothing at this place of the input.");
    return list.with(index, replaceAt(known, rest, value, pointer));
  }
  const known = isObject(input) && Object.hasOwn(input, first) ? input[first] : undefined;
  if (!isObject(input) || known === undefined) throw invalid(`/edit${pointer}`, "There is nothing at this place of the input.");
  return { ...input, [first]: replaceAt(known, rest, value, pointer) };
}

function pathOf(pointer: string): readonly string[] {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) throw invalid(`/edit${pointer}`, "A pointer is empty or begins with a slash.");
  const path = pointer.slice(1).split("/");
  return path.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Whether one place equals the other or lies inside it. */
function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}/`);
}

/** Masks secrets in a stored answer. If the agent would use the text, it is refused instead, because a mask would be useless. */
export function maskAnswerSecrets(answer: RequestAnswer): RequestAnswer {
  const { message, response, context, edit } = answer;
  if (edit !== undefined && holdsSecret(JSON.stringify(edit))) throw refuse("The edit");
  if (response !== undefined && holdsSecret(typeof response === "string" ? response : JSON.stringify(response))) throw refuse("The answer");
  return {
    ...answer,
    ...(message === undefined ? {} : { message: redactText(message).text }),
    ...(context === undefined ? {} : { context: redactText(context).text }),
  };
}

function holdsSecret(text: string): boolean {
  return redactText(text).shapes.length > 0;
}

function refuse(what: string): Error {
  return createRequestProblem(
    "ANSWER_INVALID",
    `${what} holds something like a credential, and it would be stored. Give it to the agent itself.`,
  );
}
