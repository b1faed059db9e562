import { readTimestamp } from "../timestamp.ts";

/** A question as far as it decides whether a reply to it counts. */
export interface RepliedQuestion {
  readonly kind: "confirmation" | "clarification";
  /** When it was asked, and when its default applies, by wall time; null where that is not known, or never. */
  readonly askedMs: number | null;
  readonly deadlineMs: number | null;
  /** `allowed_replies`; null where both decisions are. */
  readonly allowed?: readonly string[] | null;
  /** `accepted_response_kinds` and the values of `choices`; left out where the response is checked elsewhere. */
  readonly kinds?: readonly string[];
  readonly choices?: readonly string[];
}

export interface SaidReply {
  readonly type: string;
  readonly timestamp?: unknown;
  readonly decision?: unknown;
  readonly response?: unknown;
}

/**
 * Why a reply changes nothing (§6.3.4). Its sender is never told which it was: whoever guesses tokens would learn from it.
 * kind: a reply of the other kind. decision: none that was asked for. response: of a kind, or a choice, that was not offered.
 * early: dated before the question. late: dated at or after the deadline, when the default has been applied.
 */
export type ReplyRefusal = "kind" | "decision" | "response" | "early" | "late";

/** Clocks of two machines differ: a reply dated this much before its question is still a reply to it. */
export const REPLY_TOLERANCE_MS = 60_000;

/** Whether a reply with the right token counts: undefined when it does. Its time needs no tolerance after the deadline. */
export function whyNoReply(question: RepliedQuestion, reply: SaidReply): ReplyRefusal | undefined {
  if (reply.type !== `${question.kind}.reply`) return "kind";
  if (question.kind === "confirmation") {
    const { decision } = reply;
    if (decision !== "accept" && decision !== "reject") return "decision";
    if (question.allowed?.includes(decision) === false) return "decision";
  } else if (question.kinds !== undefined && !fitsKinds(reply.response, question.kinds, question.choices ?? [])) return "response";
  const ms = typeof reply.timestamp === "string" ? readTimestamp(reply.timestamp)?.ms : undefined;
  if (ms === undefined) return undefined; // its form is for the schema to refuse
  if (question.askedMs !== null && ms < question.askedMs - REPLY_TOLERANCE_MS) return "early";
  return question.deadlineMs !== null && ms >= question.deadlineMs ? "late" : undefined;
}

/** Any accepted kind is fine. A kind of a later version accepts what it likes. */
export function fitsKinds(response: unknown, kinds: readonly string[], choices: readonly string[]): boolean {
  return kinds.some((kind) => {
    switch (kind) {
      case "freetext":
        return typeof response === "string";
      case "yes_no":
        return typeof response === "boolean";
      case "numeric":
        return typeof response === "number";
      case "multiple_choice":
        return typeof response === "string" && (choices.length === 0 || choices.includes(response));
      default:
        return true;
    }
  });
}
