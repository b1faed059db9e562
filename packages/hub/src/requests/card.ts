import { REQUEST_KINDS } from "@earshot/judge";
import type { JsonObject, JsonValue } from "@earshot/protocol";
import Type, { type Static } from "typebox";
import { listOf, naturalNumber, orNull } from "../api-schema.ts";
import { answerSchema, wordSchema } from "./answer.ts";

const maybe = Type.Optional;
/** The maximum displayed length of an agent's name for something. */
export const MAX_TITLE_CHARACTERS = 200;

const choiceSchema = Type.Object({
  value: Type.String({ description: "what is sent" }),
  label: Type.String(),
  about: maybe(Type.String()),
});
export type CardChoice = Static<typeof choiceSchema>;

const fieldSchema = Type.Object({
  name: Type.String({ description: "its member of `response`" }),
  text: Type.String({ description: "the question, in the agent's words" }),
  kind: Type.Enum(["choice", "choices", "text", "number", "confirm"]),
  choices: maybe(listOf(choiceSchema)),
  isOpen: Type.Boolean({ description: "whether texts beside the choices are taken" }),
  isRequired: Type.Boolean(),
});
export type CardField = Static<typeof fieldSchema>;

export const RESPONSE_KINDS = ["freetext", "yes_no", "multiple_choice", "numeric"] as const;
export type ResponseKind = (typeof RESPONSE_KINDS)[number];

export const riskSchema = Type.Enum(["low", "medium", "high", "unknown"]);

/** The question itself, without ids and times, so that the same question asked again has the same digest. */
const askedSchema = Type.Object({
  kind: Type.Enum(REQUEST_KINDS),
  protocol: Type.Enum(["aaep", "aep", "aop"]),
  source: Type.String(),
  session: Type.String(),
  agent: Type.String(),
  title: Type.String({ description: "the name of the tool, the type of the hook, or the kind of question; made from the input" }),
  input: maybe(Type.Unsafe<JsonValue>({ description: "the input as the agent sent it, secrets masked" })),
  isCut: maybe(Type.Literal(true, { description: "the input was too large to be stored whole; it cannot be allowed" })),
  masked: maybe(
    listOf(Type.Object({ pointer: Type.String() }), { description: "where something was masked: these places cannot be edited" }),
  ),
  said: listOf(Type.Object({ name: Type.String(), text: Type.String() }), { description: "the agent's own words about it" }),
  choices: maybe(listOf(choiceSchema)),
  responds: maybe(
    listOf(Type.Enum(RESPONSE_KINDS), { description: "for questions: which kinds of `response` are taken; any text if left out" }),
  ),
  fields: maybe(listOf(fieldSchema, { description: "for forms: what is asked for; `response` is then an object by their names" })),
  risk: riskSchema,
  irreversible: Type.Boolean(),
  facts: Type.Unsafe<JsonObject>({ type: "object", description: "tool, server, workspace, model, urgency …, as the agent sent them" }),
});
export type AskedCard = Static<typeof askedSchema>;

const cardTermsSchema = Type.Object({
  answers: listOf(wordSchema),
  silence: Type.Object(
    { answer: answerSchema, by: Type.String({ description: "`asker`, `hub`, or a rule" }) },
    { description: "what the asker gets when nobody answers" },
  ),
  moreTimeMs: naturalNumber({ description: "how much each *More time* adds; 0 where the asker would not wait" }),
  latestAt: orNull(Type.Number(), { description: "when the asker stops waiting, in milliseconds since 1970; null for never" }),
  polls: Type.Boolean({ description: "whether the asker shows by polling that it still waits" }),
  besideDialog: Type.Boolean({ description: "whether the agent shows a dialog of its own; the first answer counts" }),
  reportsDialog: maybe(Type.Literal(true, { description: "whether the agent reports each question that it shows by itself" })),
  action: orNull(Type.String(), { description: "as the agent names it: joins request and outcome" }),
  because: Type.String({ description: "the rule that wants it asked, or `the agent asks`" }),
});
export type CardTerms = Static<typeof cardTermsSchema>;

/** `Request.card` is this as JSON text. The digest binds a decision to `asked`. Secrets are masked in all of it. */
export const cardSchema = Type.Object({ version: Type.Literal(1), asked: askedSchema, terms: cardTermsSchema });
export type RequestCardData = Static<typeof cardSchema>;

/** Whether silence may never stand for a yes. An unstated risk is not high unless the action is irreversible. */
export function isRisky({ risk, irreversible }: Pick<AskedCard, "risk" | "irreversible">): boolean {
  return irreversible || risk === "high";
}
