import type { AnswerKind, FormQuestion } from "@earshot/hub/questions";
import type { JsonObject, JsonValue } from "@earshot/protocol/json";

/** A selectable answer: a choice, yes or no, or free text. */
export interface AnswerOption {
  readonly id: string;
  readonly label: string;
  readonly about?: string;
  readonly value?: string | boolean;
}

export const OWN_WORDS = "own-words";

/** Returns the selectable answers; empty if only text or a number is accepted. */
export function optionsOf({ kinds, choices }: FormQuestion): readonly AnswerOption[] {
  const takesChoices = kinds.includes("choice") || kinds.includes("choices");
  const picked: readonly AnswerOption[] = [
    ...(takesChoices
      ? choices.map(({ value, label, about }, index) => ({ id: String(index), label, value, ...(about === undefined ? {} : { about }) }))
      : []),
    ...(kinds.includes("confirm") ? [yes, no] : []),
  ];
  return picked.length === 0 || !takesWords(kinds) ? picked : [...picked, { id: OWN_WORDS, label: ownWordsLabel(kinds) }];
}

const yes: AnswerOption = { id: "yes", label: "Yes", value: true };
const no: AnswerOption = { id: "no", label: "No", value: false };

export function acceptsSeveral({ kinds }: FormQuestion): boolean {
  return kinds.includes("choices");
}

function takesWords(kinds: readonly AnswerKind[]): boolean {
  return kinds.includes("text") || kinds.includes("number");
}

function ownWordsLabel(kinds: readonly AnswerKind[]): string {
  return kinds.includes("text") ? "Another answer, in your own words" : "A number";
}

/** The user's input so far. */
export interface QuestionInput {
  /** Ids of the selected options. */
  readonly picked: readonly string[];
  readonly text: string;
}

export const NO_QUESTION_INPUT: QuestionInput = { picked: [], text: "" };

export type ResponseReading =
  | { readonly ok: true; readonly response: string | number | boolean | JsonObject }
  /** `at`: index of the question. */
  | { readonly ok: false; readonly at: number; readonly why: string };

/** Converts the input to the response; otherwise returns what is missing, and where. */
export function readResponse(questions: readonly FormQuestion[], given: readonly QuestionInput[]): ResponseReading {
  const answers: (readonly [string | undefined, JsonValue])[] = [];
  for (const [index, question] of questions.entries()) {
    const read = readOne(question, given[index] ?? NO_QUESTION_INPUT);
    if (typeof read === "string") return { ok: false, at: index, why: read };
    if (read !== undefined) answers.push([question.name, read.value]);
  }
  const [first] = answers;
  if (first !== undefined && first[0] === undefined) return { ok: true, response: first[1] as string | number | boolean };
  return { ok: true, response: Object.fromEntries(answers.map(([name = "", value]) => [name, value])) };
}

/** Returns undefined if an optional question is unanswered, and a string if a required answer is missing or invalid. */
function readOne(question: FormQuestion, { picked, text }: QuestionInput): { readonly value: JsonValue } | string | undefined {
  const options = optionsOf(question);
  const usesWords = options.length === 0 || picked.includes(OWN_WORDS);
  const words = usesWords ? readWords(question, text) : undefined;
  if (words === null) return "Enter a number.";
  const values = options.flatMap(({ id, value }) => (value !== undefined && picked.includes(id) ? [value] : []));
  if (acceptsSeveral(question)) {
    const all = [...values, ...(words === undefined ? [] : [words])];
    return all.length > 0 ? { value: [...new Set(all)] } : missing(question);
  }
  const [value] = usesWords ? [words] : values;
  return value === undefined ? missing(question) : { value };
}

/** Returns null if a number is required and the text is not one. */
function readWords({ kinds }: FormQuestion, text: string): string | number | undefined | null {
  const said = text.trim();
  if (said === "") return undefined;
  if (kinds.includes("number") && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(said)) return Number(said);
  return kinds.includes("text") ? text : null;
}

function missing(question: FormQuestion): string | undefined {
  if (question.isOptional) return undefined;
  if (optionsOf(question).length === 0) return question.kinds.includes("text") ? "Enter an answer." : "Enter a number.";
  return acceptsSeveral(question) ? "Choose one or more first." : "Choose one first.";
}
