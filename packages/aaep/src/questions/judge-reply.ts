import { readTimestamp } from "@earshot/protocol/timestamp";
import type { ClarificationReply, ConfirmationReply } from "../messages.ts";
import type { Clarification, Ending, Question, ResponseKind } from "./question.ts";

export type Reply = ConfirmationReply | ClarificationReply;

/** Clocks of two machines differ a little: so much before the question is still the same moment. */
const SKEW_MS = 5000;

/**
 * How a question ends by a reply that has its token; undefined when the reply is no answer to it: of the other kind, dated
 * before the question or after its time, or with a response that was not asked for. Nobody is told which.
 */
export function judgeReply(question: Question, reply: Reply): Ending | undefined {
  if (!isInTime(question, reply.timestamp)) return undefined;
  const by = reply.decided_by === undefined ? {} : { by: reply.decided_by };
  if (question.kind === "clarification") {
    if (reply.type !== "clarification.reply" || !fits(question, reply.response)) return undefined;
    const confidence = reply.confidence === undefined ? {} : { confidence: reply.confidence };
    return { how: "answered", response: reply.response, ...by, ...confidence };
  }
  if (reply.type !== "confirmation.reply") return undefined;
  const said = { ...by, ...(reply.decision_rationale === undefined ? {} : { rationale: reply.decision_rationale }) };
  const { decision, modified_action: changes } = reply;
  // An accept of something else is no accept of this.
  if (decision === "reject" || (changes !== undefined && !question.takesChanges)) return { how: "rejected", ...said };
  return { how: "accepted", ...said, ...(changes === undefined ? {} : { changes: { ...changes } }) };
}

function isInTime({ askedMs, timeoutMs }: Question, timestamp: string): boolean {
  const ms = readTimestamp(timestamp)?.ms;
  return ms !== undefined && ms >= askedMs - SKEW_MS && ms < askedMs + timeoutMs;
}

const FITS: Readonly<Record<ResponseKind, (response: unknown, choices: readonly string[]) => boolean>> = {
  freetext: (response) => typeof response === "string",
  yes_no: (response) => typeof response === "boolean",
  numeric: (response) => typeof response === "number",
  multiple_choice: (response, choices) => typeof response === "string" && choices.includes(response),
};

function fits({ kinds, choices }: Clarification, response: unknown): boolean {
  return kinds.some((kind) => FITS[kind](response, choices));
}
