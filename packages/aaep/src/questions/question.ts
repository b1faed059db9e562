import type { ClarificationReply, ConfirmationReply, JsonObject } from "@earshot/protocol";
import { whyNoReply } from "@earshot/protocol/reply-refusal";
import { readTimestamp } from "@earshot/protocol/timestamp";

export type Risk = "low" | "medium" | "high";
export type Decision = "accept" | "reject";
export type AaepResponseKind = "freetext" | "yes_no" | "multiple_choice" | "numeric";

interface Asked {
  /** `rpl_` and at least 128 random bits in letters and digits. Never reused. */
  readonly token: string;
  readonly session: string;
  /** Wall time of the asking event, with which replies are compared. */
  readonly askedMs: number;
  /** Time to answer, by the monotonic clock. */
  readonly timeoutMs: number;
}

export interface Confirmation extends Asked {
  readonly kind: "confirmation";
  readonly irreversible: boolean;
  readonly risk: Risk;
  readonly defaultDecision: Decision;
  /** Whether an accept may change the action. If not, such a reply is a rejection. */
  readonly takesChanges: boolean;
}

export interface Clarification extends Asked {
  readonly kind: "clarification";
  readonly kinds: readonly AaepResponseKind[];
  /** For `multiple_choice`: the values, one of which is the response. */
  readonly choices: readonly string[];
  /** The response used without an answer; undefined if there is none. */
  readonly defaultResponse?: string | boolean | number;
}

export type Question = Confirmation | Clarification;

/** `time`: no answer in time. `nobody`: no one could answer, or everyone left. */
export type SilenceReason = "time" | "nobody";

/** How a question ended, once. */
export type QuestionEnding =
  | { readonly how: "accepted"; readonly by?: string; readonly rationale?: string; readonly changes?: JsonObject }
  | { readonly how: "rejected"; readonly by?: string; readonly rationale?: string }
  | { readonly how: "answered"; readonly response: string | boolean | number; readonly by?: string; readonly confidence?: number }
  | { readonly how: "defaulted"; readonly why: SilenceReason; readonly decision: Decision }
  | { readonly how: "unanswered"; readonly why: SilenceReason; readonly response?: string | boolean | number }
  | { readonly how: "withdrawn" };

/** `alone`: the last attendee left and may return. */
export type QuestionState = "waiting" | "alone" | "ended";
export type QuestionSignal = "left" | "came" | "replied" | "expired" | "forsaken" | "withdrawn";

const ENDED: Record<QuestionSignal, QuestionState> = {
  left: "ended",
  came: "ended",
  replied: "ended",
  expired: "ended",
  forsaken: "ended",
  withdrawn: "ended",
};

/**
 * Every pair of state and signal. A valid reply also counts while nobody listens, because it may arrive by another path than the broken
 * stream. Nothing changes an ended question.
 */
export const QUESTION_STEPS: Record<QuestionState, Record<QuestionSignal, QuestionState>> = {
  waiting: { ...ENDED, left: "alone", came: "waiting", forsaken: "waiting" },
  alone: { ...ENDED, left: "alone", came: "waiting" },
  ended: ENDED,
};

/**
 * The defaults allowed without an answer (§6.4.1). Where the table leaves it open, silence never starts an irreversible or high-risk
 * action.
 */
export const ALLOWED_DEFAULTS: Readonly<Record<"irreversible" | "reversible", Readonly<Record<Risk, readonly Decision[]>>>> = {
  irreversible: { high: ["reject"], medium: ["reject"], low: ["reject"] },
  reversible: { high: ["reject"], medium: ["reject", "accept"], low: ["reject", "accept"] },
};

/** An unstated risk is high for irreversible actions, otherwise low. */
export function effectiveRisk(risk: Risk | undefined, irreversible: boolean): Risk {
  return risk ?? (irreversible ? "high" : "low");
}

export function mayDefaultTo(decision: Decision, { irreversible, risk }: { readonly irreversible: boolean; readonly risk: Risk }): boolean {
  return ALLOWED_DEFAULTS[irreversible ? "irreversible" : "reversible"][risk].includes(decision);
}

export type QuestionReply = ConfirmationReply | ClarificationReply;

/**
 * The ending caused by a reply with the question's token; undefined if the reply does not answer it: another kind, dated before the
 * question or after its deadline, or an invalid response. The sender does not learn which.
 */
export function judgeReply(question: Question, reply: QuestionReply): QuestionEnding | undefined {
  const { askedMs, timeoutMs } = question;
  if (readTimestamp(reply.timestamp) === undefined) return undefined;
  if (whyNoReply({ ...question, askedMs, deadlineMs: askedMs + timeoutMs }, reply) !== undefined) return undefined;
  const by = reply.decided_by === undefined ? {} : { by: reply.decided_by };
  if (question.kind === "clarification") {
    if (reply.type !== "clarification.reply") return undefined;
    const confidence = reply.confidence === undefined ? {} : { confidence: reply.confidence };
    return { how: "answered", response: reply.response, ...by, ...confidence };
  }
  if (reply.type !== "confirmation.reply") return undefined;
  const said = { ...by, ...(reply.decision_rationale === undefined ? {} : { rationale: reply.decision_rationale }) };
  const { decision, modified_action: changes } = reply;
  // Accepting a changed action does not accept this one.
  if (decision === "reject" || (changes !== undefined && !question.takesChanges)) return { how: "rejected", ...said };
  return { how: "accepted", ...said, ...(changes === undefined ? {} : { changes: { ...changes } }) };
}
