import { readTimestamp } from "../timestamp.ts";

/** The parts of a question that decide whether a reply to it counts. */
export interface RepliedQuestion {
  readonly kind: "confirmation" | "clarification";
  /** Wall-clock times of the question and of its default; null if unknown or if there is none. */
  readonly askedMs: number | null;
  readonly deadlineMs: number | null;
  /** `allowed_replies`; null if both decisions are allowed. */
  readonly allowed?: readonly string[] | null;
  /** `accepted_response_kinds` and the values of `choices`; omitted if the response is checked elsewhere. */
  readonly kinds?: readonly string[];
  readonly choices?: readonly string[];
}

export interface JudgedReply {
  readonly type: string;
  readonly timestamp?: unknown;
  readonly decision?: unknown;
  readonly response?: unknown;
}

/**
 * Why a reply has no effect (§6.3.4). The sender never learns the reason, because it would help to guess tokens. kind: a reply of the
 * other kind. decision: not one of those requested. response: a kind or choice that was not offered. early: dated before the question.
 * late: dated at or after the deadline, when the default already applies.
 */
export type ReplyRefusal = "kind" | "decision" | "response" | "early" | "late";

/** Allows for clock differences between machines: a reply dated this much before its question is still valid. */
export const REPLY_TOLERANCE_MS = 60_000;

/** Returns why a reply with the right token does not count; undefined if it counts. There is no tolerance after the deadline. */
export function whyNoReply(question: RepliedQuestion, reply: JudgedReply): ReplyRefusal | undefined {
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

/** Whether the response fits any accepted kind. A kind of a later version accepts every response. */
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
