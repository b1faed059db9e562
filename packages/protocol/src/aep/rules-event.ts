import { type Rule, rule } from "../rule.ts";

/** The envelope, and what each type asks for: decided from one event alone. */
export const EVENT_RULES = {
  "aep/version": rule(
    ["error", "event", 0, "Versioning and conformance", ["*", "response"]],
    "`aep_version` is present and is a version number.",
    'Write `"aep_version": "0.1"` in every event and every response.',
  ),
  "aep/version-known": rule(
    ["warning", "event", 3, "Versioning and conformance", ["*", "response"]],
    "`aep_version` is the draft version 0.1.",
    'This reader knows draft 0.1; fields of another draft may be misread. Write `"0.1"` unless you mean another draft.',
    { oncePerSession: true },
  ),
  "aep/id": rule(
    ["error", "event", 0, "Example AEP event", ["*", "response"]],
    "`id` is present and is a string that is not empty.",
    "Give every event and every response an id of its own, for example `evt_` or `rsp_` followed by a ULID.",
  ),
  "aep/type": rule(
    ["error", "event", 0, "Example AEP event", ["*"]],
    "`type` is present and is a string that is not empty.",
    "Name the event with one of the 21 canonical types, such as `action.requested`.",
  ),
  "aep/time": rule(
    ["error", "event", 0, "Example AEP event", ["*", "response"]],
    "`time` is present and is an instant in RFC 3339 form.",
    "Write the moment as `2026-05-09T12:00:00.000Z`.",
  ),
  "aep/time-utc-milliseconds": rule(
    ["info", "event", 3, "Example AEP event", ["*", "response"]],
    "`time` is written in UTC with milliseconds.",
    "Convert to UTC and keep three fraction digits, so that times sort as text.",
    { oncePerSession: true },
  ),
  "aep/agent": rule(
    ["error", "event", 0, "Example AEP event", ["*"]],
    "`agent` is present and has a `slug`.",
    'Name the producer by a stable lower-case word: `"agent": { "slug": "claude" }`.',
  ),
  "aep/no-null": rule(
    ["warning", "event", 0, "Example AEP event", ["*", "response"]],
    "A field that is not known is left out, not written as null.",
    "Leave the member out. A null is read as if it were not there.",
  ),
  "aep/id-characters": rule(
    ["error", "event", 0, "What AEP makes explicit", ["*", "response"]],
    "Ids have no control characters, no line breaks and no half characters.",
    "An id is copied into other records, and written bare where records are streamed: a line break in it forges a frame. Use printable characters, such as a ULID.",
  ),
  "aep/agent-slug": rule(
    ["warning", "event", 3, "What AEP makes explicit", ["*"]],
    "`agent.slug` is written in lower-case letters, digits, `-`, `_` and `.`.",
    "Rules and dashboards compare slugs as text. Write `claude`; the name for people goes into `agent.display_name`.",
    { oncePerSession: true },
  ),
  "aep/snake-case": rule(
    ["warning", "event", 3, "Example AEP event", ["*", "response"]],
    "Member names are written in snake_case.",
    "Rename the member; under another spelling it is an unknown member and nobody reads it.",
    { oncePerSession: true },
  ),
  "aep/extensions": rule(
    ["error", "event", 2, "Example AEP event", ["*/extensions", "response/extensions"]],
    "`extensions` is an object whose keys begin with `x-`.",
    "Rename the key, for example `x-yourcompany-note`.",
  ),
  "aep/hook": rule(
    ["error", "event", 2, "Objects in detail", ["*/hook"]],
    "`hook` is a string.",
    "Write the agent's own name of the hook, such as `PreToolUse`.",
  ),
  "aep/type-known": rule(
    ["warning", "event", 3, "Event types", ["*"]],
    "`type` is one of the 21 canonical types.",
    "Unknown types are kept and shown plainly. Use a canonical type where one fits, so that every consumer understands it.",
  ),
  "aep/type-alias": rule(
    ["info", "event", 3, "Event types", ["*"]],
    "`type` is spelled as in the canonical list.",
    "Write the canonical name; the other spelling is understood here, but perhaps not elsewhere.",
    { oncePerSession: true },
  ),
  "aep/session-boundary-id": rule(
    ["warning", "event", 3, "Event types", ["session.start", "session.end"]],
    "`session.start` and `session.end` carry `session.id`.",
    "Without the id nobody knows which session began or ended. Add `session.id`.",
  ),
  "aep/content-part": rule(
    [
      "warning",
      "event",
      3,
      "Event types",
      ["prompt.submitted", "model.thought", "model.response", "model.delta", "model.plan", "question.answered"],
    ],
    "An event that conveys text has a content part of its own type.",
    'Add a part to `content`, for example `{ "type": "prompt", "text": "…" }` for `prompt.submitted`.',
  ),
  "aep/notification-part": rule(
    ["error", "event", 2, "Event types", ["notification.sent"]],
    "`notification.sent` has a content part of type `notification`.",
    'Put what the user should read into `content` as `{ "type": "notification", "text": "…" }`.',
  ),
  "aep/question-part": rule(
    ["error", "event", 2, "Event types", ["question.asked"]],
    "`question.asked` has a content part of type `question`.",
    'Put the question into `content` as `{ "type": "question", "text": "…" }`.',
  ),
  "aep/error-says-something": rule(
    ["error", "event", 2, "Event types", ["agent.error"]],
    "`agent.error` says what went wrong, in `lifecycle.reason` or in the text of a content part.",
    "Fill `lifecycle.reason`, or add one part with `text` to `content`.",
  ),
  "aep/workspace-changed-workspace": rule(
    ["error", "event", 2, "Event types", ["workspace.changed"]],
    "`workspace.changed` carries `workspace`.",
    "Add `workspace` with what is known of it, such as `cwd`.",
  ),
  "aep/action-identified": rule(
    ["error", "event", 2, "Event types", ["action.requested", "action.completed", "action.failed", "action.denied"]],
    "An `action.*` event carries `action.type` and `action.id`.",
    "Give the action its kind and its id. The id joins request, response and outcome.",
  ),
  "aep/action-type-and-id": rule(
    ["warning", "event", 3, "Objects in detail", ["*/action"]],
    "An `action` beside an event of another type has `type` and `id`; a question may carry the `id` alone.",
    "Repeat kind and id of the action concerned, so that the event can be shown in its row.",
  ),
  "aep/tool-call-tool": rule(
    ["error", "event", 2, "Event types", ["*/action"]],
    "An action of type `tool_call` names its `tool`.",
    "Add `tool` with at least `name` and `type`.",
  ),
  "aep/skill-use-skill": rule(
    ["error", "event", 2, "Event types", ["*/action"]],
    "An action of type `skill_use` names its `skill`.",
    "Add `skill` with at least `name`.",
  ),
  "aep/mcp-server": rule(
    ["error", "event", 2, "Event types", ["*/tool"]],
    "A tool of type `mcp` comes with its `server`.",
    "Add `server` with the name of the MCP server that supplies the tool.",
  ),
  "aep/completed-status": rule(
    ["error", "event", 2, "Event types", ["action.completed"]],
    "`action.completed` has `action.status` `success`.",
    'Write `"status": "success"`, or send `action.failed` if it did not succeed.',
  ),
  "aep/failed-status": rule(
    ["error", "event", 2, "Event types", ["action.failed"]],
    "`action.failed` has `action.status` `failure`, `timeout` or `cancelled`.",
    "Say in `action.status` how it failed.",
  ),
  "aep/denied-outcome": rule(
    ["error", "event", 2, "Event types", ["action.denied"]],
    "`action.denied` has `decision.outcome` `denied`.",
    'Add `decision` with `"outcome": "denied"` and, if known, `by` and `reason`.',
  ),
  "aep/subagent-spawn-named": rule(
    ["warning", "event", 3, "Event types", ["action.requested"]],
    "An action of type `subagent_spawn` says which subagent is meant.",
    "Name the child in `tool.name` or describe it in `action.input`.",
  ),
  "aep/should-carry": rule(
    ["info", "event", 3, "Event types", ["*"]],
    "An event carries the fields that make its type useful.",
    "Add the fields named if the agent knows them; leave them out if it does not.",
  ),
  "aep/no-secrets": rule(
    ["error", "event", 2, "What AEP makes explicit", ["*", "response"]],
    "No value contains a secret.",
    "Redact it before the event is made, also inside `action.input` and `action.output`: events are stored and shown. Withdraw the secret.",
  ),
  "aep/duration-not-negative": rule(
    ["warning", "event", 3, "Objects in detail", ["*/metrics", "*/decision", "response"]],
    "Durations are not negative.",
    "Measure from the request to its outcome with a clock that is never set back.",
  ),
  "aep/display-style": rule(
    ["warning", "event", 3, "Display styles", ["*/content"]],
    "`style` is one of the twelve display styles.",
    "Use one of the twelve, such as `markdown` or `plain_text`. Consumers may ignore an unknown style.",
  ),
} satisfies Record<string, Rule>;
