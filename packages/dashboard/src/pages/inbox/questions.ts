import type { AnswerKind, Question } from "@earshot/hub/questions";
import type { JsonObject, JsonValue } from "@earshot/protocol/json";

/** One thing that can be picked: a choice, yes or no, or words of one's own. */
export interface Option {
  readonly id: string;
  readonly label: string;
  readonly about?: string;
  readonly value?: string | boolean;
}

export const OWN_WORDS = "own-words";

/** What can be picked. None where words or a number are all that is wanted. */
export function optionsOf({ kinds, choices }: Question): readonly Option[] {
  const takesChoices = kinds.includes("choice") || kinds.includes("choices");
  const picked: readonly Option[] = [
    ...(takesChoices
      ? choices.map(({ value, label, about }, index) => ({ id: String(index), label, value, ...(about === undefined ? {} : { about }) }))
      : []),
    ...(kinds.includes("confirm") ? [yes, no] : []),
  ];
  return picked.length === 0 || !takesWords(kinds) ? picked : [...picked, { id: OWN_WORDS, label: ownWordsLabel(kinds) }];
}

const yes: Option = { id: "yes", label: "Yes", value: true };
const no: Option = { id: "no", label: "No", value: false };

export function takesSeveral({ kinds }: Question): boolean {
  return kinds.includes("choices");
}

function takesWords(kinds: readonly AnswerKind[]): boolean {
  return kinds.includes("text") || kinds.includes("number");
}

function ownWordsLabel(kinds: readonly AnswerKind[]): string {
  return kinds.includes("text") ? "Something else, in your own words" : "A number";
}

/** What a person has put in so far. */
export interface Given {
  /** Ids of what was picked. */
  readonly picked: readonly string[];
  readonly text: string;
}

export const NOTHING_GIVEN: Given = { picked: [], text: "" };

export type Reading =
  | { readonly ok: true; readonly response: string | number | boolean | JsonObject }
  /** `at`: which question. */
  | { readonly ok: false; readonly at: number; readonly why: string };

/** What was put in, as the response that is sent; or what is missing, and where. */
export function readResponse(questions: readonly Question[], given: readonly Given[]): Reading {
  const answers: (readonly [string | undefined, JsonValue])[] = [];
  for (const [index, question] of questions.entries()) {
    const read = readOne(question, given[index] ?? NOTHING_GIVEN);
    if (typeof read === "string") return { ok: false, at: index, why: read };
    if (read !== undefined) answers.push([question.name, read.value]);
  }
  const [first] = answers;
  if (first !== undefined && first[0] === undefined) return { ok: true, response: first[1] as string | number | boolean };
  return { ok: true, response: Object.fromEntries(answers.map(([name = "", value]) => [name, value])) };
}

/** Undefined where nothing need be said; a text where it is told what is missing. */
function readOne(question: Question, { picked, text }: Given): { readonly value: JsonValue } | string | undefined {
  const options = optionsOf(question);
  const usesWords = options.length === 0 || picked.includes(OWN_WORDS);
  const words = usesWords ? readWords(question, text) : undefined;
  if (words === null) return "This takes a number.";
  const values = options.flatMap(({ id, value }) => (value !== undefined && picked.includes(id) ? [value] : []));
  if (takesSeveral(question)) {
    const all = [...values, ...(words === undefined ? [] : [words])];
    return all.length > 0 ? { value: [...new Set(all)] } : missing(question);
  }
  const [value] = usesWords ? [words] : values;
  return value === undefined ? missing(question) : { value };
}

/** Null where a number is wanted and this is none. */
function readWords({ kinds }: Question, text: string): string | number | undefined | null {
  const said = text.trim();
  if (said === "") return undefined;
  if (kinds.includes("number") && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(said)) return Number(said);
  return kinds.includes("text") ? text : null;
}

function missing(question: Question): string | undefined {
  if (question.isOptional) return undefined;
  if (optionsOf(question).length === 0) return question.kinds.includes("text") ? "Nothing is written yet." : "This takes a number.";
  return takesSeveral(question) ? "Choose one or more first." : "Choose one first.";
}
