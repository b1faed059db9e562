/** Begins to read the keys of a table, in the order of an index; gives how to read the next ones, fewer than asked for at the end. */
export type ReadKeys = () => (limit: number) => readonly string[];

/** So many questions are answered by the file before its keys are worth reading: most hubs are asked little. */
const FIRST_ASKED = 200;
/** How many keys are read with each question, until all are read. */
const KEYS_AT_ONCE = 128;
const BITS_PER_KEY = 10;
const LEAST_BITS = 1 << 20;
/** 4 MB: three million keys. With more of them the file is asked more often in vain, and that is all. */
const MOST_BITS = 1 << 25;
const PROBES = 3;

/**
 * Whether a key may stand in a table. Nearly everything that is said is new, and to find a new key nowhere in the file costs more
 * than to judge the event: every commit makes the pages worthless that the reading side has at hand. A filter of some bits a
 * key (Bloom's) knows most of the new ones without looking. It never says no wrongly: until it has read all keys, it says
 * that anything may be there.
 */
export class KnownKeys {
  readonly #readKeys: ReadKeys;
  #words: Int32Array | undefined;
  #mask = 0;
  #count = 0;
  #asked = 0;
  #readNext: ((limit: number) => readonly string[]) | undefined;
  #isComplete = false;

  constructor(readKeys: ReadKeys) {
    this.#readKeys = readKeys;
  }

  /** False only where it cannot be in the file. */
  mayHave(key: string): boolean {
    if (!this.#isComplete && ++this.#asked > FIRST_ASKED) this.#readMore();
    return !this.#isComplete || this.#has(key);
  }

  /** It is in the file from now on. */
  add(key: string): void {
    if (this.#words === undefined) return; // it will be read with the others
    if (this.#count >= (this.#mask + 1) / BITS_PER_KEY && this.#mask + 1 < MOST_BITS) this.#begin((this.#mask + 1) * 4);
    this.#put(key);
  }

  /** Something may be in the file that nobody told of. */
  forget(): void {
    this.#words = undefined;
    this.#isComplete = false;
  }

  #readMore(): void {
    if (this.#words === undefined) this.#begin(LEAST_BITS);
    const keys = this.#readNext?.(KEYS_AT_ONCE) ?? [];
    for (const key of keys) this.#put(key);
    this.#isComplete = keys.length < KEYS_AT_ONCE;
  }

  /** With more room, and so from the beginning: which keys the bits stand for is not known. */
  #begin(bits: number): void {
    this.#words = new Int32Array(bits >>> 5);
    this.#mask = bits - 1;
    this.#count = 0;
    this.#readNext = this.#readKeys();
    this.#isComplete = false;
  }

  #put(key: string): void {
    const words = this.#words;
    if (words === undefined) return;
    this.#count++;
    hashKey(key);
    for (let probe = 0, bit = first; probe < PROBES; probe++, bit += second) {
      const place = (bit & this.#mask) >>> 5;
      words[place] = (words[place] ?? 0) | (1 << (bit & 31));
    }
  }

  #has(key: string): boolean {
    const words = this.#words;
    if (words === undefined) return true;
    hashKey(key);
    for (let probe = 0, bit = first; probe < PROBES; probe++, bit += second) {
      if (((words[(bit & this.#mask) >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false;
    }
    return true;
  }
}

// Two numbers from one pass; an object for them would be garbage for every event.
let first = 0;
let second = 0;

function hashKey(key: string): void {
  let one = 0x811c9dc5 ^ key.length;
  let other = 0x41c6ce57;
  for (let index = 0; index < key.length; index++) {
    const code = key.charCodeAt(index);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x5bd1e995);
  }
  first = Math.imul(one ^ (one >>> 15), 0x2c1b3c6d) >>> 0;
  second = (Math.imul(other ^ (other >>> 13), 0x297a2d39) | 1) >>> 0;
}
