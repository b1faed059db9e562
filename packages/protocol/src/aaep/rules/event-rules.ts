import { rule } from "../../rule.ts";

const ANY = ["*"];
const once = { oncePerSession: true } as const;

/** What one event or message must be, whatever stands around it. */
export const EVENT_RULES = {
  "aaep/required-fields": rule(
    ["error", "event", 1, "§3.2", ANY],
    "Every event carries `@context`, `type`, `event_id`, `session_id`, `timestamp` and `producer`.",
    "Add the missing field.",
  ),
  "aaep/context": rule(
    ["error", "event", 1, "§3.2.1", ANY],
    "`@context` is the core context URI, or a list of URIs that begins with it.",
    'Write "https://aaep-protocol.org/context/v1", first when there are more.',
  ),
  "aaep/type-form": rule(
    ["error", "event", 1, "§3.2.2", ANY],
    "`type` is `prefix:name`, or a full URI.",
    "Write the compact form, for example `aaep:agent.tool.invoked`.",
  ),
  "aaep/type-defined": rule(
    ["error", "event", 1, "§3.2.2, §7.2", ANY],
    "The `aaep:` prefix is used for the twelve core types only.",
    "Use one of the core types, or a prefix of your own declared in `@context`.",
  ),
  "aaep/type-compact": rule(
    ["warning", "event", 1, "§3.2.2", ANY],
    "`type` should be in its compact form.",
    "Many readers compare the compact form literally: write `aaep:` and the local name.",
    once,
  ),
  "aaep/event-id": rule(
    ["error", "event", 1, "§3.2.3", ANY],
    "`event_id` is `evt_` and 1 to 64 letters or digits.",
    "Use `evt_` and 32 random hexadecimal digits; dashes and underscores are not allowed after the prefix.",
  ),
  "aaep/session-id": rule(
    ["error", "event", 1, "§3.2.4", ANY],
    "`session_id` is `sess_` and 1 to 64 letters or digits.",
    "Use `sess_` and 32 random hexadecimal digits; keep a foreign id in `correlation_id` or an extension.",
  ),
  "aaep/timestamp": rule(
    ["error", "event", 1, "§3.2.5", ANY],
    "`timestamp` is a real instant in RFC 3339, with upper-case `T` and `Z` or an offset.",
    "Write for example 2026-07-01T09:00:00.250Z, from the clock at the moment the event is made.",
  ),
  "aaep/timestamp-precision": rule(
    ["warning", "event", 1, "§3.2.5", ANY],
    "`timestamp` has no fraction, or one of 3 or 6 digits.",
    "Use milliseconds: three digits.",
    once,
  ),
  "aaep/producer": rule(
    ["error", "event", 1, "§3.2.6", ANY],
    "`producer` names the agent with `agent_id` and has no members of its own invention.",
    "Allowed are agent_id, agent_version, agent_name, model and manifest_uri; put the rest under `extensions`.",
  ),
  "aaep/version": rule(
    ["error", "event", 1, "§3.3, §12", ["*/aaep_version"]],
    "`aaep_version` is a version number of three parts.",
    'Write "1.0.0".',
  ),
  "aaep/version-known": rule(
    ["warning", "event", 1, "§12", ["*/aaep_version"]],
    "`aaep_version` is a published version.",
    'Published are 1.0.0 and, before it, 0.1.0-draft. Write "1.0.0".',
    once,
  ),
  "aaep/sequence-number": rule(
    ["error", "event", 1, "§3.4.1", ["*/sequence_number"]],
    "`sequence_number` is an integer from 0.",
    "Count from 0 on `session.started`, or leave it out on every event.",
  ),
  "aaep/verbosity": rule(
    ["error", "event", 1, "§3.3.1", ["*/verbosity"]],
    "`verbosity` is terse, normal or detailed.",
    "Use one of the three, or leave it out: absent means normal.",
  ),
  "aaep/urgency": rule(
    ["error", "event", 1, "§3.3.2", ["*/urgency"]],
    "`urgency` is background, normal or critical.",
    "Use one of the three, or leave it out: absent means normal.",
  ),
  "aaep/localization-hints": rule(
    ["error", "event", 1, "§3.3.3, §11", ["*/localization_hints"]],
    "`localization_hints` holds language tags in BCP 47 form and no members of its own invention.",
    'Write for example {"primary_language":"en-US","text_direction":"ltr"}.',
  ),
  "aaep/localization-declared": rule(
    ["warning", "event", 1, "§11.1.1", ANY],
    "An event with text for people says which language it is in.",
    'Add "localization_hints":{"primary_language":"en-US"}: a screen reader picks its voice by it.',
    once,
  ),
  "aaep/correlation-id": rule(
    ["error", "event", 1, "§3.4.2", ["*/correlation_id"]],
    "`correlation_id` is a string.",
    "Write the trace id as a string, or leave it out.",
  ),
  "aaep/extensions-objects": rule(
    ["error", "event", 1, "§3.4.3, §7.4", ["*/extensions"]],
    "`extensions` maps a prefix to an object.",
    'Nest the value: {"extensions":{"opsx":{"ticket":"OPS-7"}}}.',
  ),
  "aaep/extension-declared": rule(
    ["error", "event", 1, "§3.4.3, §3.11.4", ["*/extensions"]],
    "Each extension prefix that is used is declared in `@context`.",
    "Make `@context` a list: the core URI first, then the URI of each extension.",
  ),
  "aaep/extension-declared-clearly": rule(
    ["warning", "event", 1, "§7.3", ["*/extensions"]],
    "It can be seen which `@context` entry declares a prefix.",
    "Let the extension's URI contain its prefix, as in https://acme.example/opsx/v1 for opsx.",
    once,
  ),
  "aaep/extension-prefix": rule(
    ["error", "event", 1, "§7.2, §7.3", ["*/extensions"]],
    "An extension does not use a reserved prefix.",
    "aaep, xsd, rdf, rdfs and names beginning with @ are taken: choose a prefix of 3 to 12 characters.",
  ),
  "aaep/no-custom-fields": rule(
    ["error", "event", 1, "§3.5", ANY],
    "A core event has no top-level fields of the producer's own.",
    "Move the field under `extensions` and a prefix of your own: a later version may define that name.",
  ),
  "aaep/size": rule(
    ["warning", "event", 1, "§3.7", ANY],
    "A serialised event is at most 64 KiB.",
    "Send a summary, or stream the content in chunks.",
  ),
  "aaep/field-count": rule(
    ["warning", "event", 1, "§3.7", ANY],
    "An event has at most 32 fields, each extension prefix counted.",
    "Group related values in one object.",
  ),
  "aaep/nesting": rule(["warning", "event", 1, "§3.7", ANY], "Payloads are nested at most 8 levels deep.", "Flatten the payload."),
  "aaep/string-length": rule(
    ["warning", "event", 1, "§3.7", ANY],
    "A string has at most 16,384 characters.",
    "Shorten it, or stream it in chunks.",
  ),
  "aaep/integer-range": rule(
    ["error", "event", 1, "§3.8", ANY],
    "Integers past 2^53 travel as strings.",
    "Most JSON readers round such numbers: write the value as a string.",
  ),
  "aaep/well-formed-text": rule(
    ["warning", "event", 1, "§3.8, §11", ANY],
    "Text is well-formed Unicode, and no chunk begins in the middle of a character.",
    "Do not cut between the halves of a surrogate pair, nor between a letter and its combining marks.",
    once,
  ),
  "aaep/no-secrets": rule(
    ["error", "event", 1, "§4.3.1, §10.2", ANY],
    "No text for people contains a secret.",
    "Leave the value out before the event is made: everything here is spoken, shown and stored.",
  ),
  "aaep/summary-advised": rule(
    [
      "warning",
      "event",
      1,
      "§9.3.1",
      ["agent.tool.completed", "agent.awaiting.confirmation", "agent.awaiting.clarification", "agent.handoff.requested"],
    ],
    "An event that a person will hear has a `summary_normal`.",
    "Write one sentence that makes sense without a screen.",
    once,
  ),

  "aaep/session-started-payload": rule(
    ["error", "event", 1, "§4.1.1", ["agent.session.started"]],
    "`session.started` says in `summary_normal` what the session will do.",
    "Check the named field against §4.1.1.",
  ),
  "aaep/session-completed-payload": rule(
    ["error", "event", 1, "§4.1.2", ["agent.session.completed"]],
    "`session.completed` says in `summary_normal` what was accomplished.",
    "Check the named field against §4.1.2.",
  ),
  "aaep/session-errored-payload": rule(
    ["error", "event", 1, "§4.1.3", ["agent.session.errored"]],
    "`session.errored` has an `error_category` and a `summary_normal`.",
    "Categories are transient, permanent, requires_user and unknown; error_code is upper-case with underscores.",
  ),
  "aaep/session-cancelled-payload": rule(
    ["error", "event", 1, "§4.1.4", ["agent.session.cancelled"]],
    "`session.cancelled` says who cancelled and why.",
    "`cancelled_by` is user, producer, timeout or system; add a `summary_normal`.",
  ),
  "aaep/state-changed-payload": rule(
    ["error", "event", 1, "§4.2.1", ["agent.state.changed"]],
    "`state.changed` has `from_state` and `to_state`.",
    "Both are names of 1 to 64 characters.",
  ),
  "aaep/progress-updated-payload": rule(
    ["error", "event", 1, "§4.2.2", ["agent.progress.updated"]],
    "`progress.updated` has a `progress` object with percent, step, total_steps or description.",
    "percent is 0 to 100; step and total_steps count from 1.",
  ),
  "aaep/progress-not-empty": rule(
    ["error", "event", 1, "§4.2.2", ["agent.progress.updated"]],
    "`progress` has at least one of percent, step, total_steps and description.",
    "Say how far it is, or do not send the event.",
  ),
  "aaep/progress-step-within-total": rule(
    ["error", "event", 1, "§4.2.2", ["agent.progress.updated"]],
    "`step` is not past `total_steps`.",
    "Raise total_steps when the plan grows.",
  ),
  "aaep/tool-invoked-payload": rule(
    ["error", "event", 1, "§4.3.1", ["agent.tool.invoked"]],
    "`tool.invoked` names the tool and says in `summary_normal` what it is about to do.",
    "A tool name begins with a letter or underscore; a tool_call_id is `call_` and letters or digits.",
  ),
  "aaep/tool-completed-payload": rule(
    ["error", "event", 1, "§4.3.2", ["agent.tool.completed"]],
    "`tool.completed` names the tool and its status.",
    "Status is success, error or timeout.",
  ),
  "aaep/error-message-advised": rule(
    ["warning", "event", 1, "§4.3.2", ["agent.tool.completed"]],
    "A tool that failed or timed out says why in `error_message`.",
    "Add a short error_message.",
  ),
  "aaep/output-streaming-payload": rule(
    ["error", "event", 1, "§4.3.3", ["agent.output.streaming"]],
    "`output.streaming` has `chunk`, `position` and `complete`.",
    "position counts characters from 0; complete is a boolean; content_type has no parameters.",
  ),
  "aaep/awaiting-confirmation-payload": rule(
    ["error", "event", 2, "§4.4.1", ["agent.awaiting.confirmation"]],
    "`awaiting.confirmation` says the action, its consequence, a reply token, a timeout and a default.",
    "timeout_seconds is 1 to 86400; default_decision is accept or reject.",
  ),
  "aaep/awaiting-clarification-payload": rule(
    ["error", "event", 2, "§4.4.2", ["agent.awaiting.clarification"]],
    "`awaiting.clarification` has a question, a reply token and a timeout.",
    "Response kinds are freetext, yes_no, multiple_choice and numeric; choices are 2 to 32 pairs of value and label.",
  ),
  "aaep/handoff-requested-payload": rule(
    ["error", "event", 2, "§4.4.3", ["agent.handoff.requested"]],
    "`handoff.requested` says why and to what kind of target.",
    "target_kind is human, specialist_agent or escalation_queue.",
  ),

  "aaep/errored-is-critical": rule(
    ["error", "event", 1, "§4.1.3", ["agent.session.errored"]],
    '`session.errored` has urgency "critical".',
    'Add "urgency":"critical": absent means normal, and a subscriber may then drop it.',
  ),
  "aaep/confirmation-is-critical": rule(
    ["error", "event", 2, "§4.4.1", ["agent.awaiting.confirmation"]],
    '`awaiting.confirmation` has urgency "critical".',
    'Add "urgency":"critical": absent means normal, and a subscriber may then drop it.',
  ),
  "aaep/clarification-is-critical": rule(
    ["error", "event", 2, "§4.4.2", ["agent.awaiting.clarification"]],
    '`awaiting.clarification` has urgency "critical".',
    'Add "urgency":"critical": absent means normal, and a subscriber may then drop it.',
  ),
  "aaep/handoff-is-critical": rule(
    ["error", "event", 2, "§4.4.3", ["agent.handoff.requested"]],
    '`handoff.requested` has urgency "critical".',
    'Add "urgency":"critical": absent means normal, and a subscriber may then drop it.',
  ),

  "aaep/default-decision-safe": rule(
    ["error", "event", 2, "§4.4.1, §6.4.1", ["agent.awaiting.confirmation"]],
    "Silence never starts an irreversible action of medium, high or unstated risk.",
    'Set "default_decision":"reject".',
  ),
  "aaep/default-decision-advised": rule(
    ["warning", "event", 2, "§6.4.1", ["agent.awaiting.confirmation"]],
    "An irreversible action of low risk and a reversible one of high risk should default to reject.",
    'Set "default_decision":"reject".',
  ),
  "aaep/reversibility-consistent": rule(
    ["warning", "event", 2, "§4.4.1, §6.4.1", ["agent.awaiting.confirmation/reversibility"]],
    "`irreversible` and `reversibility` say the same.",
    "Send both with one meaning: readers take either, and the stricter one counts.",
  ),
  "aaep/choices-needed": rule(
    ["error", "event", 2, "§4.4.2", ["agent.awaiting.clarification/accepted_response_kinds"]],
    "A multiple-choice question lists its choices.",
    "Add `choices`, or drop multiple_choice.",
  ),
  "aaep/choices-distinct": rule(
    ["error", "event", 2, "§4.4.2, §6.3", ["agent.awaiting.clarification/choices"]],
    "Each choice has a value of its own.",
    "A reply repeats the value only: give every choice another one.",
  ),
  "aaep/default-allowed": rule(
    [
      "warning",
      "event",
      2,
      "§4.4.1, §4.4.2, §6.4",
      ["agent.awaiting.confirmation/allowed_replies", "agent.awaiting.clarification/default_response"],
    ],
    "The default is an answer that a person could give.",
    "Choose the default from allowed_replies, or a default_response that fits an accepted kind and choice.",
  ),

  "aaep/message-defined": rule(
    ["error", "event", 3, "§5.1, §7.2", ["subscription.request"]],
    "Handshake and reply messages are the seven that are defined.",
    "Use one of subscription.request, .accepted, .rejected, .renegotiate, .close, confirmation.reply, clarification.reply.",
    { side: "subscriber" },
  ),
  "aaep/subscription-request": rule(
    ["error", "event", 3, "§5.3", ["subscription.request"]],
    "`subscription.request` has a version, a subscriber id and capabilities, and nothing else.",
    "`capabilities` may be empty; unknown capability keys must be objects.",
    { side: "subscriber" },
  ),
  "aaep/subscription-accepted": rule(
    ["error", "event", 3, "§5.4", ["subscription.accepted"]],
    "`subscription.accepted` has a subscription id, a version, the producer and what is honoured.",
    "List every honoured capability, not only the changed ones.",
  ),
  "aaep/subscription-rejected": rule(
    ["error", "event", 3, "§5.5", ["subscription.rejected"]],
    "`subscription.rejected` has one of the eight reason codes and a message.",
    'Use "unknown" when none of the others fits.',
  ),
  "aaep/subscription-renegotiate": rule(
    ["error", "event", 3, "§5.7", ["subscription.renegotiate"]],
    "`subscription.renegotiate` names the subscription and the capabilities that change.",
    "Send the changed keys only.",
    { side: "subscriber" },
  ),
  "aaep/subscription-close": rule(
    ["error", "event", 3, "§5.8", ["subscription.close"]],
    "`subscription.close` names the subscription.",
    "Add the subscription_id.",
    { side: "subscriber" },
  ),
  "aaep/confirmation-reply": rule(
    ["error", "event", 2, "§6.3", ["confirmation.reply"]],
    "`confirmation.reply` has the token, accept or reject, the subscription and the time of the decision, and nothing else.",
    "decision is exactly accept or reject, in lower case.",
    { side: "subscriber" },
  ),
  "aaep/clarification-reply": rule(
    ["error", "event", 2, "§6.3", ["clarification.reply"]],
    "`clarification.reply` has the token, a response, the subscription and the time, and nothing else.",
    "response is a string, a boolean or a number.",
    { side: "subscriber" },
  ),
  "aaep/manifest": rule(
    ["error", "event", 3, "§5.10", ["producer.manifest"]],
    "A producer manifest names the agent and the versions it speaks.",
    "Check the named member; anything of your own goes under `extensions`.",
  ),
} as const;
