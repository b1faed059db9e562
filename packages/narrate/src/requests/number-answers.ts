import { MOST_WORDS, readAloud, type Tongue } from "../sentences/reading.ts";
import type { Catalogue } from "../words/catalogue.ts";
import type { NarratedRequest, NumberedAnswer } from "./request.ts";

type AnswerKey = "allow" | "accept" | "continue" | "take-over" | "deny" | "reject" | "block" | "decline" | "stopIt" | "defer";

/** One key each. */
const MOST_ANSWERS = 9;

/** In the order of their numbers. Yes is always before no, so that the same key never means two things in one kind of request. */
const ORDER: readonly (readonly [word: string, key: AnswerKey])[] = [
  ["allow", "allow"],
  ["accept", "accept"],
  ["continue", "continue"],
  ["take-over", "take-over"],
  ["deny", "deny"],
  ["reject", "reject"],
  ["block", "block"],
  ["decline", "decline"],
  ["stop", "stopIt"],
  ["defer", "defer"],
];

/** What can be answered by a number: the choices of a question, or yes, no and what else there is. */
export function numberAnswers(
  { card }: NarratedRequest,
  words: Catalogue["requests"],
  { rememberable, tongue }: { readonly rememberable: boolean; readonly tongue: Tongue },
): readonly NumberedAnswer[] {
  const { choices, fields } = card.asked;
  const [field, ...others] = fields ?? [];
  // Several questions at once have no one number for an answer.
  const offered = others.length > 0 ? undefined : (field?.choices ?? choices);
  const answers: Omit<NumberedAnswer, "number">[] = [];
  if (card.terms.answers.includes("respond") && offered !== undefined) {
    for (const { value, label } of offered) {
      const spoken = readAloud(label === "" ? value : label, MOST_WORDS.terse, tongue) ?? words.respond;
      answers.push({ label: spoken, word: "respond", value, ...(field?.choices === undefined ? {} : { field: field.name }) });
    }
  }
  for (const [word, key] of ORDER) if (card.terms.answers.includes(word)) answers.push({ label: words[key], word });
  if (rememberable && card.terms.answers.includes("allow"))
    answers.push({ label: words["allow-session"], word: "allow", remember: "session" });
  return answers.slice(0, MOST_ANSWERS).map((answer, index) => ({ number: index + 1, ...answer }));
}
