import { hashText } from "./hash-text.ts";

const KEPT = 256;
const SHOWN = 128;

/** Text from outside, bounded without making different texts equal: of a long one the beginning is kept and all of it hashed. */
export function brief(text: string): string {
  if (isBrief(text)) return text;
  return `${text.slice(0, SHOWN)}…${text.length}.${hashText(text, 0x3c6ef372)}.${hashText(text, 0x1f83d9ab)}`;
}

/** Whether a text is short enough to be kept as it is. */
export function isBrief(text: string): boolean {
  return text.length <= KEPT;
}

/** Two texts as one, in brief. The length in front keeps two owners apart whatever characters their names have. */
export function joinBriefly(owner: string, id: string): string {
  const name = brief(owner);
  return `${name.length} ${name}${brief(id)}`;
}

/** A key for a plain record: bounded, and neither a number, which would change the order, nor `__proto__` or its like. */
export function keyOf(text: string): string {
  return `:${brief(text)}`;
}
