import type { AnswerBody, RequestView } from "@earshot/hub";
import { type AnswerKind, type FormQuestion, questionsIn } from "@earshot/hub/questions";
import { type JsonObject, type JsonValue, readJson } from "@earshot/protocol";
import { createUsageError } from "@earshot/terminal/usage";
import type { InboxReply } from "./request-client.ts";

/**
 * Parses a person's words as an answer: a choice by number or words, yes or no, a number, or any text. One value per question; a
 * permission request takes its own words (`allow`, `stop`).
 */
export function readReply({ card }: Pick<RequestView, "card">, values: readonly string[]): InboxReply {
  const { asked, terms } = card;
  const questions = questionsIn(asked);
  const [only] = values;
  const word = values.length === 1 ? terms.answers.find((one) => one === only && one !== "respond") : undefined;
  if (word !== undefined) return { answer: word };
  if (questions.length === 0 || !terms.answers.includes("respond"))
    throw createUsageError("This is not a question.", `It may be answered with ${terms.answers.join(", ")}.`);
  const texts = questions.length === 1 ? [values.join(" ")] : values;
  if (texts.length !== questions.length)
    throw createUsageError(
      `There are ${questions.length} questions, and ${values.length} answers.`,
      "Give one value for each, in their order.",
    );
  const answers = questions.map((question, index) => readAnswer(question, texts[index] ?? ""));
  const [first] = questions;
  if (first?.name === undefined) return { answer: "respond", response: answers[0] as string | number | boolean };
  const response: JsonObject = Object.fromEntries(
    questions.flatMap(({ name = "" }, index) => (answers[index] === undefined ? [] : [[name, answers[index]]])),
  );
  return { answer: "respond", response };
}

/** Undefined for an empty optional answer. */
function readAnswer(question: FormQuestion, text: string): JsonValue | undefined {
  const said = text.trim();
  if (said === "" && question.isOptional) return undefined;
  for (const kind of question.kinds) {
    const answer = said === "" ? undefined : READ[kind](said, question);
    if (answer !== undefined) return answer;
  }
  const wanted = question.kinds.map((kind) => WANTED[kind](question)).join(", or ");
  throw createUsageError(
    `${JSON.stringify(text)} is not an answer to ${JSON.stringify(question.text.slice(0, 80))}.`,
    `It takes ${wanted}.`,
  );
}

const READ: Readonly<Record<AnswerKind, (said: string, question: FormQuestion) => JsonValue | undefined>> = {
  choice: (said, question) => findChoice(question, said),
  choices: (said, question) => {
    const found = said.split(",").map((part) => findChoice(question, part.trim()));
    return found.every((one) => one !== undefined) ? [...new Set(found)] : undefined;
  },
  confirm: (said) => (/^(?:y|yes|true)$/i.test(said) ? true : /^(?:n|no|false)$/i.test(said) ? false : undefined),
  number: (said) => (/^-?\d{1,15}(?:\.\d{1,15})?$/.test(said) ? Number(said) : undefined),
  text: (said) => said,
};

const WANTED: Readonly<Record<AnswerKind, (question: FormQuestion) => string>> = {
  text: () => "a text",
  confirm: () => "yes or no",
  number: () => "a number",
  choice: ({ choices }) => `a number from 1 to ${choices.length}, or the words of a choice`,
  choices: ({ choices }) => `numbers from 1 to ${choices.length}, or the words of choices, with commas between`,
};

/** A choice's own words take precedence: a choice may be called 2 and be third. */
function findChoice({ choices }: FormQuestion, said: string): string | undefined {
  const wanted = said.toLowerCase();
  const byText = choices.find(({ value, label }) => value === said || label.toLowerCase() === wanted || value.toLowerCase() === wanted);
  const byNumber = /^[1-9]\d{0,2}$/.test(said) ? choices[Number(said) - 1] : undefined;
  return (byText ?? byNumber)?.value;
}

/** `POINTER=JSON`: sets the value at a pointer in the input. A text needs quotes: `/command="ls"`. */
export function parseEdit(text: string): NonNullable<AnswerBody["edit"]>[number] {
  const at = text.indexOf("=");
  const pointer = text.slice(0, at);
  if (at < 0 || (pointer !== "" && !pointer.startsWith("/"))) throw createUsageError(`--edit cannot be ${JSON.stringify(text)}.`, EXAMPLE);
  const read = readJson(text.slice(at + 1));
  if (!read.ok) throw createUsageError(`What --edit puts at ${JSON.stringify(pointer)} is not valid JSON.`, EXAMPLE);
  return { pointer, value: read.value };
}

const EXAMPLE = `--edit '/command="ls -l"': a JSON Pointer into the input, = and a JSON value`;
