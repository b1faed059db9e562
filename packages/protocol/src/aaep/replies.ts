import type { JsonObject } from "../json.ts";
import { readTimestamp } from "../timestamp.ts";
import { type Ask, lapse, settle } from "./asks.ts";
import { type ReplyRefusal, whyNoReply } from "./reply-refusal.ts";
import type { AaepSession } from "./session-state.ts";
import { type Note, type Signal, text } from "./signal.ts";
import { quote } from "./states.ts";

/** A reply to a question of this session: settles it if it is the first that fits and in time. */
export function replyTo(session: AaepSession, signal: Signal, note: Note): void {
  const token = text(signal.value, "reply_token");
  const asked = session.asks.find((one) => one.token === token);
  if (asked === undefined) return;
  const refusal = whyNoReply(asked, { ...signal.value, type: signal.type });
  if (refusal !== undefined) noteRefusal(refusal, asked, signal, note);
  const answer = answerOf(asked, signal.value);
  if (refusal === "late") {
    if (asked.state === "open") lapse(asked);
    if (answer === "accept") asked.lateAccept = true;
  }
  if (refusal !== undefined || answer === undefined) return;
  // What was taken for an answer that nobody recorded was none: here it is.
  if (asked.state === "presumed") asked.state = "open";
  const ms = replyMs(signal);
  // Replies are recorded after all, and this one was given after the question had been dropped.
  if (asked.state === "open" && typeof asked.droppedMs === "number" && ms !== undefined && ms > asked.droppedMs) settle(asked, "withdraw");
  if (asked.state !== "open") {
    if (answer === "accept" && asked.state !== "accepted") asked.lateAccept = true;
    return;
  }
  noteLongWait(asked, signal, note);
  noteUnblocked(asked, signal, note);
  settle(asked, answer);
  // Whoever cannot change its action has to take an accept of another one for a refusal: then nothing is invoked (§6.3).
  if (asked.used || signal.value["modified_action"] !== undefined) asked.followed = true;
  // A reply may be recorded a moment after the event that follows it in time: that event has then told of it already.
  if (ms !== undefined && session.lastMs !== null && session.lastMs > ms) asked.reported = true;
}

function noteRefusal(refusal: ReplyRefusal, asked: Ask, { type, value }: Signal, note: Note): void {
  const since = { since: asked.at };
  switch (refusal) {
    case "kind":
      note("aaep/reply-kind", `A ${type} answers a ${asked.kind}.`, { pointer: "/type", ...since });
      return;
    case "decision":
      if (asked.allowed === null || typeof value["decision"] !== "string") return; // told by its form
      note("aaep/reply-allowed", `${quote(value["decision"])} is not one of the allowed replies ${asked.allowed.map(quote).join(", ")}.`, {
        pointer: "/decision",
        ...since,
      });
      return;
    case "response": {
      const { response } = value;
      if (response === undefined || typeof response === "object") return; // told by its form
      const kinds = asked.kinds.map(quote).join(", ");
      note("aaep/clarification-response", `The response ${quote(String(response))} fits none of the accepted kinds: ${kinds}.`, {
        pointer: "/response",
        ...since,
      });
      return;
    }
    case "early":
      note("aaep/reply-in-time", "The reply is dated before its question.", { pointer: "/timestamp", ...since });
      return;
    case "late":
      note("aaep/reply-in-time", "The reply is dated after the deadline of its question, so the default applies.", {
        pointer: "/timestamp",
        ...since,
      });
  }
}

function answerOf(asked: Ask, value: JsonObject): "accept" | "reject" | "answer" | undefined {
  if (asked.kind === "clarification") return "answer";
  const decision = value["decision"];
  return decision === "accept" || decision === "reject" ? decision : undefined;
}

/** A clarification that was answered after the session had gone on with a tool. */
function noteUnblocked({ wentOnMs, action, at }: Ask, signal: Signal, note: Note): void {
  const ms = replyMs(signal);
  if (wentOnMs === undefined || (ms !== undefined && wentOnMs !== null && ms <= wentOnMs)) return;
  note("aaep/clarification-blocks", `Work went on while ${quote(action)} waited for the answer that came now.`, { since: at });
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
