import { UNSEEN } from "../../terminal/plain-text.ts";

const UNSEEN_BUT_LINE_BREAK = new RegExp(`[${UNSEEN}--\\n]`, "gv");

/**
 * JSON for files and for terminals alike. `JSON.stringify` leaves C1 controls and bidirectional overrides as they are,
 * and a terminal would obey them; written as `\u009b` they say the same to every parser and nothing to a terminal.
 */
export function toJsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replace(UNSEEN_BUT_LINE_BREAK, escaped)}\n`;
}

function escaped(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
