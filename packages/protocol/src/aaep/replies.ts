import type { JsonObject } from "../json.ts";
import { defineRule } from "../rule.ts";
import { readTimestamp } from "../timestamp.ts";
import { lapseAsk, type OpenAsk, settleAsk } from "./asks.ts";
import {
  accept,
  answer,
  asked,
  both,
  confirm,
  full,
  pair,
  reject,
  reply,
  state,
  subscribed,
  swap,
  thinking,
  told,
  waiting,
} from "./example-events.ts";
import { type ReplyRefusal, whyNoReply } from "./reply-refusal.ts";
import type { AaepSessionState } from "./session-state.ts";
import { type AaepSignal, type NoteFinding, readTextField } from "./signal.ts";
import { quoteState } from "./states.ts";

const ASKED = ["agent.awaiting.confirmation"];
const REPLY = ["confirmation.reply"];

const REPLIES = { supports_confirmation_reply: true };

export const REPLIES_RULES = {
  "aaep/confirmation-reply": defineRule(["error", "event", 2, "§6.3", ["confirmation.reply"]], {
    title: "`confirmation.reply` has the token, accept or reject, the subscription and the time of the decision, and nothing else.",
    hint: "decision is exactly accept or reject, in lower case.",
    side: "subscriber",
    examples: () => both(full(...accept), full(...swap(accept, 3, reply("rpl_1", "accept", { note: "fine" })))),
  }),
  "aaep/clarification-reply": defineRule(["error", "event", 2, "§6.3", ["clarification.reply"]], {
    title: "`clarification.reply` has the token, a response, the subscription and the time, and nothing else.",
    hint: "response is a string, a boolean or a number.",
    side: "subscriber",
    examples: () => both(full(...asked()), full(...asked({}, "eu", { confidence: 7 }))),
  }),
  "aaep/reply-token-known": defineRule(["error", "recording", 2, "§6.2, §9.4.2", ["confirmation.reply", "clarification.reply"]], {
    title: "A reply repeats the token of a question that was asked.",
    hint: "Echo reply_token exactly as it came; do not build or change tokens.",
    side: "subscriber",
    examples: () => both(full(...accept), full(...accept, reply("rpl_9", "accept"))),
  }),
  "aaep/reply-kind": defineRule(["error", "recording", 2, "§6.3", ["confirmation.reply", "clarification.reply"]], {
    title: "A confirmation is answered by `confirmation.reply`, a clarification by `clarification.reply`.",
    hint: "Send the reply that fits the question.",
    side: "subscriber",
    examples: () => both(full(...accept), full(...accept.slice(0, 3), answer("rpl_1", "yes"), ...accept.slice(3))),
  }),
  "aaep/reply-allowed": defineRule(["error", "recording", 2, "§4.4.1, §6.3.4", ["agent.awaiting.confirmation/allowed_replies"]], {
    title: "The decision is one of the question's `allowed_replies`.",
    hint: "Offer the person only what the question allows.",
    side: "subscriber",
    examples: () =>
      both(
        full(...swap(accept, 2, confirm("rpl_1", { allowed_replies: ["accept", "reject"] }))),
        full(...swap(reject, 2, confirm("rpl_1", { allowed_replies: ["accept"] }))),
      ),
  }),
  "aaep/reply-in-time": defineRule(["warning", "recording", 2, "§6.3.4, §6.4", REPLY], {
    title: "A reply is made between its question and the deadline.",
    hint: "A late reply changes nothing: the default has been applied. Check the clock of the replying machine.",
    side: "subscriber",
    examples: () => both(full(...reject), full(...swap(reject, 3, reply("rpl_1", "reject", { timestamp: "2026-07-01T09:30:00.000Z" })))),
  }),
  "aaep/reply-subscription": defineRule(["error", "recording", 3, "§6.6, §10.2", ["subscription.accepted"]], {
    title: "After a handshake, a reply names an accepted subscription.",
    hint: "Repeat the subscription_id from subscription.accepted.",
    side: "subscriber",
    examples: () =>
      both(subscribed(REPLIES, ...reject), subscribed(REPLIES, ...swap(reject, 3, reply("rpl_1", "reject", { subscription_id: "sub_9" })))),
  }),
  "aaep/reply-capable": defineRule(["warning", "recording", 3, "§5.3.1", ["subscription.accepted"]], {
    title: "Replies come from a subscription that said it can reply.",
    hint: "Declare supports_confirmation_reply or supports_clarification_reply.",
    side: "subscriber",
    examples: () => both(subscribed(REPLIES, ...reject), subscribed({}, ...reject)),
  }),
  "aaep/reply-authenticated": defineRule(["error", "live", 2, "§6.2.4, §10.2", []], {
    title: "A reply is believed because of who sent it, not because of its token.",
    hint: "Authenticate the sender at the transport.",
    examples: () =>
      told("A reply from an unknown connection is ignored, although its token is right.", "Any sender of a known token is believed."),
  }),
  "aaep/reply-validated": defineRule(["error", "live", 2, "§6.3.4, §9.4.1", []], {
    title: "A reply that fails a check changes nothing, and the question goes on waiting.",
    hint: "Check form, token, kind and decision before the question is settled; a reply that fails is as if it had not come.",
    examples: () =>
      told(
        "A reply with an invented token arrives; the question is still open, and the real answer counts.",
        "A reply with an invented token arrives, and the file is deleted.",
      ),
  }),
  "aaep/reply-failure-hidden": defineRule(["error", "live", 2, "§6.3.4", []], {
    title: "The sender of a bad reply does not learn which check failed.",
    hint: "Answer every well-formed reply alike.",
    examples: () =>
      told("Every well-formed reply is answered with 204.", "A used token is answered with 409 and the words: token already used."),
  }),
  "aaep/long-wait-progress": defineRule(["warning", "recording", 2, "§6.4.3", ASKED], {
    title: "A wait of more than a minute reports the time left.",
    hint: "Emit progress.updated when half, and when a tenth of the time is left.",
    oncePerSession: true,
    examples: () =>
      both(
        full(...reject),
        full(
          thinking,
          waiting,
          confirm("rpl_1", { timeout_seconds: 300 }),
          reply("rpl_1", "reject", { timestamp: "2026-07-01T09:04:00.000Z" }),
          state("awaiting_input", "thinking", { summary_normal: "You declined." }),
        ),
      ),
  }),
  "aaep/clarification-blocks": defineRule(["error", "recording", 2, "§4.4.2, §6.1", ["clarification.reply"]], {
    title: "Work that depends on a clarification waits for it.",
    hint: "Hold dependent work until the reply or the timeout.",
    examples: () =>
      both(
        full(...asked()),
        full(
          ...asked().slice(0, 3),
          ...pair("create_bucket", {}),
          answer("rpl_1", "eu-west", { timestamp: "2026-07-01T09:00:06.500Z" }),
          state("awaiting_input", "thinking", { summary_normal: "Thank you." }),
        ),
      ),
  }),
  "aaep/clarification-response": defineRule(["error", "recording", 2, "§6.3, §9.4.1", ["clarification.reply"]], {
    title: "The response fits one of the accepted kinds.",
    hint: "freetext takes a string, yes_no a boolean, numeric a number, multiple_choice the value of a listed choice.",
    side: "subscriber",
    examples: () =>
      both(full(...asked({ accepted_response_kinds: ["numeric"] }, 3)), full(...asked({ accepted_response_kinds: ["numeric"] }, "three"))),
  }),
  "aaep/no-auto-reply": defineRule(["error", "live", 2, "§4.4.1, §9.4.2", []], {
    title: "A subscriber never answers for a person who has not told it to.",
    hint: "Answer by rule only where the person wrote the rule.",
    side: "subscriber",
    examples: () =>
      told("A rule that the person wrote answers for this tool.", "The subscriber accepts everything while the person is away."),
  }),
} as const;

