/**
 * 53 bits of a text, as a number that JSON keeps exactly. Stands for names of any length where a bounded state must
 * recognise them again. Not for secrets: whoever wants two names with the same hash finds them, and confuses only the
 * numbers of a session of his own.
 */
export function hash53(text: string): number {
  let high = 0xdeadbeef ^ text.length;
  let low = 0x41c6ce57 ^ text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}
