import { rule } from "../rule.ts";
import { event, inSession, live, member, PROMPT, requested, without } from "./example-events.ts";

export const ENVELOPE_RULES = {
  "aep/version": rule(
    ["error", "event", 0, "Versioning and conformance", ["*", "response"]],
    "`aep_version` is present and is a version number.",
    'Write `"aep_version": "0.1"` in every event and every response.',
    () => ({ passes: [PROMPT], fails: [without(PROMPT, "aep_version")] }),
  ),
  "aep/version-known": rule(
    ["warning", "event", 3, "Versioning and conformance", ["*", "response"]],
    "`aep_version` is the draft version 0.1.",
    'This reader knows draft 0.1; fields of another draft may be misread. Write `"0.1"` unless you mean another draft.',
    () => ({ passes: [{ ...PROMPT, aep_version: "0.1.2" }], fails: [{ ...PROMPT, aep_version: "0.2" }] }),
    { oncePerSession: true },
  ),
  "aep/id": rule(
    ["error", "event", 0, "Example AEP event", ["*", "response"]],
    "`id` is present and is a string that is not empty.",
    "Give every event and every response an id of its own, for example `evt_` or `rsp_` followed by a ULID.",
    () => ({ passes: [PROMPT], fails: [without(PROMPT, "id")] }),
  ),
  "aep/type": rule(
    ["error", "event", 0, "Example AEP event", ["*"]],
    "`type` is present and is a string that is not empty.",
    "Name the event with one of the 21 canonical types, such as `action.requested`.",
    () => ({ passes: [PROMPT], fails: [without(PROMPT, "type")] }),
  ),
  "aep/time": rule(
    ["error", "event", 0, "Example AEP event", ["*", "response"]],
    "`time` is present and is an instant in RFC 3339 form.",
    "Write the moment as `2026-05-09T12:00:00.000Z`.",
    () => ({ passes: [PROMPT], fails: [{ ...PROMPT, time: "2026-02-30T12:00:00.000Z" }] }),
  ),
  "aep/time-utc-milliseconds": rule(
    ["info", "event", 3, "Example AEP event", ["*", "response"]],
    "`time` is written in UTC with milliseconds.",
    "Convert to UTC and keep three fraction digits, so that times sort as text.",
    () => ({ passes: [PROMPT], fails: [{ ...PROMPT, time: "2026-05-09T14:00:00+02:00" }] }),
    { oncePerSession: true },
  ),
  "aep/agent": rule(
    ["error", "event", 0, "Example AEP event", ["*"]],
    "`agent` is present and has a `slug`.",
    'Name the producer by a stable lower-case word: `"agent": { "slug": "claude" }`.',
    () => ({ passes: [PROMPT], fails: [{ ...PROMPT, agent: { display_name: "Claude Code" } }] }),
  ),
  "aep/extensions": rule(
    ["error", "event", 2, "Example AEP event", ["*/extensions", "response/extensions"]],
    "`extensions` is an object whose keys begin with `x-`.",
    "Rename the key, for example `x-yourcompany-note`.",
    () => member("extensions", { "x-earshot-note": 1 }, { note: 1 }),
  ),
  "aep/hook": rule(
    ["error", "event", 2, "Objects in detail", ["*/hook"]],
    "`hook` is a string.",
    "Write the agent's own name of the hook, such as `PreToolUse`.",
    () => ({ passes: [{ ...PROMPT, hook: "UserPromptSubmit" }], fails: [{ ...PROMPT, hook: 7 }] }),
  ),
  "aep/type-known": rule(
    ["warning", "event", 3, "Event types", ["*"]],
    "`type` is one of the 21 canonical types.",
    "Unknown types are kept and shown plainly. Use a canonical type where one fits, so that every consumer understands it.",
    () => ({ passes: [PROMPT], fails: [inSession(1, "weather.changed")] }),
  ),
  "aep/type-alias": rule(
    ["info", "event", 3, "Event types", ["*"]],
    "`type` is spelled as in the canonical list.",
    "Write the canonical name; the other spelling is understood here, but perhaps not elsewhere.",
    () => ({ passes: [inSession(1, "session.start")], fails: [inSession(1, "session.started")] }),
    { oncePerSession: true },
  ),
  "aep/session-boundary-id": rule(
    ["warning", "event", 3, "Event types", ["session.start", "session.end"]],
    "`session.start` and `session.end` carry `session.id`.",
    "Without the id nobody knows which session began or ended. Add `session.id`.",
    () => ({ passes: [inSession(1, "session.start")], fails: [event(1, "session.start")] }),
  ),
  "aep/no-secrets": rule(
    ["error", "event", 2, "What AEP makes explicit", ["*", "response"]],
    "No value contains a secret.",
    "Redact it before the event is made, also inside `action.input` and `action.output`: events are stored and shown. Withdraw the secret.",
    () => ({
      passes: [requested(1, { input: { command: "deploy --token $TOKEN" } })],
      fails: [requested(1, { input: { command: "deploy --token ghp_a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1" } })],
    }),
  ),
  "aep/duration-not-negative": rule(
    ["warning", "event", 3, "Objects in detail", ["*/metrics", "*/decision", "response"]],
    "Durations are not negative.",
    "Measure from the request to its outcome with a clock that is never set back.",
    () => member("metrics", { duration_ms: 12.5 }, { duration_ms: -12.5 }),
  ),
  "aep/live-smoke-rendering": rule(
    ["error", "live", 1, "Versioning and conformance", []],
    "A consumer that has never heard of an agent shows a title and the tool name.",
    "Make the title from `type` and `agent.slug`, and show `tool.name`; use no table of known agents.",
    () =>
      live(
        "An event of an agent called `zeta` that nobody has heard of is shown as “Zeta — action requested”, with the tool name beside it.",
        "The row of an unknown agent stays empty, or the event is dropped.",
      ),
  ),
  "aep/live-omitted-fields": rule(
    ["error", "live", 2, "Example AEP event", []],
    "A consumer copes with events that leave out every optional field.",
    "Treat each member beyond the five core ones as possibly absent.",
    () => live("An event that has only the five core members is recorded and shown.", "The consumer fails on an event without `session`."),
  ),
  "aep/live-unknown-extensions": rule(
    ["error", "live", 2, "Example AEP event", []],
    "A consumer ignores `x-` extensions that it does not know.",
    "Keep them or drop them, but do not refuse the event.",
    () =>
      live(
        "An event with `extensions.x-anything` is treated like the same event without it.",
        "The consumer refuses an event because of a key in `extensions` that begins with `x-`.",
      ),
  ),
} as const;
