import type { AepResponse } from "@earshot/protocol";
import type { JsonValue } from "@earshot/protocol/json";
import type { AnswerWordName, RequestAnswer } from "../requests/answer.ts";

/** The parts of an AEP response. */
export interface HookResponseParts {
  readonly requestEventId: string;
  readonly actionId: string | undefined;
  readonly answer: RequestAnswer;
  /** A complete input that replaces the original one. */
  readonly updatedInput?: JsonValue;
  readonly by: string;
  readonly reason?: string;
  readonly askedAt: number;
  readonly now: number;
  readonly id: string;
}

const OUTCOMES: Readonly<Partial<Record<AnswerWordName, "approved" | "denied">>> = {
  allow: "approved",
  continue: "approved",
  accept: "approved",
  respond: "approved",
  deny: "denied",
  block: "denied",
  stop: "denied",
  reject: "denied",
};

/** A decision as an AEP response for hooks. */
export function toHookResponse(responding: HookResponseParts): AepResponse {
  const { requestEventId, actionId, answer, updatedInput, by, reason, askedAt, now, id } = responding;
  const { word, message, context, response } = answer;
  return {
    aep_version: "0.1",
    id,
    request_event_id: requestEventId,
    ...(actionId === undefined ? {} : { action_id: actionId }),
    time: new Date(now).toISOString(),
    control: {
      behavior: behaviourOf(answer),
      ...(message === undefined ? {} : { message }),
      ...(updatedInput === undefined ? {} : { updated_input: updatedInput }),
      ...(context === undefined ? {} : { additional_context: context }),
    },
    decision: {
      outcome: OUTCOMES[word] ?? "info",
      by,
      ...(reason === undefined ? {} : { reason }),
      response_time_ms: Math.max(0, now - askedAt),
    },
    ...(response === undefined ? {} : { extensions: { "x-response": response } }),
  };
}

export function behaviourOf({ word }: RequestAnswer): AepResponse["control"]["behavior"] {
  return BEHAVIOURS[word];
}

/** Words without an AEP behavior use the nearest one; a question is answered by continuing with the answer. */
const BEHAVIOURS: Readonly<Record<AnswerWordName, AepResponse["control"]["behavior"]>> = {
  allow: "allow",
  deny: "deny",
  ask: "ask",
  defer: "defer",
  block: "block",
  continue: "continue",
  stop: "stop",
  abstain: "abstain",
  accept: "allow",
  respond: "allow",
  "take-over": "stop",
  reject: "deny",
  decline: "deny",
};
