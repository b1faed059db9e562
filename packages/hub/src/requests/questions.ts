import type { Asked, Choice, Field } from "./card.ts";

/** `choices` takes several of them; `text` anything that is none of the others. */
export type AnswerKind = Field["kind"];

/** One thing that a question asks for. */
export interface Question {
  /** Its member of the response; undefined where the response is the answer itself. */
  readonly name: string | undefined;
  /** In the agent's words. */
  readonly text: string;
  readonly kinds: readonly AnswerKind[];
  readonly choices: readonly Choice[];
  /** Nothing may be said to it. */
  readonly isOptional: boolean;
}

const KINDS = { freetext: "text", yes_no: "confirm", numeric: "number", multiple_choice: "choice" } as const;

/** What a request asks for beyond yes or no: the fields of a form, or one question. None where it asks for permission. */
export function questionsIn({ kind, said, title, choices = [], fields, responds }: Asked): readonly Question[] {
  if (fields !== undefined) {
    return fields.map(({ name, text, kind: one, choices: its = [], isOpen, isRequired }) => ({
      name,
      text: text === "" ? (said.at(-1)?.text ?? name) : text,
      kinds: isOpen && one !== "text" ? [one, "text"] : [one],
      choices: its,
      isOptional: !isRequired,
    }));
  }
  if (kind !== "clarification") return [];
  const asked = said.find(({ name }) => name === "question") ?? said[0];
  const kinds = (responds ?? ["freetext"]).map((one) => KINDS[one]);
  return [{ name: undefined, text: asked?.text ?? title, kinds, choices, isOptional: false }];
}