/** Applies a reply to a question of this session. The first valid reply in time settles the question. */
export function applyReply(session: AaepSessionState, signal: AaepSignal, note: NoteFinding): void {
  const token = readTextField(signal.value, "reply_token");
  const asked = session.asks.find((one) => one.token === token);
  if (asked === undefined) return;
  const refusal = whyNoReply(asked, { ...signal.value, type: signal.type });
  if (refusal !== undefined) noteRefusal(refusal, asked, signal, note);
  const answer = answerOf(asked, signal.value);
  if (refusal === "late") {
    if (asked.state === "open") lapseAsk(asked);
    if (answer === "accept") asked.lateAccept = true;
  }
  if (refusal !== undefined || answer === undefined) return;
  // The question was presumed answered because no reply was recorded; this reply is the actual answer.
  if (asked.state === "presumed") asked.state = "open";
  const ms = replyMs(signal);
  // Replies are recorded after all, and this one was given after the question was dropped.
  if (asked.state === "open" && typeof asked.droppedMs === "number" && ms !== undefined && ms > asked.droppedMs)
    settleAsk(asked, "withdraw");
  if (asked.state !== "open") {
    if (answer === "accept" && asked.state !== "accepted") asked.lateAccept = true;
    return;
  }
  noteLongWait(asked, signal, note);
  noteUnblocked(asked, signal, note);
  settleAsk(asked, answer);
  // An agent that cannot perform a `modified_action` must treat the accept as a reject and invoke nothing (§6.3).
  if (asked.used || signal.value["modified_action"] !== undefined) asked.followed = true;
  // A reply may be recorded shortly after an event that is later in time; that event has already reported the answer.
  if (ms !== undefined && session.lastMs !== null && session.lastMs > ms) asked.reported = true;
}

