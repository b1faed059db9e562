import type { ClarificationReply, ConfirmationReply, JsonObject } from "@earshot/protocol";
import { whyNoReply } from "@earshot/protocol/reply-refusal";
import { readTimestamp } from "@earshot/protocol/timestamp";

export type Risk = "low" | "medium" | "high";
export type Decision = "accept" | "reject";
export type ResponseKind = "freetext" | "yes_no" | "multiple_choice" | "numeric";

interface Asked {
  /** `rpl_` and at least 128 random bits in letters and digits. Used once, and never again. */
  readonly token: string;
  readonly session: string;
  /** When its event says that it was asked, by wall time: what replies are dated against. */
  readonly askedMs: number;
  /** How long an answer is waited for, by the monotonic clock. */
  readonly timeoutMs: number;
}

export interface Confirmation extends Asked {
  readonly kind: "confirmation";
  readonly irreversible: boolean;
  readonly risk: Risk;
  readonly defaultDecision: Decision;
  /** Whether an accept may come with another action than the one asked about. Where not, such a reply is a rejection. */
  readonly takesChanges: boolean;
}

export interface Clarification extends Asked {
  readonly kind: "clarification";
  readonly kinds: readonly ResponseKind[];
  /** With `multiple_choice`: the values, one of which is the response. */
  readonly choices: readonly string[];
  /** What counts when nobody answers; undefined where nothing does. */
  readonly defaultResponse?: string | boolean | number;
}

export type Question = Confirmation | Clarification;

/** `time`: nobody answered in time. `nobody`: there is, or is left, nobody who could. */
export type Silence = "time" | "nobody";

/** How a question ended. It does so once. */
export type Ending =
  | { readonly how: "accepted"; readonly by?: string; readonly rationale?: string; readonly changes?: JsonObject }
  | { readonly how: "rejected"; readonly by?: string; readonly rationale?: string }
  | { readonly how: "answered"; readonly response: string | boolean | number; readonly by?: string; readonly confidence?: number }
  | { readonly how: "defaulted"; readonly why: Silence; readonly decision: Decision }
  | { readonly how: "unanswered"; readonly why: Silence; readonly response?: string | boolean | number }
  | { readonly how: "withdrawn" };

/** `alone`: the last one who could answer has left, and may be on the way back. */
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
 * Every pair of state and signal. A valid reply counts also while nobody listens: it may come by another way than the stream
 * that broke. From its end on, nothing changes a question.
 */
export const QUESTION_STEPS: Record<QuestionState, Record<QuestionSignal, QuestionState>> = {
  waiting: { ...ENDED, left: "alone", came: "waiting", forsaken: "waiting" },
  alone: { ...ENDED, left: "alone", came: "waiting" },
  ended: ENDED,
};

/**
 * What may count when nobody answers (§6.4.1). Where the table leaves it open, an irreversible action and one of high risk are
 * never started by silence.
 */
export const DEFAULTS: Readonly<Record<"irreversible" | "reversible", Readonly<Record<Risk, readonly Decision[]>>>> = {
  irreversible: { high: ["reject"], medium: ["reject"], low: ["reject"] },
  reversible: { high: ["reject"], medium: ["reject", "accept"], low: ["reject", "accept"] },
};

/** A risk that nobody stated is high where there is no way back, and low elsewhere. */
export function riskOf(risk: Risk | undefined, irreversible: boolean): Risk {
  return risk ?? (irreversible ? "high" : "low");
}

export function mayDefaultTo(decision: Decision, { irreversible, risk }: { readonly irreversible: boolean; readonly risk: Risk }): boolean {
  return DEFAULTS[irreversible ? "irreversible" : "reversible"][risk].includes(decision);
}

export type Reply = ConfirmationReply | ClarificationReply;

/**
 * How a question ends by a reply that has its token; undefined when the reply is no answer to it: of the other kind, dated
 * before the question or after its time, or with a response that was not asked for. Nobody is told which.
 */
export function judgeReply(question: Question, reply: Reply): Ending | undefined {
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
  // An accept of something else is no accept of this.
  if (decision === "reject" || (changes !== undefined && !question.takesChanges)) return { how: "rejected", ...said };
  return { how: "accepted", ...said, ...(changes === undefined ? {} : { changes: { ...changes } }) };
}
