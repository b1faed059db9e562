import type { JsonObject } from "../json.ts";
import { readTimestamp } from "../timestamp.ts";
import { type Ask, lapse, settle } from "./asks.ts";
import type { AaepSession } from "./session-state.ts";
import { type Note, type Signal, text } from "./signal.ts";
import { quote } from "./states.ts";

/** A reply to a question of this session: settles it if it is the first that fits and in time. */
export function replyTo(session: AaepSession, signal: Signal, note: Note): void {
  const token = text(signal.value, "reply_token");
  const asked = session.asks.find((one) => one.token === token);
  if (asked === undefined) return;
  const kind = signal.type === "confirmation.reply" ? "confirmation" : "clarification";
  if (asked.kind !== kind) {
    note("aaep/reply-kind", `A ${signal.type} answers a ${asked.kind}.`, { pointer: "/type", since: asked.at });
    return;
  }
  if (!fits(asked, signal.value, note)) return;
  const answer = answerOf(asked, signal.value);
  if (answer === undefined) return;
  if (isLate(asked, signal, note)) {
    if (asked.state === "open") lapse(asked);
    if (answer === "accept") asked.lateAccept = true;
    return;
  }
  // What was taken for an answer that nobody recorded was none: here it is.
  if (asked.state === "presumed") asked.state = "open";
  if (asked.state !== "open") {
    if (answer === "accept" && asked.state !== "accepted") asked.lateAccept = true;
    return;
  }
  noteLongWait(asked, signal, note);
  settle(asked, answer);
  // Whoever cannot change its action has to take an accept of another one for a refusal: then nothing is invoked (§6.3).
  if (asked.used || signal.value["modified_action"] !== undefined) asked.followed = true;
  // A reply may be recorded a moment after the event that follows it in time: that event has then told of it already.
  const ms = replyMs(signal);
  if (ms !== undefined && session.lastMs !== null && session.lastMs > ms) asked.reported = true;
}

function fits(asked: Ask, value: JsonObject, note: Note): boolean {
  if (asked.kind === "confirmation") {
    const decision = value["decision"];
    if (typeof decision !== "string" || asked.allowed === null || asked.allowed.includes(decision)) return true;
    const allowed = asked.allowed.map(quote).join(", ");
    note("aaep/reply-allowed", `${quote(decision)} is not one of the allowed replies ${allowed}.`, {
      pointer: "/decision",
      since: asked.at,
    });
    return false;
  }
  const response = value["response"];
  if (response === undefined || typeof response === "object") return true;
  const accepted = asked.kinds.some((kind) => {
    if (kind === "freetext") return typeof response === "string";
    if (kind === "yes_no") return typeof response === "boolean";
    if (kind === "numeric") return typeof response === "number";
    return kind !== "multiple_choice" || (typeof response === "string" && (asked.choices.length === 0 || asked.choices.includes(response)));
  });
  if (accepted) return true;
  const kinds = asked.kinds.map(quote).join(", ");
  note("aaep/clarification-response", `The response ${quote(String(response))} fits none of the accepted kinds: ${kinds}.`, {
    pointer: "/response",
    since: asked.at,
  });
  return false;
}

function answerOf(asked: Ask, value: JsonObject): "accept" | "reject" | "answer" | undefined {
  if (asked.kind === "clarification") return "answer";
  const decision = value["decision"];
  return decision === "accept" || decision === "reject" ? decision : undefined;
}

/** Clocks of two machines differ a little; five seconds before the question is still the same moment. */
const SKEW_MS = 5000;

function isLate(asked: Ask, signal: Signal, note: Note): boolean {
  const ms = replyMs(signal);
  if (ms === undefined) return false;
  if (asked.askedMs !== null && ms < asked.askedMs - SKEW_MS) {
    note("aaep/reply-in-time", "The reply is dated before its question.", { pointer: "/timestamp", since: asked.at });
    return false;
  }
  if (asked.deadlineMs === null || ms < asked.deadlineMs) return false;
  note("aaep/reply-in-time", "The reply is dated after the deadline of its question, so the default applies.", {
    pointer: "/timestamp",
    since: asked.at,
  });
  return true;
}

function noteLongWait(asked: Ask, signal: Signal, note: Note): void {
  const ms = replyMs(signal);
  if (ms === undefined || asked.askedMs === null || asked.deadlineMs === null || asked.progressHeard) return;
  const timeoutMs = asked.deadlineMs - asked.askedMs;
  if (timeoutMs > 60_000 && ms - asked.askedMs >= timeoutMs / 2) {
    note("aaep/long-wait-progress", "More than half of the time passed, and no progress told the person how much was left.", {
      since: asked.at,
    });
  }
}

function replyMs(signal: Signal): number | undefined {
  const stamp = text(signal.value, "timestamp");
  return stamp === undefined ? undefined : readTimestamp(stamp)?.ms;
}
