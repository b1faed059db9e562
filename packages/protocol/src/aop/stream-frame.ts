import { isObject, type JsonObject } from "../json.ts";

/**
 * The event inside a message of a collector's stream: `{kind: "event", data: …}` gives what is in `data`, a bare event
 * gives itself. Undefined for the greeting of the stream and for alerts, which are no events.
 */
export function unwrapStream(value: JsonObject): JsonObject | undefined {
  return isStreamFrame(value) ? frameEvent(value) : value;
}

/** Members that events have, of this protocol and of others, and that no message around them has. Most telling first. */
const EVENT_MEMBERS = ["spec", "sequence", "session_id", "aep_version", "@context", "agent", "id"] as const;

/** Messages of a collector's stream are told from events by what they lack. The greeting has nothing but type and time. */
export function isStreamFrame(value: JsonObject): boolean {
  for (let index = 0; index < EVENT_MEMBERS.length; index++) {
    if (value[EVENT_MEMBERS[index] as string] !== undefined) return false;
  }
  if (isObject(value["data"])) return value["kind"] === "event" || value["kind"] === "alert";
  return value["type"] === "connected" && Object.keys(value).every((member) => member === "type" || member === "timestamp");
}

export function frameEvent(frame: JsonObject): JsonObject | undefined {
  return frame["kind"] === "event" && isObject(frame["data"]) ? frame["data"] : undefined;
}
