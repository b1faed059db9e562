import { isObject, type JsonObject } from "../json.ts";

/**
 * The event inside a message of a collector's stream: `{kind: "event", data: …}` yields `data`, a bare event yields itself. Undefined for
 * the stream's greeting and for alerts, which are not events.
 */
export function unwrapStream(value: JsonObject): JsonObject | undefined {
  return isStreamFrame(value) ? frameEvent(value) : value;
}

/** Members of events, in this and other protocols, that no wrapping message has. Most distinctive first. */
const EVENT_MEMBERS = ["spec", "sequence", "session_id", "aep_version", "@context", "agent", "id"] as const;

/** Whether this is a message of a collector's stream, recognized by the absence of event members. The greeting has only type and time. */
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
