import { rule } from "../../rule.ts";

const ASKED = ["agent.awaiting.confirmation"];
const QUESTION = ["agent.awaiting.clarification"];
const REPLY = ["confirmation.reply"];
const once = { oncePerSession: true } as const;

/** Questions that wait for a person, their answers, and what may happen afterwards. */
export const REQUEST_RULES = {
  "aaep/irreversible-needs-accept": rule(
    ["error", "recording", 2, "§4.3.1, §4.4.1, §9.4.1, A.8.4", ["agent.tool.invoked/irreversible"]],
    "An irreversible tool is invoked only after a confirmation for it was accepted.",
    "Emit awaiting.confirmation, wait for the accept reply, then tool.invoked. One accept covers one invocation.",
  ),
  "aaep/irreversible-accept-unseen": rule(
    ["info", "recording", 2, "§4.3.1", ["agent.tool.invoked/irreversible"]],
    "Whether an irreversible tool was accepted can be seen in the recording.",
    "Record the replies too: this recording shows the question but not its answer.",
    { side: "subscriber" },
  ),
  "aaep/irreversible-by-default": rule(
    ["warning", "recording", 2, "§4.3.1, §4.5.3", ["agent.tool.invoked/irreversible"]],
    "An irreversible tool is not started by a default after silence.",
    'Set "default_decision":"reject": two clauses disagree here, and only one of them is safe.',
  ),
  "aaep/high-risk-needs-confirmation": rule(
    ["warning", "recording", 2, "§2.3.5", ["agent.tool.invoked/risk_level"]],
    "A tool of high risk is invoked only after a confirmation.",
    "Ask first, as for an irreversible one.",
  ),
  "aaep/invoked-as-confirmed": rule(
    ["error", "recording", 2, "§4.3.1, §4.4.1", ["agent.tool.invoked/tool_call_id"]],
    "A call is invoked with the risk and irreversibility that its confirmation stated.",
    "Repeat irreversible and risk_level of the question in tool.invoked: subscribers act on both.",
  ),
  "aaep/confirmation-blocks": rule(
    ["error", "recording", 2, "§4.4.1, §4.5.3, §6.1", ASKED],
    "The action that awaits a confirmation is not performed while it waits.",
    "Hold the action until the reply, or until the timeout with its default.",
    { needs: ["agent.state.changed"] },
  ),
  "aaep/accepted-action-invoked": rule(
    ["error", "recording", 2, "§4.5.3, A.4", REPLY],
    "An accepted action is announced with `tool.invoked`.",
    "Emit tool.invoked for the action before performing it.",
    { needs: ["agent.tool.invoked"] },
  ),
  "aaep/rejection-reported": rule(
    ["error", "recording", 2, "§4.5.3, §6.1, §9.4.1", REPLY],
    "A rejected action is followed by an event that says so.",
    "Emit state.changed back to thinking or deciding with a summary, before the session completes.",
    { needs: ["agent.state.changed"] },
  ),
  "aaep/rejected-action-not-invoked": rule(
    ["error", "recording", 2, "§6.1, A.4, A.8.5", REPLY],
    "A rejected action is not invoked.",
    "Drop the action. To try something else, ask again with a new confirmation.",
    { needs: ["agent.state.changed"] },
  ),
  "aaep/awaiting-state-before": rule(
    ["warning", "recording", 2, "A.4", ASKED],
    "The state is `awaiting_input` when a confirmation is asked for.",
    "Emit state.changed into awaiting_input first.",
    { ...once, needs: ["agent.state.changed"] },
  ),
  "aaep/awaiting-state-after": rule(
    ["warning", "recording", 2, "A.4, §6.7.2", ["confirmation.reply", "clarification.reply"]],
    "After an answer the state leaves `awaiting_input`.",
    "Emit state.changed to calling_tool or thinking, with a summary of the answer.",
    { ...once, needs: ["agent.state.changed"] },
  ),
  "aaep/confirmation-not-repeated": rule(
    ["error", "recording", 2, "§6.1", ASKED],
    "The same action is not asked about twice while the first question is open.",
    "Wait for the answer or the timeout before asking again.",
    { needs: ["agent.state.changed"] },
  ),
  "aaep/nothing-implies-action": rule(
    ["error", "live", 2, "§6.1", []],
    "While a confirmation is open, no event implies that its action happened.",
    "Word summaries so that they do not speak of the action as done.",
  ),
  "aaep/reply-token-unique": rule(
    ["error", "recording", 2, "§6.2", [...ASKED, ...QUESTION]],
    "A `reply_token` is used for one question only.",
    "Make a new random token per question and never reuse one.",
  ),
  "aaep/reply-first-wins": rule(
    ["error", "recording", 2, "§5.9, §6.3.5, §6.7.1", REPLY],
    "The first valid reply counts; later ones change nothing.",
    "Consume the token atomically before acting.",
  ),
  "aaep/reply-token-known": rule(
    ["error", "recording", 2, "§6.2, §9.4.2", ["confirmation.reply", "clarification.reply"]],
    "A reply repeats the token of a question that was asked.",
    "Echo reply_token exactly as it came; do not build or change tokens.",
    { side: "subscriber" },
  ),
  "aaep/reply-kind": rule(
    ["error", "recording", 2, "§6.3", ["confirmation.reply", "clarification.reply"]],
    "A confirmation is answered by `confirmation.reply`, a clarification by `clarification.reply`.",
    "Send the reply that fits the question.",
    { side: "subscriber" },
  ),
  "aaep/reply-allowed": rule(
    ["error", "recording", 2, "§4.4.1, §6.3.4", ["agent.awaiting.confirmation/allowed_replies"]],
    "The decision is one of the question's `allowed_replies`.",
    "Offer the person only what the question allows.",
    { side: "subscriber" },
  ),
  "aaep/reply-in-time": rule(
    ["warning", "recording", 2, "§6.3.4, §6.4", REPLY],
    "A reply is made between its question and the deadline.",
    "A late reply changes nothing: the default has been applied. Check the clock of the replying machine.",
    { side: "subscriber" },
  ),
  "aaep/reply-subscription": rule(
    ["error", "recording", 3, "§6.6, §10.2", ["subscription.accepted"]],
    "After a handshake, a reply names an accepted subscription.",
    "Repeat the subscription_id from subscription.accepted.",
    { side: "subscriber" },
  ),
  "aaep/reply-capable": rule(
    ["warning", "recording", 3, "§5.3.1", ["subscription.accepted"]],
    "Replies come from a subscription that said it can reply.",
    "Declare supports_confirmation_reply or supports_clarification_reply.",
    { side: "subscriber" },
  ),
  "aaep/reply-authenticated": rule(
    ["error", "live", 2, "§6.2.4, §10.2", []],
    "A reply is believed because of who sent it, not because of its token.",
    "Authenticate the sender at the transport.",
  ),
  "aaep/reply-failure-hidden": rule(
    ["error", "live", 2, "§6.3.4", []],
    "The sender of a bad reply does not learn which check failed.",
    "Answer every well-formed reply alike.",
  ),
  "aaep/reply-validated": rule(
    ["error", "live", 2, "§6.3.4, §9.4.1", []],
    "A reply that fails a check changes nothing, and the question goes on waiting.",
    "Check form, token, kind and decision before the question is settled; a reply that fails is as if it had not come.",
  ),
  "aaep/modified-action-rejected": rule(
    ["error", "live", 2, "§6.3", []],
    "An accept with a `modified_action` that the agent cannot perform counts as a reject.",
    "Read modified_action: perform exactly what it says, or drop the action and say so.",
  ),
  "aaep/timeout-default": rule(
    ["error", "recording", 2, "§6.4", ASKED],
    "When nobody answers in time, the default is applied.",
    "After a default of reject the action is dropped.",
  ),
  "aaep/cancelled-token-dead": rule(
    ["error", "recording", 2, "§6.8", ASKED],
    "A reply to a question that was withdrawn changes nothing.",
    "Void the token when the state leaves awaiting_input without an answer, or the session is cancelled.",
    { needs: ["agent.state.changed"] },
  ),
  "aaep/outcome-announced": rule(
    ["info", "recording", 2, "§5.9, §6.7.2", REPLY],
    "Everybody learns how a question was settled.",
    "Emit state.changed with a summary after the answer.",
    { ...once, needs: ["agent.state.changed"] },
  ),
  "aaep/long-wait-progress": rule(
    ["warning", "recording", 2, "§6.4.3", ASKED],
    "A wait of more than a minute reports the time left.",
    "Emit progress.updated when half, and when a tenth of the time is left.",
    once,
  ),
  "aaep/clarification-blocks": rule(
    ["error", "recording", 2, "§4.4.2, §6.1", ["clarification.reply"]],
    "Work that depends on a clarification waits for it.",
    "Hold dependent work until the reply or the timeout.",
  ),
  "aaep/clarification-followed": rule(
    ["error", "recording", 2, "§9.4.1", ["clarification.reply"]],
    "An answered clarification is followed by an event.",
    "Emit state.changed out of awaiting_input before the session completes.",
    { needs: ["agent.state.changed"] },
  ),
  "aaep/clarification-response": rule(
    ["error", "recording", 2, "§6.3, §9.4.1", ["clarification.reply"]],
    "The response fits one of the accepted kinds.",
    "freetext takes a string, yes_no a boolean, numeric a number, multiple_choice the value of a listed choice.",
    { side: "subscriber" },
  ),
  "aaep/question-left-open": rule(
    ["warning", "recording", 2, "§4.4.2, §6.1, A.7.6", [...ASKED, ...QUESTION]],
    "A session does not complete while somebody is being asked.",
    "Wait for the answer or the timeout, or withdraw the question with a state change, before completing.",
  ),
  "aaep/handoff-ends": rule(
    ["warning", "recording", 2, "§4.4.3, A.2", ["agent.handoff.requested"]],
    "After a handoff the session completes or is cancelled.",
    "End with session.completed when it was taken over, session.cancelled when not.",
  ),
  "aaep/handoff-stops-work": rule(
    ["warning", "recording", 2, "§4.4.3, A.2", ["agent.handoff.requested"]],
    "An agent that has handed over does no more work in the session.",
    "Finish or abandon tools and questions before handoff.requested; after it, end the session.",
    once,
  ),
  "aaep/handoff-once": rule(
    ["warning", "recording", 2, "§4.4.3, A.2", ["agent.handoff.requested"]],
    "An agent hands a session over once.",
    "Emit one handoff.requested; when nobody takes it over, cancel the session.",
  ),
  "aaep/handoff-emitted": rule(
    ["error", "recording", 2, "§9.4.1, §4.2.1", ["agent.state.changed"]],
    "An agent that gives up to a person or another agent emits `handoff.requested`.",
    "Emit it when the state becomes handing_off, before ending the session.",
    { needs: ["agent.handoff.requested"] },
  ),
  "aaep/no-auto-reply": rule(
    ["error", "live", 2, "§4.4.1, §9.4.2", []],
    "A subscriber never answers for a person who has not told it to.",
    "Answer by rule only where the person wrote the rule.",
    { side: "subscriber" },
  ),
} as const;
