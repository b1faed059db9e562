/** So many entries are filed together: fewer would change the same pages more often, more would be looked through for longer. */
const FILED_TOGETHER = 1024;
/** Of the numbers that are new, one in seventy is taken for a known one when there are so many, in each generation. */
const WORDS = FILED_TOGETHER / 2;
const MASK = WORDS * 32 - 1;

/**
 * What is known of the entries in the file that are not filed yet, see registers.ts: how many they are, and which numbers they have. To
 * be looked through for every number that comes out of order would take longer than to judge the event: a filter of some bits
 * a number knows most of the new ones without. It holds on to nothing.
 */
export class Unfiled {
  readonly #filedTogether: number;
  /** Since filing began the last time, and before that. */
  #newer = new Int32Array(WORDS);
  #older = new Int32Array(WORDS);
  #count = 0;
  /** Those that an earlier process has left were never told of: all are known when filing has begun so often. */
  #untilKnown = 2;

  constructor(filedTogether = FILED_TOGETHER) {
    this.#filedTogether = filedTogether;
  }

  /** Whether they are worth filing. */
  get areMany(): boolean {
    return this.#count >= this.#filedTogether;
  }

  /** Told of as soon as it is drawn up. */
  count(): void {
    this.#count++;
  }

  /** It is in the file from now on. */
  add(session: number, sequence: number): void {
    for (const bit of bitsOf(session, sequence)) this.#newer[bit >>> 5] = (this.#newer[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }

  /** False only where none of them has this number. */
  mayHave(session: number, sequence: number): boolean {
    if (this.#untilKnown > 0) return true;
    const bits = bitsOf(session, sequence);
    return hasAll(this.#newer, bits) || hasAll(this.#older, bits);
  }

  /** All that were counted begin to be filed with what is drawn up. */
  willBeFiled(): void {
    this.#count = 0;
  }

  /** All that were added have begun to be filed, and what had begun before is done. */
  begun(): void {
    [this.#newer, this.#older] = [this.#older, this.#newer];
    this.#newer.fill(0);
    if (this.#untilKnown > 0) this.#untilKnown--;
  }

  /** Something may be in the file that nobody told of. */
  forget(): void {
    this.#untilKnown = 2;
  }
}

function hasAll(words: Int32Array, bits: readonly number[]): boolean {
  return bits.every((bit) => ((words[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0);
}

function bitsOf(session: number, sequence: number): readonly [number, number] {
  const one = Math.imul(session ^ Math.imul(sequence, 0x9e3779b1), 0x85ebca6b);
  const other = Math.imul(sequence ^ Math.imul(session, 0xc2b2ae35), 0x27d4eb2f);
  return [(one ^ (one >>> 15)) & MASK, (other ^ (other >>> 13)) & MASK];
}
