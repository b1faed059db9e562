import { rule } from "../rule.ts";
import { envelopePair, event, FAMILY, run, thought, told } from "./example-events.ts";
import { OPERATIONS, PAGE, TRANSPORT } from "./sections.ts";

const ANY = ["*"];
const once = { oncePerSession: true } as const;

export const ENVELOPE_RULES = {
  "aop/envelope-spec": rule(
    ["error", "event", 0, PAGE, ANY],
    "Every event says in `spec` which version of AOP it speaks.",
    'Send "spec": "aop/1.0" in every event.',
    () => envelopePair("spec"),
  ),
  "aop/spec-major": rule(
    ["error", "event", 0, PAGE, ANY],
    "The major version in `spec` is 1.",
    "Only aop/1.x is known here. Another major version may mean other things by the same names.",
    () => envelopePair({ spec: "aop/2.0" }),
  ),
  "aop/spec-minor": rule(
    ["warning", "event", 0, PAGE, ANY],
    "The minor version in `spec` is 0.",
    'The event was read as aop/1.0 and what is unknown was kept. Send "aop/1.0" unless something newer is used on purpose.',
    () => envelopePair({ spec: "aop/1.3" }),
    once,
  ),
  "aop/envelope-session-id": rule(
    ["error", "event", 0, PAGE, ANY],
    "Every event names its session in `session_id`: text of 1 to 128 characters without control characters.",
    "Make one id when the run begins, and send it with each of the run's events.",
    () => envelopePair("session_id"),
  ),
  "aop/envelope-agent-id": rule(
    ["error", "event", 0, PAGE, ANY],
    "Every event names its agent in `agent_id`: text of 1 to 128 characters without control characters.",
    "Name the kind of agent, the same for every run of it, for example `research-agent`.",
    () => envelopePair({ agent_id: "" }),
  ),
  "aop/envelope-sequence": rule(
    ["error", "event", 0, PAGE, ANY],
    "Every event has a `sequence`: a whole number from 0 to 9007199254740991.",
    "Keep one counter per session and raise it by one for each event. A number, not text.",
    () => envelopePair({ sequence: "2" }),
  ),
  "aop/envelope-timestamp": rule(
    ["error", "event", 0, PAGE, ANY],
    "Every event has a `timestamp` in RFC 3339 that exists in the calendar.",
    "Send the time of emission like 2026-03-01T10:00:00.000Z; `new Date().toISOString()` gives it.",
    () => envelopePair({ timestamp: "2026-02-30T10:00:02.000Z" }),
  ),
  "aop/envelope-type": rule(
    ["error", "event", 0, PAGE, ANY],
    "Every event has a `type`: text of 1 to 128 characters without control characters.",
    "Use one of the twelve types, or one of your own with a prefix, like `billing.invoice_sent`.",
    () => envelopePair("type"),
  ),
  "aop/envelope-payload": rule(
    ["error", "event", 0, PAGE, ANY],
    "The `payload` is a JSON object.",
    "Put text or a list into a member of an object; an empty object is fine where nothing is required.",
    () => envelopePair({ payload: "The second shop may be cheaper." }),
  ),
  "aop/payload-present": rule(
    ["warning", "event", 0, PAGE, ANY],
    "Every event carries a `payload`, even an empty one.",
    'It was read as empty. Send "payload": {}: some collectors answer a missing payload with an error and lose the event.',
    () => ({
      passes: run(event(2, "billing.checked")),
      fails: run(event(2, "billing.checked", {}, { payload: null })),
    }),
  ),
  "aop/envelope-parent-session-id": rule(
    ["error", "event", 0, PAGE, ANY],
    "`parent_session_id`, where it is sent, is null or a session id.",
    "Send the id of the session that started this one; null or nothing for a session that nobody started.",
    () => envelopePair({ parent_session_id: 7 }),
  ),
  "aop/envelope-agent-version": rule(
    ["error", "event", 0, PAGE, ANY],
    "`agent_version`, where it is sent, is text or null.",
    "Send the version as text, for example `1.4.0`.",
    () => envelopePair({ agent_version: 2 }),
  ),
  "aop/timestamp-utc-milliseconds": rule(
    ["info", "event", 0, PAGE, ANY],
    "Timestamps are in UTC and have milliseconds.",
    "Send times like 2026-03-01T10:00:00.000Z, so that events of one second keep their order in every reader.",
    () => envelopePair({ timestamp: "2026-03-01T11:00:02.000+01:00" }),
    once,
  ),
  "aop/parent-not-itself": rule(
    ["warning", "event", 0, OPERATIONS, ANY],
    "A session is not its own parent.",
    "Send the id of the session that started this one, or null. The link is ignored.",
    () => ({ passes: FAMILY, fails: run(thought(2, { parent_session_id: "s1" })) }),
    once,
  ),
  "aop/live-fire-and-forget": rule(
    ["error", "live", 0, TRANSPORT, []],
    "The agent neither waits for the collector nor fails with it: a post is given up after 500 ms.",
    "Send without awaiting, with a timeout of 500 ms, and swallow every error.",
    () =>
      told(
        "With a collector that accepts connections and never answers, the agent's run takes as long as without one.",
        "The agent waits for each answer, or stops with an error when the collector is gone.",
      ),
  ),
  "aop/live-one-event-per-request": rule(
    ["error", "live", 0, TRANSPORT, []],
    "Each request to `/events` carries exactly one event.",
    "Post each event alone; lists are refused.",
    () =>
      told(
        "Ten events arrive as ten requests to `/events`, each with one JSON object.",
        "Ten events arrive as one request with a list of ten.",
      ),
  ),
  "aop/live-content-type": rule(
    ["error", "live", 0, TRANSPORT, []],
    "Events are posted as `application/json`.",
    "Set the header `Content-Type: application/json`; other types are answered with 415.",
    () => told("Requests say `Content-Type: application/json`.", "Requests say `Content-Type: text/plain`, or nothing."),
  ),
} as const;
