import type { Asked, Choice, Field } from "./card.ts";

/** `choices` takes several; `text` is anything else. */
export type AnswerKind = Field["kind"];

/** One field of a question. */
export interface Question {
  /** Its member in the response; undefined if the response is the answer itself. */
  readonly name: string | undefined;
  /** In the agent's words. */
  readonly text: string;
  readonly kinds: readonly AnswerKind[];
  readonly choices: readonly Choice[];
  /** It may be left unanswered. */
  readonly isOptional: boolean;
}

const KINDS = { freetext: "text", yes_no: "confirm", numeric: "number", multiple_choice: "choice" } as const;

/** Questions of a request beyond yes or no: the fields of a form, or one question. None for a permission. */
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
