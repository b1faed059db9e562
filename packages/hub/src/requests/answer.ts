import { EarshotError, type JsonObject, type JsonValue } from "@earshot/protocol";
import Type, { type Static } from "typebox";
import { listOf, textOf } from "../api-schema.ts";

const maybe = Type.Optional;
const jsonObject = Type.Unsafe<JsonObject>({ type: "object" });

/**
 * Possible answers. The first eight are AEP's behaviors, for actions, prompts and stops; `accept` and `reject` answer a confirmation,
 * `respond` a question, `take-over` and `decline` a handoff.
 */
export const ANSWER_WORDS = [
  "allow",
  "deny",
  "ask",
  "defer",
  "block",
  "continue",
  "stop",
  "abstain",
  "accept",
  "reject",
  "respond",
  "take-over",
  "decline",
] as const;
export type AnswerWordName = (typeof ANSWER_WORDS)[number];
export const wordSchema = Type.Enum(ANSWER_WORDS);

const editSchema = listOf(
  Type.Object(
    { pointer: Type.String({ description: "RFC 6901, into the input" }), value: Type.Unsafe<JsonValue>({}) },
    { description: "a replacement" },
  ),
);

export const answerSchema = Type.Object({
  word: wordSchema,
  response: maybe(
    Type.Union([Type.String(), Type.Number(), Type.Boolean(), jsonObject], { description: "with `respond`: what is answered" }),
  ),
  message: maybe(Type.String({ description: "for the agent" })),
  context: maybe(Type.String({ description: "added to what the model knows" })),
  edit: maybe(editSchema),
  rewrites: maybe(
    Type.Literal(true, { description: "with `allow`, by a rule that replaces the input; the input may hold secrets and is not stored" }),
  ),
});
export type RequestAnswer = Static<typeof answerSchema>;

const MAX_ANSWER_CHARACTERS = 16_384;
const INVALID = { problem: "ANSWER_INVALID" };
export const spokenText = (description: string) =>
  Type.Refine(
    textOf(MAX_ANSWER_CHARACTERS, { description, ...INVALID }),
    (text) => text.isWellFormed(),
    () => "is not well-formed Unicode",
  );
export const shownDigest = Type.String({ minLength: 1, description: "of the request, as it was shown" });

export const reasonedBody = Type.Object({ reason: maybe(spokenText("why, for the record")) });
export const digestBody = Type.Object({ digest: shownDigest });
export const withdrawBody = Type.Object({ ...digestBody.properties, ...reasonedBody.properties });
export const editBody = Type.Object({
  edit: listOf(editSchema.items, { minItems: 1, maxItems: 100, description: "replacements in the input", ...INVALID }),
});

export const answerBody = Type.Object({
  digest: shownDigest,
  answer: Type.Enum(ANSWER_WORDS, INVALID),
  response: maybe(
    Type.Union([spokenText("what is answered"), Type.Number(), Type.Boolean(), jsonObject], {
      description: "goes with `respond`, and only with it",
      ...INVALID,
    }),
  ),
  message: maybe(spokenText("words for the agent")),
  context: maybe(spokenText("text that is added to what the model knows")),
  edit: maybe(editBody.properties.edit),
  keep: maybe(Type.Boolean({ description: "if it comes too late, allow it when it is asked again: same session, once, 30 minutes" })),
  ...reasonedBody.properties,
});
export type AnswerBody = Static<typeof answerBody>;

const CONSENTING: ReadonlySet<AnswerWordName> = new Set(["allow", "accept"]);

/** Whether it lets something happen that would not happen otherwise. */
export function isConsent({ word }: Pick<RequestAnswer, "word">): boolean {
  return CONSENTING.has(word);
}

export function isAnswerWord(value: unknown): value is AnswerWordName {
  return typeof value === "string" && (ANSWER_WORDS as readonly string[]).includes(value);
}

/** Parses the members of a body. Words must be exact: nothing is trimmed, lower-cased or guessed. */
export function readAnswerBody({ answer: word, response, message, context, edit }: AnswerBody): RequestAnswer {
  if ((response !== undefined) !== (word === "respond"))
    throw invalidAnswer("/response", "`response` goes with `respond`, and only with it.");
  if (edit !== undefined && word !== "allow") throw invalidAnswer("/edit", "Only what is allowed can be edited.");
  return {
    word,
    ...(response === undefined ? {} : { response }),
    ...(message === undefined ? {} : { message }),
    ...(context === undefined ? {} : { context }),
    ...(edit === undefined ? {} : { edit }),
  };
}

export function invalidAnswer(pointer: string, message: string): EarshotError {
  return new EarshotError({ code: "ANSWER_INVALID", message, pointer });
}