function noteRefusal(refusal: ReplyRefusal, asked: OpenAsk, { type, value }: AaepSignal, note: NoteFinding): void {
  const since = { since: asked.at };
  switch (refusal) {
    case "kind":
      note("aaep/reply-kind", `A ${type} answers a ${asked.kind}.`, { pointer: "/type", ...since });
      return;
    case "decision":
      if (asked.allowed === null || typeof value["decision"] !== "string") return; // told by its form
      note(
        "aaep/reply-allowed",
        `${quoteState(value["decision"])} is not one of the allowed replies ${asked.allowed.map(quoteState).join(", ")}.`,
        {
          pointer: "/decision",
          ...since,
        },
      );
      return;
    case "response": {
      const { response } = value;
      if (response === undefined || typeof response === "object") return; // told by its form
      const kinds = asked.kinds.map(quoteState).join(", ");
      note("aaep/clarification-response", `The response ${quoteState(String(response))} fits none of the accepted kinds: ${kinds}.`, {
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

function answerOf(asked: OpenAsk, value: JsonObject): "accept" | "reject" | "answer" | undefined {
  if (asked.kind === "clarification") return "answer";
  const decision = value["decision"];
  return decision === "accept" || decision === "reject" ? decision : undefined;
}

/** Reports a clarification answered after the session had continued with a tool. */
function noteUnblocked({ wentOnMs, action, at }: OpenAsk, signal: AaepSignal, note: NoteFinding): void {
  const ms = replyMs(signal);
  if (wentOnMs === undefined || (ms !== undefined && wentOnMs !== null && ms <= wentOnMs)) return;
  note("aaep/clarification-blocks", `Work went on while ${quoteState(action)} waited for the answer that came now.`, { since: at });
}

function noteLongWait(asked: OpenAsk, signal: AaepSignal, note: NoteFinding): void {
  const ms = replyMs(signal);
  if (ms === undefined || asked.askedMs === null || asked.deadlineMs === null || asked.progressHeard) return;
  const timeoutMs = asked.deadlineMs - asked.askedMs;
  if (timeoutMs > 60_000 && ms - asked.askedMs >= timeoutMs / 2) {
    note("aaep/long-wait-progress", "More than half of the time passed, and no progress told the person how much was left.", {
      since: asked.at,
    });
  }
}

function replyMs(signal: AaepSignal): number | undefined {
  const stamp = readTextField(signal.value, "timestamp");
  return stamp === undefined ? undefined : readTimestamp(stamp)?.ms;
}
