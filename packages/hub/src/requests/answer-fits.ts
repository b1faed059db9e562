import { EarshotError, isObject, type JsonValue } from "@earshot/protocol";
import type { Answer } from "./answer.ts";
import type { Asked, Card, ResponseKind } from "./card.ts";
import { applyEdit } from "./edit.ts";
import { whyNoAnswer } from "./form-answer.ts";

/** Refuses what is no answer to this question. What is edited must be there, and must not be masked. */
export function checkAnswer(answer: Answer, { asked, terms }: Card, raw: JsonValue | undefined): void {
  if (!terms.answers.includes(answer.word)) throw invalid("/answer", `This can be answered with ${terms.answers.join(", ")}.`);
  if (answer.word === "respond") checkResponse(answer.response, asked);
  if (answer.edit === undefined) return;
  if (raw === undefined) throw invalid("/edit", "There is no input here that could be edited.");
  applyEdit(raw, answer.edit, asked.masked ?? []);
}

const FITS: Readonly<Record<ResponseKind, (response: Answer["response"], asked: Asked) => boolean>> = {
  freetext: (response) => typeof response === "string" && response.trim() !== "",
  yes_no: (response) => typeof response === "boolean",
  multiple_choice: (response, { choices = [] }) => choices.some(({ value }) => value === response),
  numeric: (response) => typeof response === "number",
};

/** Objects answer forms; they are taken where the question names no kinds. */
function checkResponse(response: Answer["response"], asked: Asked): void {
  const { responds, fields } = asked;
  if (fields !== undefined) {
    const why = whyNoAnswer(response, fields);
    if (why !== undefined) throw invalid("/response", why);
    return;
  }
  const isBlank = typeof response === "string" && response.trim() === "";
  if (responds === undefined ? response !== undefined && !isBlank : responds.some((kind) => FITS[kind](response, asked))) return;
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
