import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import type { Answer } from "./answer.ts";
import type { Field } from "./card.ts";
import { isListOfQuestions } from "./question-form.ts";

/** What is wrong with an answer to these fields; undefined when it fits. Where there is one field, its value alone will do. */
export function whyNoAnswer(response: Answer["response"], fields: readonly Field[]): string | undefined {
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

const FITS: Readonly<Record<Field["kind"], (value: JsonValue, field: Field) => boolean>> = {
  choice: (value, { choices = [], isOpen }) => typeof value === "string" && (isOpen || choices.some((one) => one.value === value)),
  choices: (value, field) => {
    const all = listOf(value, field);
    return all !== undefined && all.length > 0 && all.every((one) => FITS.choice(one, field)) && new Set(all).size === all.length;
  },
  text: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  confirm: (value) => typeof value === "boolean",
};

const WANTED: Readonly<Record<Field["kind"], string>> = {
  choice: "one of its choices",
  choices: "a list of its choices, each once",
  text: "a text",
  number: "a number",
  confirm: "true or false",
};

function valuesOf(response: Answer["response"], fields: readonly Field[]): JsonObject | undefined {
  if (isObject(response)) return response;
  const [only, second] = fields;
  return response === undefined || only === undefined || second !== undefined ? undefined : { [only.name]: response };
}

/** Several choices in one text are taken, too, where no choice has a comma in it. */
function listOf(value: JsonValue, { choices = [] }: Field): readonly JsonValue[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== "string") return undefined;
  if (choices.some((one) => one.value === value)) return [value];
  return choices.some((one) => one.value.includes(",")) ? [value] : value.split(",").map((part) => part.trim());
}

/** An answer by the names of the fields, lists as lists: how it is told to whoever asked. */
export function toContent(response: Answer["response"], fields: readonly Field[]): JsonObject {
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
 * The arguments of a tool that only asks, with its answers in them: as agents take them that let the input be replaced.
 * Undefined for any other question.
 */
export function withAnswers(input: JsonValue | undefined, content: JsonObject): JsonObject | undefined {
  if (!isListOfQuestions(input)) return undefined;
  const answers = Object.entries(content).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : String(value)]);
  return { ...input, answers: Object.fromEntries(answers) };
}
