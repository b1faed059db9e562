import { hashText } from "../hash-table.ts";

const KEPT = 256;

/** Text from outside, cut to a bounded length without making different texts equal: what is cut off is hashed. */
export function brief(text: string): string {
  if (text.length <= KEPT) return text;
  return `${text.slice(0, KEPT)}…${text.length}.${hashText(text, 0x3c6ef372)}.${hashText(text, 0x1f83d9ab)}`;
}

/** A key for a record: the colon keeps `__proto__` and its like from being anything but a key. */
export function keyOf(text: string): string {
  return `:${text}`;
}
