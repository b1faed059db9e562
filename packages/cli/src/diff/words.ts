/** Texts are compared by this many different words at most, the first. */
const MOST_WORDS = 64;
const MOST_CHARACTERS = 2000;

/** The words of a text, as sorted numbers: quick to compare. Numbers count as alike; paths and names are taken apart. */
export function wordsOf(text: string): Uint32Array {
  const found = new Set<number>();
  for (const word of text
    .slice(0, MOST_CHARACTERS)
    .toLowerCase()
    .match(/[\p{L}\p{M}]+|\p{N}+|--?[\p{L}\p{N}]+/gu) ?? []) {
    found.add(/^\p{N}/u.test(word) ? 1 : numberOf(word));
    if (found.size >= MOST_WORDS) break;
  }
  return Uint32Array.from(found).sort();
}

/** How much two texts share, from 0 to 1: twice what both have, by what there is. Two empty ones are alike. */
export function likeness(one: Uint32Array, other: Uint32Array): number {
  if (one.length + other.length === 0) return 1;
  let shared = 0;
  for (let a = 0, b = 0; a < one.length && b < other.length; ) {
    const [left = 0, right = 0] = [one[a], other[b]];
    if (left === right) shared++;
    if (left <= right) a++;
    if (right <= left) b++;
  }
  return (2 * shared) / (one.length + other.length);
}

/** FNV-1a. Two words with one number make two texts look a little more alike, no more. */
function numberOf(word: string): number {
  let number = 0x811c9dc5;
  for (let index = 0; index < word.length; index++) number = Math.imul(number ^ word.charCodeAt(index), 0x01000193);
  return number >>> 0;
}
