import { hashText } from "./hash-text.ts";

const KEPT = 256;
const SHOWN = 128;

/** Bounds external text and keeps different texts different: a long one is reduced to its beginning plus hashes of the whole. */
export function boundText(text: string): string {
  if (isBrief(text)) return text;
  return `${text.slice(0, SHOWN)}…${text.length}.${hashText(text, 0x3c6ef372)}.${hashText(text, 0x1f83d9ab)}`;
}

/** Whether a text is short enough to be kept unchanged. */
export function isBrief(text: string): boolean {
  return text.length <= KEPT;
}

/** Joins two texts in bounded form. The length prefix keeps two owners distinct, whatever characters their names contain. */
export function joinBriefly(owner: string, id: string): string {
  const name = boundText(owner);
  return `${name.length} ${name}${boundText(id)}`;
}

/** A key for a plain record: bounded, and never a number, which would change the order of keys, nor `__proto__` or similar. */
export function recordKeyOf(text: string): string {
  return `:${boundText(text)}`;
}
