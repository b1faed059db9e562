import { defineRule } from "../rule.ts";
import { envelopePair, event, FAMILY, run, thought, told } from "./example-events.ts";
import { EVENT_TYPES_PAGE, OPERATIONS, TRANSPORT } from "./sections.ts";

const ANY = ["*"];

export const AOP_ENVELOPE_RULES = {
  "aop/envelope-spec": defineRule(["error", "event", 0, EVENT_TYPES_PAGE, ANY], {
    title: "Every event says in `spec` which version of AOP it speaks.",
    hint: 'Send "spec": "aop/1.0" in every event.',
    examples: () => envelopePair("spec"),
  }),
  "aop/spec-major": defineRule(["error", "event", 0, EVENT_TYPES_PAGE, ANY], {
    title: "The major version in `spec` is 1.",
    hint: "Only aop/1.x is known here. Another major version may mean other things by the same names.",
    examples: () => envelopePair({ spec: "aop/2.0" }),
  }),
  "aop/spec-minor": defineRule(["warning", "event", 0, EVENT_TYPES_PAGE, ANY], {
    title: "The minor version in `spec` is 0.",
    hint: 'The event was read as aop/1.0 and what is unknown was kept. Send "aop/1.0" unless something newer is used on purpose.',
    oncePerSession: true,
    examples: () => envelopePair({ spec: "aop/1.3" }),
  }),
  "aop/envelope-session-id": defineRule(["error", "event", 0, EVENT_TYPES_PAGE, ANY], {
    title: "Every event names its session in `session_id`: text of 1 to 128 characters without control characters.",
    hint: "Make one id when the run begins, and send it with each of the run's events.",
    examples: () => envelopePair("session_id"),
  }),
  "aop/envelope-agent-id": defineRule(["error", "event", 0, EVENT_TYPES_PAGE, ANY], {
    title: "Every event names its agent in `agent_id`: text of 1 to 128 characters without control characters.",
    hint: "Name the kind of agent, the same for every run of it, for example `research-agent`.",
    examples: () => envelopePair({ agent_id: "" }),
  }),
  "aop/envelope-sequence": defineRule(["error", "event", 0, EVENT_TYPES_PAGE, ANY], {
    title: "Every event has a `sequence`: a whole number from 0 to 9007199254740991.",
    hint: "Keep one counter per session and raise it by one for each event. A number, not text.",
    examples: () => envelopePair({ sequence: "2" }),
  }),
  "aop/envelope-timestamp": defineRule(["error", "event", 0, EVENT_TYPES_PAGE, ANY], {
    title: "Every event has a `timestamp` in RFC 3339 that exists in the calendar.",
    hint: "Send the time of emission like 2026-03-01T10:00:00.000Z; `new Date().toISOString()` gives it.",
    examples: () => envelopePair({ timestamp: "2026-02-30T10:00:02.000Z" }),
  }),
  "aop/envelope-type": defineRule(["error", "event", 0, EVENT_TYPES_PAGE, ANY], {
    title: "Every event has a `type`: text of 1 to 128 characters without control characters.",
    hint: "Use one of the twelve types, or one of your own with a prefix, like `billing.invoice_sent`.",
    examples: () => envelopePair("type"),
  }),
  "aop/envelope-payload": defineRule(["error", "event", 0, EVENT_TYPES_PAGE, ANY], {
    title: "The `payload` is a JSON object.",
    hint: "Put text or a list into a member of an object; an empty object is fine where nothing is required.",
    examples: () => envelopePair({ payload: "The second shop may be cheaper." }),
  }),
  "aop/payload-present": defineRule(["warning", "event", 0, EVENT_TYPES_PAGE, ANY], {
    title: "Every event carries a `payload`, even an empty one.",
    hint: 'It was read as empty. Send "payload": {}: some collectors answer a missing payload with an error and lose the event.',
    examples: () => ({
      passes: run(event(2, "billing.checked")),
      fails: run(event(2, "billing.checked", {}, { payload: null })),
    }),
  }),
  "aop/envelope-parent-session-id": defineRule(["error", "event", 0, EVENT_TYPES_PAGE, ANY], {
    title: "`parent_session_id`, where it is sent, is null or a session id.",
    hint: "Send the id of the session that started this one; null or nothing for a session that nobody started.",
    examples: () => envelopePair({ parent_session_id: 7 }),
  }),
  "aop/envelope-agent-version": defineRule(["error", "event", 0, EVENT_TYPES_PAGE, ANY], {
    title: "`agent_version`, where it is sent, is text or null.",
    hint: "Send the version as text, for example `1.4.0`.",
    examples: () => envelopePair({ agent_version: 2 }),
  }),
  "aop/timestamp-utc-milliseconds": defineRule(["info", "event", 0, EVENT_TYPES_PAGE, ANY], {
    title: "Timestamps are in UTC and have milliseconds.",
    hint: "Send times like 2026-03-01T10:00:00.000Z, so that events of one second keep their order in every reader.",
    oncePerSession: true,
    examples: () => envelopePair({ timestamp: "2026-03-01T11:00:02.000+01:00" }),
  }),
  "aop/parent-not-itself": defineRule(["warning", "event", 0, OPERATIONS, ANY], {
    title: "A session is not its own parent.",
    hint: "Send the id of the session that started this one, or null. The link is ignored.",
    oncePerSession: true,
    examples: () => ({
      passes: FAMILY,
      fails: run(thought(2, { parent_session_id: "s1" })),
    }),
  }),
  "aop/live-fire-and-forget": defineRule(["error", "live", 0, TRANSPORT, []], {
    title: "The agent neither waits for the collector nor fails with it: a post is given up after 500 ms.",
    hint: "Send without awaiting, with a timeout of 500 ms, and swallow every error.",
    examples: () =>
      told(
        "With a collector that accepts connections and never answers, the agent's run takes as long as without one.",
        "The agent waits for each answer, or stops with an error when the collector is gone.",
      ),
  }),
  "aop/live-one-event-per-request": defineRule(["error", "live", 0, TRANSPORT, []], {
    title: "Each request to `/events` carries exactly one event.",
    hint: "Post each event alone; lists are refused.",
    examples: () =>
      told(
        "Ten events arrive as ten requests to `/events`, each with one JSON object.",
        "Ten events arrive as one request with a list of ten.",
      ),
  }),
  "aop/live-content-type": defineRule(["error", "live", 0, TRANSPORT, []], {
    title: "Events are posted as `application/json`.",
    hint: "Set the header `Content-Type: application/json`; other types are answered with 415.",
    examples: () => told("Requests say `Content-Type: application/json`.", "Requests say `Content-Type: text/plain`, or nothing."),
  }),
} as const;
