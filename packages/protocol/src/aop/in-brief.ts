import { boundText } from "../brief.ts";
import { NO_FINDINGS } from "../finding.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { ProtocolReading } from "../protocol.ts";
import { payloadOf, readFieldText } from "./aliases.ts";
import { sequenceOf } from "./lifecycle.ts";

/** Longer than any readable timestamp. */
const MAX_TIMESTAMP = 64;
/** A type is compared with known ones and shown; the beginning suffices for both. */
const MAX_TYPE = 256;
/** A longer parent is not a session id. */
const MAX_PARENT = 256;

/**
 * Reduces a reading to the members that the session lifecycle uses, in bounded texts. A held event is part of the session's state, which
 * must stay small whatever the event carries. The reduced reading gives the same findings.
 */
export function boundAopReading(reading: ProtocolReading): ProtocolReading {
  const { value, sessionId, agentId } = reading;
  const { timestamp, parent_session_id: parent } = value;
  const sequence = sequenceOf(value["sequence"]);
  const kept: Record<string, JsonValue> = {};
  if (sequence !== null) kept["sequence"] = sequence;
  if (typeof timestamp === "string" && timestamp.length <= MAX_TIMESTAMP) kept["timestamp"] = timestamp;
  if (typeof parent === "string" && parent.length <= MAX_PARENT && parent !== sessionId) kept["parent_session_id"] = parent;
  const payload = payloadInBrief(reading.type, payloadOf(value));
  if (payload !== undefined) kept["payload"] = payload;
  return {
    protocol: "aop",
    kind: "event",
    type: reading.type.slice(0, MAX_TYPE),
    value: kept,
    eventId: undefined,
    sessionId,
    agentId,
    findings: NO_FINDINGS,
  };
}

function payloadInBrief(type: string, payload: JsonObject): JsonObject | undefined {
  switch (type) {
    case "session.started":
      return textsOf({ goal: payload["goal"] });
    case "cognition.goal":
      return textsOf({ goal: payload["goal"], status: payload["status"] });
    case "operation.tool_start":
    case "operation.tool_end":
      return textsOf({ tool_call_id: payload["tool_call_id"], tool_name: readFieldText(type, payload, "tool_name") });
    default:
      return undefined;
  }
}

function textsOf(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const kept: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(members)) if (typeof value === "string") kept[name] = boundText(value);
  return kept;
}
