/** A few tables of this size cost nothing, and most recordings never outgrow them. */
const FIRST_SLOTS = 8192;
/** From here the table takes its last size at once: to double once more would need old and new side by side. */
const LARGE_SLOTS = 1 << 21;
/** How full a growing table gets, and how full the last one: every slot of 4 million counts. */
const GROWING_LOAD = 0.5;
const FULL_LOAD = 0.75;

/**
 * Remembers up to `capacity` keys as 64-bit hashes, each with a 32-bit value, in flat memory: 4 million keys take about
 * 96 MB, a thousand take a tenth of a megabyte. When it is full the oldest key is forgotten, so that what it says about
 * the last `capacity` keys stays exact and memory does not depend on the length of a stream.
 */
export class HashTable {
  readonly #capacity: number;
  #slots: Int32Array; // per slot: high, low, value; all zeros when empty
  #slotCount: number;
  /** How many keys fit before the table grows. */
  #limit: number;
  #ring: Int32Array; // per age index: high, low
  #size = 0;
  #head = 0;
  #forgotten = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#slotCount = FIRST_SLOTS;
    this.#limit = Math.min(FIRST_SLOTS * GROWING_LOAD, capacity);
    this.#slots = new Int32Array(FIRST_SLOTS * 3);
    this.#ring = new Int32Array(this.#limit * 2);
  }

  get size(): number {
    return this.#size;
  }

  /** How many keys had to be forgotten: 0 means that every answer was exact. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** The value kept for the key, or undefined; then keeps the given value if the key is new. */
  add(high: number, low: number, value: number): number | undefined {
    const found = this.#find(high, low);
    if (found >= 0) return this.#slots[found * 3 + 2];
    if (this.#size === this.#capacity) this.#forgetOldest();
    else if (this.#size === this.#limit) this.#grow();
    const ringLength = this.#ring.length / 2;
    const age = (this.#head + this.#size) % ringLength;
    this.#ring[age * 2] = high;
    this.#ring[age * 2 + 1] = low;
    this.#insert(high, low, value);
    this.#size++;
    return undefined;
  }

  get(high: number, low: number): number | undefined {
    const found = this.#find(high, low);
    return found < 0 ? undefined : this.#slots[found * 3 + 2];
  }

  #home(high: number, low: number): number {
    return (((high ^ (low >>> 7)) >>> 0) * this.#slotCount * 2 ** -32) | 0;
  }

  /** An empty slot is all zeros; the key (0, 0) is stored as (0, 1). */
  #find(high: number, low: number): number {
    const safeLow = high === 0 && low === 0 ? 1 : low;
    let slot = this.#home(high, safeLow);
    for (;;) {
      const keptHigh = this.#slots[slot * 3] as number;
      const keptLow = this.#slots[slot * 3 + 1] as number;
      if (keptHigh === 0 && keptLow === 0) return -1;
      if (keptHigh === high && keptLow === safeLow) return slot;
      slot = slot + 1 === this.#slotCount ? 0 : slot + 1;
    }
  }

  #insert(high: number, low: number, value: number): void {
    const safeLow = high === 0 && low === 0 ? 1 : low;
    let slot = this.#home(high, safeLow);
    while (this.#slots[slot * 3] !== 0 || this.#slots[slot * 3 + 1] !== 0) slot = slot + 1 === this.#slotCount ? 0 : slot + 1;
    this.#slots[slot * 3] = high;
    this.#slots[slot * 3 + 1] = safeLow;
    this.#slots[slot * 3 + 2] = value;
  }

  #forgetOldest(): void {
    const high = this.#ring[this.#head * 2] as number;
    const low = this.#ring[this.#head * 2 + 1] as number;
    this.#head = (this.#head + 1) % (this.#ring.length / 2);
    this.#size--;
    this.#forgotten++;
    this.#remove(this.#find(high, low));
  }

  /** Backward-shift deletion: no tombstones, so lookups stay short however long the stream is. */
  #remove(slot: number): void {
    if (slot < 0) return;
    let hole = slot;
    let next = slot;
    for (;;) {
      next = next + 1 === this.#slotCount ? 0 : next + 1;
      const high = this.#slots[next * 3] as number;
      const low = this.#slots[next * 3 + 1] as number;
      if (high === 0 && low === 0) break;
      const home = this.#home(high, low);
      const between = hole <= next ? hole < home && home <= next : hole < home || home <= next;
      if (between) continue;
      this.#slots.copyWithin(hole * 3, next * 3, next * 3 + 3);
      hole = next;
    }
    this.#slots.fill(0, hole * 3, hole * 3 + 3);
  }

  #grow(): void {
    const isLast = this.#slotCount >= LARGE_SLOTS || this.#limit * 2 >= this.#capacity;
    const limit = isLast ? this.#capacity : this.#limit * 2;
    const ringLength = this.#ring.length / 2;
    const longer = new Int32Array(limit * 2);
    for (let index = 0; index < this.#size; index++) {
      const age = (this.#head + index) % ringLength;
      longer[index * 2] = this.#ring[age * 2] as number;
      longer[index * 2 + 1] = this.#ring[age * 2 + 1] as number;
    }
    this.#ring = longer;
    this.#head = 0;
    const old = this.#slots;
    this.#limit = limit;
    this.#slotCount = isLast ? Math.ceil(limit / FULL_LOAD) : this.#slotCount * 2;
    this.#slots = new Int32Array(this.#slotCount * 3);
    for (let slot = 0; slot < old.length; slot += 3) {
      const high = old[slot] as number;
      const low = old[slot + 1] as number;
      if (high !== 0 || low !== 0) this.#insert(high, low, old[slot + 2] as number);
    }
  }
}

/** 32 bits of a string; two seeds give 64. Called for every event, hence by hand. */
export function hashText(text: string, seed: number): number {
  let hash = seed ^ text.length;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x5bd1e995) ^ (hash >>> 15);
  hash = Math.imul(hash ^ (hash >>> 13), 0x5bd1e995);
  return hash ^ (hash >>> 15);
}
