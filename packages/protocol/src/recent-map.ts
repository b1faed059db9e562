/**
 * A Map of at least the last `capacity` entries and at most twice as many, so memory does not depend on the length of a stream. Two
 * generations: when the younger one is full, the older one is dropped as a whole. Deleting the oldest key of a single Map would iterate
 * over every key deleted before it.
 */
export class RecentMap<Key extends string | number, Entry> {
  readonly #capacity: number;
  #young = new Map<Key, Entry>();
  #old = new Map<Key, Entry>();
  #forgotten = 0;

  constructor(capacity: number) {
    this.#capacity = Math.max(1, capacity);
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** Number of dropped entries: 0 means that every answer was exact. */
  get forgotten(): number {
    return this.#forgotten;
  }

  get(key: Key): Entry | undefined {
    const young = this.#young.get(key);
    return young === undefined && this.#old.size > 0 ? this.#old.get(key) : young;
  }

  /** Returns the entry stored for the key; if there is none, stores the given one and returns undefined. */
  add(key: Key, entry: Entry): Entry | undefined {
    const known = this.get(key);
    if (known === undefined) this.#keep(key, entry);
    return known;
  }

  set(key: Key, entry: Entry): void {
    this.take(key);
    this.#keep(key, entry);
  }

  /** Removes an entry and returns it. */
  take(key: Key): Entry | undefined {
    const entry = this.get(key);
    if (entry !== undefined && !this.#young.delete(key)) this.#old.delete(key);
    return entry;
  }

  *entries(): IterableIterator<[Key, Entry]> {
    yield* this.#old;
    yield* this.#young;
  }

  #keep(key: Key, entry: Entry): void {
    if (this.#young.size >= this.#capacity) {
      this.#forgotten += this.#old.size;
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, entry);
  }
}
