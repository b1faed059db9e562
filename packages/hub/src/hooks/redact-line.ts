import type { JsonValue } from "@earshot/protocol/json";
import { redactJson } from "../intake/redact-json.ts";

/** An event as a line that may be written to disk: secrets masked. */
export function redactLine(event: object): string {
  const text = JSON.stringify(event);
  return redactJson(text, event as JsonValue)?.text ?? text;
}
