import { isMessageType, isObject, type JsonObject, readJson, readTypeName } from "@earshot/protocol";
import { RESUME_POINT } from "../extension.ts";
import type { IncomingEvent } from "./incoming.ts";

type ReadArrived =
  | { readonly kind: "event"; readonly incoming: IncomingEvent }
  /** A message of the handshake, of an extension, or of a test driver. */
  | { readonly kind: "message"; readonly type: string; readonly message: JsonObject }
  | { readonly kind: "malformed"; readonly message: string };

/** Always critical, whatever the event says. */
const PINNED: ReadonlySet<string> = new Set([
  "aaep:agent.session.errored",
  "aaep:agent.awaiting.confirmation",
  "aaep:agent.awaiting.clarification",
  "aaep:agent.handoff.requested",
]);
const LIMITS = { maxDepth: 64, maxCharacters: 4 * 1024 * 1024 };
const EVENT_ID = /^evt_[A-Za-z0-9]{1,64}$/;
const SESSION_ID = /^sess_[A-Za-z0-9]{1,64}$/;

/**
 * Parses a producer's text: an event with a usable envelope, a message, or neither. Events only need an identity and a place in the
 * order, so that unknown members are tolerated.
 */
export function readReceivedText(text: string): ReadArrived {
  const json = readJson(text, LIMITS);
  if (!json.ok) return { kind: "malformed", message: json.problem.message };
  const { value } = json;
  if (!isObject(value)) return { kind: "malformed", message: "This is not a JSON object." };
  const { type } = value;
  if (typeof type !== "string") {
    // Control objects of test drivers: `{"kind": "user_input.ack"}`.
    if (typeof value["kind"] === "string" && value["event_id"] === undefined)
      return { kind: "message", type: value["kind"], message: value };
    return { kind: "malformed", message: "It has no type." };
  }
  // Mentions an event without being one.
  if (isMessageType(type) || type === RESUME_POINT) return { kind: "message", type, message: value };
  if (value["@context"] === undefined && value["event_id"] === undefined) return { kind: "message", type, message: value };
  return readEvent(value, type, text);
}

function readEvent(event: JsonObject, said: string, text: string): ReadArrived {
  const { event_id: eventId, session_id: session, timestamp, producer, urgency } = event;
  const agent = isObject(producer) ? producer["agent_id"] : undefined;
  if (!isContext(event["@context"])) return { kind: "malformed", message: "Its @context does not begin with that of AAEP." };
  if (typeof eventId !== "string" || !EVENT_ID.test(eventId)) return { kind: "malformed", message: "It has no usable event_id." };
  if (typeof session !== "string" || !SESSION_ID.test(session)) return { kind: "malformed", message: "It has no usable session_id." };
  if (typeof timestamp !== "string") return { kind: "malformed", message: "It has no timestamp." };
  if (typeof agent !== "string" || agent === "") return { kind: "malformed", message: "It does not say which agent produced it." };
  const name = readTypeName(said);
  const type = name.prefix === "" ? name.local : `${name.prefix}:${name.local}`;
  const critical = urgency === "critical" || PINNED.has(type);
  return { kind: "event", incoming: { event, text, eventId, type, session, agent, critical, core: name.core !== undefined } };
}

function isContext(value: unknown): boolean {
  return (Array.isArray(value) ? value[0] : value) === "https://aaep-protocol.org/context/v1";
}
