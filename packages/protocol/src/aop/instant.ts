import { type Instant, readTimestamp } from "../timestamp.ts";

let lastText = "";
let lastInstant: Instant | undefined;

/** `readTimestamp`, remembering the last answer: an event is read and then judged, and its time is asked for twice. */
export function instantOf(text: string): Instant | undefined {
  if (text === lastText) return lastInstant;
  lastInstant = readTimestamp(text);
  lastText = text.length <= 64 ? text : "";
  return lastInstant;
}
