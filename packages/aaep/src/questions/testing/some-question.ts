import type { ClarificationReply, ConfirmationReply } from "@earshot/protocol";
import type { Clarification, Confirmation, Question } from "../question.ts";

/** Wall time of all questions in the tests. */
export const ASKED_MS = Date.UTC(2026, 0, 1);

export function confirmation(overrides: Partial<Confirmation> = {}): Confirmation {
  return {
    kind: "confirmation",
    token: "rpl_1",
    session: "sess_1",
    askedMs: ASKED_MS,
    timeoutMs: 30_000,
    irreversible: false,
    risk: "low",
    defaultDecision: "reject",
    takesChanges: false,
    ...overrides,
  };
}

export function clarification(overrides: Partial<Clarification> = {}): Clarification {
  return {
    kind: "clarification",
    token: "rpl_2",
    session: "sess_1",
    askedMs: ASKED_MS,
    timeoutMs: 30_000,
    kinds: ["freetext"],
    choices: [],
    ...overrides,
  };
}

export function decision(said: "accept" | "reject", overrides: Partial<ConfirmationReply> = {}): ConfirmationReply {
  return {
    type: "confirmation.reply",
    reply_token: "rpl_1",
    decision: said,
    subscription_id: "sub_1",
    timestamp: dated(1000),
    ...overrides,
  };
}

export function response(said: string | boolean | number, overrides: Partial<ClarificationReply> = {}): ClarificationReply {
  return {
    type: "clarification.reply",
    reply_token: "rpl_2",
    response: said,
    subscription_id: "sub_1",
    timestamp: dated(1000),
    ...overrides,
  };
}

export function dated(afterMs: number): string {
  return new Date(ASKED_MS + afterMs).toISOString();
}

/** A valid reply to any question. */
export function answerTo(question: Question, timestamp: string): ConfirmationReply | ClarificationReply {
  const rest = { reply_token: question.token, timestamp };
  if (question.kind === "confirmation") return decision("accept", rest);
  const [kind] = question.kinds;
  const said = kind === "yes_no" ? true : kind === "numeric" ? 7 : kind === "multiple_choice" ? (question.choices[0] ?? "") : "words";
  return response(said, rest);
}
