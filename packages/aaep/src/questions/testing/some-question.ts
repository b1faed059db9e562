import type { ClarificationReply, ConfirmationReply } from "@earshot/protocol";
import type { Clarification, Confirmation, Question } from "../question.ts";

/** Wall time of all questions in the tests. */
export const ASKED_MS = Date.UTC(2026, 0, 1);

export function testConfirmation(overrides: Partial<Confirmation> = {}): Confirmation {
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

export function testClarification(overrides: Partial<Clarification> = {}): Clarification {
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

export function testDecision(said: "accept" | "reject", overrides: Partial<ConfirmationReply> = {}): ConfirmationReply {
  return {
    type: "confirmation.reply",
    reply_token: "rpl_1",
    decision: said,
    subscription_id: "sub_1",
    timestamp: timestampAfter(1000),
    ...overrides,
  };
}

export function testResponse(said: string | boolean | number, overrides: Partial<ClarificationReply> = {}): ClarificationReply {
  return {
    type: "clarification.reply",
    reply_token: "rpl_2",
    response: said,
    subscription_id: "sub_1",
    timestamp: timestampAfter(1000),
    ...overrides,
  };
}

export function timestampAfter(afterMs: number): string {
  return new Date(ASKED_MS + afterMs).toISOString();
}

/** A valid reply to any question. */
export function validReplyTo(question: Question, timestamp: string): ConfirmationReply | ClarificationReply {
  const rest = { reply_token: question.token, timestamp };
  if (question.kind === "confirmation") return testDecision("accept", rest);
  const [kind] = question.kinds;
  const said = kind === "yes_no" ? true : kind === "numeric" ? 7 : kind === "multiple_choice" ? (question.choices[0] ?? "") : "words";
  return testResponse(said, rest);
}
