import {
  isMessageType,
  isObject,
  type JsonObject,
  type JsonValue,
  PROTOCOLS,
  type ProtocolName,
  readTimestamp,
  readTypeName,
  recogniseProtocol,
  unwrapStream,
} from "@earshot/protocol";
import { toSingleLine } from "../import/sender.ts";

/** One event or message of a recording, or a line that cannot be played. */
export type PlaylistEntry = Playable | { readonly line: number; readonly damaged: string };

export interface Playable {
  readonly line: number;
  /** The recorded text, on one line. */
  readonly text: string;
  readonly value: JsonObject;
  /** Undefined if it is none of the three. */
  readonly protocol: ProtocolName | undefined;
  /** A message accompanies the events: a handshake, a reply, the response to a hook. */
  readonly kind: "event" | "message";
  /** The session whose clock its time belongs to; the empty string if none is named. */
  readonly session: string;
  /** By the session's own clock; undefined without a valid time. */
  readonly atMs: number | undefined;
}

/** Undefined for a frame of a collector's stream without an event. `previous` is the protocol of the preceding entry. */
export function readRecorded(text: string, line: number, previous: ProtocolName | undefined): PlaylistEntry | undefined {
  const read = parse(text);
  if (read === undefined) return { line, damaged: "it is no JSON" };
  if (!isObject(read)) return { line, damaged: "it is JSON, but no object" };
  const value = unwrapStream(read);
  if (value === undefined) return undefined;
  const protocol = recogniseProtocol(value, previous === undefined ? undefined : PROTOCOLS[previous])?.name;
  return {
    line,
    text: toSingleLine(value === read ? text : JSON.stringify(value)),
    value,
    protocol,
    kind: isMessage(protocol, value) ? "message" : "event",
    session: sessionOf(protocol, value),
    atMs: timeOf(protocol, value),
  };
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function isMessage(protocol: ProtocolName | undefined, value: JsonObject): boolean {
  const { type } = value;
  if (protocol === "aaep") return typeof type === "string" && (isMessageType(type) || readTypeName(type).local === "producer.manifest");
  return protocol === "aep" && type === undefined && (value["request_event_id"] !== undefined || value["control"] !== undefined);
}

function sessionOf(protocol: ProtocolName | undefined, value: JsonObject): string {
  const { session } = value;
  const id = protocol === "aep" ? (isObject(session) ? (session["id"] ?? session["conversation_id"]) : undefined) : value["session_id"];
  return typeof id === "string" ? id : "";
}

function timeOf(protocol: ProtocolName | undefined, value: JsonObject): number | undefined {
  const time = value[protocol === "aep" ? "time" : "timestamp"];
  return typeof time === "string" ? readTimestamp(time)?.ms : undefined;
}
