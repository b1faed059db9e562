import type { JsonValue } from "@earshot/protocol";
import { type Answer, isConsent } from "./answer.ts";
import { applyEdit } from "./edit.ts";
import { toContent, withAnswers } from "./form-answer.ts";
import type { HeldRequest } from "./held-request.ts";
import type { Ending } from "./machine-types.ts";
import { questionDigest } from "./question.ts";

export interface Released {
  readonly ending: Ending;
  readonly answer: Answer;
  /** The whole input in place of the one that was sent. */
  readonly updatedInput?: JsonValue;
}

/**
 * What the asker hears; undefined while it has to wait. What is let through is what was shown: the input at hand, kept or sent
 * again, must have the digest that the decision names. Whatever does not fit is refused.
 */
export function releaseOf({ machine, card, raw, updatedInput }: HeldRequest, secret: string): Released | undefined {
  const { settlement: ending, terms } = machine;
  if (ending === null) return undefined;
  const { answer } = ending;
  if (!needsInput(answer)) return { ending, answer };
  const input = raw?.input;
  const shown = questionDigest({ asked: card.asked, ...(input === undefined ? {} : { raw: input }) }, secret);
  if (shown !== ending.digest) return { ending, answer: { word: terms.refusal, message: "This is not what was shown." } };
  if (answer.word === "respond") {
    const { fields } = card.asked;
    if (fields === undefined) return { ending, answer };
    const content = toContent(answer.response, fields);
    const answered = withAnswers(input, content);
    return { ending, answer: { ...answer, response: content }, ...(answered === undefined ? {} : { updatedInput: answered }) };
  }
  if (answer.edit !== undefined) return { ending, answer, updatedInput: applyEdit(input ?? null, answer.edit, card.asked.masked ?? []) };
  if (answer.rewrites !== true) return { ending, answer };
  if (updatedInput !== undefined) return { ending, answer, updatedInput };
  return { ending, answer: { word: terms.refusal, message: "The rule that changed the input is not there any more." } };
}

/** Whether the asker has to send its event again before it can be let through: its input is not at hand any more. */
export function needsAsking({ raw, card, machine }: HeldRequest): boolean {
  return raw === undefined && card.terms.polls && (machine.settlement === null || needsInput(machine.settlement.answer));
}

/** What lets something through, and what is answered inside the input of who asked. */
function needsInput(answer: Answer): boolean {
  return isConsent(answer) || answer.word === "respond";
}
