import { isObject } from "../json.ts";
import type { ProtocolReading } from "../protocol.ts";

/** Returns the conversation of an event that does not name its session. */
export function conversationOf({ value: { session } }: ProtocolReading): string | undefined {
  const id = isObject(session) ? session["conversation_id"] : undefined;
  return typeof id === "string" && id !== "" ? id : undefined;
}

export function isBoundary({ type }: ProtocolReading): boolean {
  return type === "session.start" || type === "session.end";
}
