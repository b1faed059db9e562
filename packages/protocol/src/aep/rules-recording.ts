import { type Rule, rule } from "../rule.ts";

/** What holds between the events of a recording. */
export const RECORDING_RULES = {
  "aep/id-unique": rule(
    ["error", "recording", 0, "What AEP makes explicit", ["*", "response"]],
    "An id belongs to one event of an agent.",
    "A repeated delivery keeps its id and its content; a new event needs a new id.",
    { code: "EVENT_ID_CONFLICT" },
  ),
  "aep/action-requested-once": rule(
    ["warning", "recording", 3, "Hook responses", ["action.requested"]],
    "An action id is requested again only with the same input.",
    "An approval covers the input that was shown. Give a changed request a new `action.id`.",
  ),
  "aep/one-outcome": rule(
    ["error", "recording", 2, "Hook responses", ["action.completed", "action.failed"]],
    "An action ends once: in one `action.completed` or one `action.failed`.",
    "Send one outcome event for each action; a repeated delivery keeps its event id.",
  ),
  "aep/action-type-stable": rule(
    ["error", "recording", 2, "What AEP makes explicit", ["action.completed", "action.failed", "action.denied"]],
    "The outcome of an action has the `action.type` of its request.",
    "Repeat the kind that was requested, or check that `action.id` is not used for two actions.",
  ),
  "aep/tool-name-stable": rule(
    ["warning", "recording", 3, "What AEP makes explicit", ["action.completed", "action.failed", "action.denied"]],
    "The outcome of an action names the tool of its request.",
    "Repeat the tool name that was requested, or check that `action.id` is not used for two actions.",
  ),
  "aep/ran-despite-denial": rule(
    ["warning", "recording", 3, "Hook responses", ["action.completed", "action.failed", "action.denied", "response"]],
    "An action that was denied does not run.",
    "Check that the hook's answer reaches the agent in the form the agent obeys; some agents run the tool when the answer has an unknown shape.",
  ),
  "aep/outcome-needs-request": rule(
    ["warning", "recording", 3, "Hook responses", ["action.completed", "action.failed", "action.denied"]],
    "An outcome follows the request of the same action.",
    "Send `action.requested` with the same `action.id` first, or check that the recording is complete.",
  ),
  "aep/request-needs-outcome": rule(
    ["info", "recording", 3, "Hook responses", ["action.requested"]],
    "A request that was not denied has an outcome before its session ends.",
    "Send `action.completed` or `action.failed` with the same `action.id`. Until then the outcome is unknown, not a success.",
  ),
  "aep/answer-needs-question": rule(
    ["warning", "recording", 3, "Event types", ["question.answered"]],
    "`question.answered` follows a question.",
    "Send `question.asked` first, with the same `action.id` if there is one.",
  ),
  "aep/session-ends-once": rule(
    ["warning", "recording", 3, "Event types", ["session.end"]],
    "A session ends once.",
    "Send one `session.end`; a session that goes on begins again with `session.start`.",
  ),
  "aep/session-starts-once": rule(
    ["warning", "recording", 3, "Event types", ["session.start"]],
    "A session that is open does not start again.",
    "Say in `lifecycle.source` why it starts again, such as `resume` or `compact`, or use a new `session.id`.",
  ),
  "aep/after-session-end": rule(
    ["warning", "recording", 3, "Event types", ["session.end"]],
    "Nothing happens in a session that has ended.",
    "Send `session.end` last, or begin the session again with `session.start`.",
    { oncePerSession: true },
  ),
} satisfies Record<string, Rule>;
