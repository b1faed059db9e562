import { defineRule } from "../rule.ts";
import { event, inSession, live, member, PROMPT, requested, without } from "./example-events.ts";

export const AEP_ENVELOPE_RULES = {
  "aep/version": defineRule(["error", "event", 0, "Versioning and conformance", ["*", "response"]], {
    title: "`aep_version` is present and is a version number.",
    hint: 'Write `"aep_version": "0.1"` in every event and every response.',
    examples: () => ({ passes: [PROMPT], fails: [without(PROMPT, "aep_version")] }),
  }),
  "aep/version-known": defineRule(["warning", "event", 3, "Versioning and conformance", ["*", "response"]], {
    title: "`aep_version` is the draft version 0.1.",
    hint: 'This reader knows draft 0.1; fields of another draft may be misread. Write `"0.1"` unless you mean another draft.',
    oncePerSession: true,
    examples: () => ({ passes: [{ ...PROMPT, aep_version: "0.1.2" }], fails: [{ ...PROMPT, aep_version: "0.2" }] }),
  }),
  "aep/id": defineRule(["error", "event", 0, "Example AEP event", ["*", "response"]], {
    title: "`id` is present and is a string that is not empty.",
    hint: "Give every event and every response an id of its own, for example `evt_` or `rsp_` followed by a ULID.",
    examples: () => ({ passes: [PROMPT], fails: [without(PROMPT, "id")] }),
  }),
  "aep/type": defineRule(["error", "event", 0, "Example AEP event", ["*"]], {
    title: "`type` is present and is a string that is not empty.",
    hint: "Name the event with one of the 21 canonical types, such as `action.requested`.",
    examples: () => ({ passes: [PROMPT], fails: [without(PROMPT, "type")] }),
  }),
  "aep/time": defineRule(["error", "event", 0, "Example AEP event", ["*", "response"]], {
    title: "`time` is present and is an instant in RFC 3339 form.",
    hint: "Write the moment as `2026-05-09T12:00:00.000Z`.",
    examples: () => ({ passes: [PROMPT], fails: [{ ...PROMPT, time: "2026-02-30T12:00:00.000Z" }] }),
  }),
  "aep/time-utc-milliseconds": defineRule(["info", "event", 3, "Example AEP event", ["*", "response"]], {
    title: "`time` is written in UTC with milliseconds.",
    hint: "Convert to UTC and keep three fraction digits, so that times sort as text.",
    oncePerSession: true,
    examples: () => ({ passes: [PROMPT], fails: [{ ...PROMPT, time: "2026-05-09T14:00:00+02:00" }] }),
  }),
  "aep/agent": defineRule(["error", "event", 0, "Example AEP event", ["*"]], {
    title: "`agent` is present and has a `slug`.",
    hint: 'Name the producer by a stable lower-case word: `"agent": { "slug": "claude" }`.',
    examples: () => ({ passes: [PROMPT], fails: [{ ...PROMPT, agent: { display_name: "Claude Code" } }] }),
  }),
  "aep/extensions": defineRule(["error", "event", 2, "Example AEP event", ["*/extensions", "response/extensions"]], {
    title: "`extensions` is an object whose keys begin with `x-`.",
    hint: "Rename the key, for example `x-yourcompany-note`.",
    examples: () => member("extensions", { "x-earshot-note": 1 }, { note: 1 }),
  }),
  "aep/hook": defineRule(["error", "event", 2, "Objects in detail", ["*/hook"]], {
    title: "`hook` is a string.",
    hint: "Write the agent's own name of the hook, such as `PreToolUse`.",
    examples: () => ({ passes: [{ ...PROMPT, hook: "UserPromptSubmit" }], fails: [{ ...PROMPT, hook: 7 }] }),
  }),
  "aep/type-known": defineRule(["warning", "event", 3, "Event types", ["*"]], {
    title: "`type` is one of the 21 canonical types.",
    hint: "Unknown types are kept and shown plainly. Use a canonical type where one fits, so that every consumer understands it.",
    examples: () => ({ passes: [PROMPT], fails: [inSession(1, "weather.changed")] }),
  }),
  "aep/type-alias": defineRule(["info", "event", 3, "Event types", ["*"]], {
    title: "`type` is spelled as in the canonical list.",
    hint: "Write the canonical name; the other spelling is understood here, but perhaps not elsewhere.",
    oncePerSession: true,
    examples: () => ({ passes: [inSession(1, "session.start")], fails: [inSession(1, "session.started")] }),
  }),
  "aep/session-boundary-id": defineRule(["warning", "event", 3, "Event types", ["session.start", "session.end"]], {
    title: "`session.start` and `session.end` carry `session.id`.",
    hint: "Without the id nobody knows which session began or ended. Add `session.id`.",
    examples: () => ({ passes: [inSession(1, "session.start")], fails: [event(1, "session.start")] }),
  }),
  "aep/no-secrets": defineRule(["error", "event", 2, "What AEP makes explicit", ["*", "response"]], {
    title: "No value contains a secret.",
    hint: "Redact it before the event is made, also inside `action.input` and `action.output`: events are stored and shown. Withdraw the secret.",
    examples: () => ({
      passes: [requested(1, { input: { command: "deploy --token $TOKEN" } })],
      fails: [requested(1, { input: { command: "deploy --token ghp_a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1" } })],
    }),
  }),
  "aep/duration-not-negative": defineRule(["warning", "event", 3, "Objects in detail", ["*/metrics", "*/decision", "response"]], {
    title: "Durations are not negative.",
    hint: "Measure from the request to its outcome with a clock that is never set back.",
    examples: () => member("metrics", { duration_ms: 12.5 }, { duration_ms: -12.5 }),
  }),
  "aep/live-smoke-rendering": defineRule(["error", "live", 1, "Versioning and conformance", []], {
    title: "A consumer that has never heard of an agent shows a title and the tool name.",
    hint: "Make the title from `type` and `agent.slug`, and show `tool.name`; use no table of known agents.",
    examples: () =>
      live(
        "An event of an agent called `zeta` that nobody has heard of is shown as “Zeta — action requested”, with the tool name beside it.",
        "The row of an unknown agent stays empty, or the event is dropped.",
      ),
  }),
  "aep/live-omitted-fields": defineRule(["error", "live", 2, "Example AEP event", []], {
    title: "A consumer copes with events that leave out every optional field.",
    hint: "Treat each member beyond the five core ones as possibly absent.",
    examples: () =>
      live("An event that has only the five core members is recorded and shown.", "The consumer fails on an event without `session`."),
  }),
  "aep/live-unknown-extensions": defineRule(["error", "live", 2, "Example AEP event", []], {
    title: "A consumer ignores `x-` extensions that it does not know.",
    hint: "Keep them or drop them, but do not refuse the event.",
    examples: () =>
      live(
        "An event with `extensions.x-anything` is treated like the same event without it.",
        "The consumer refuses an event because of a key in `extensions` that begins with `x-`.",
      ),
  }),
} as const;
