import type { TraceMoment } from "../trace.ts";

const FIRST = 1 << 10;
/** Entries whose place is kept: 20 bytes each. A finding about an earlier one is listed but not drawn. */
const MAX_ENTRIES = 1 << 21;
/** Distinct event types kept, so that a recording with made-up types cannot fill the memory. */
const TYPES = 1000;
export const NO_SECTION = 0xffff;

export interface TracePlace {
  /** Number of the section, in order of first appearance. */
  readonly section: number;
  readonly at: TraceMoment;
  /** Event type; empty for an entry that is not an event. */
  readonly type: string;
}

/**
 * Maps recent entries to their places. A rule violation may be found long after the event that caused it, and only by entry number.
 * Packed, because there may be millions of entries.
 */
export class PlaceTable {
  #lines = new Int32Array(FIRST);
  #times = new Float64Array(FIRST);
  #sections = new Uint16Array(FIRST);
  #entries = new Int32Array(FIRST);
  #types = new Uint16Array(FIRST);
  readonly #names: string[] = [""];
  readonly #numbers = new Map([["", 0]]);

  put(section: number, { entry, line, ms }: TraceMoment, type = ""): void {
    if (entry >= this.#entries.length && this.#entries.length < MAX_ENTRIES) this.#grow();
    const slot = entry % this.#entries.length;
    this.#entries[slot] = entry;
    this.#lines[slot] = line;
    this.#times[slot] = ms ?? Number.NaN;
    this.#sections[slot] = section;
    this.#types[slot] = this.#numberOf(type);
  }

  find(entry: number): TracePlace | undefined {
    const slot = entry % this.#entries.length;
    if (entry < 1 || this.#entries[slot] !== entry) return undefined;
    const ms = this.#times[slot] ?? Number.NaN;
    const line = this.#lines[slot] ?? 0;
    return {
      section: this.#sections[slot] ?? NO_SECTION,
      at: Number.isNaN(ms) ? { entry, line } : { entry, line, ms },
      type: this.#names[this.#types[slot] ?? 0] ?? "",
    };
  }

  #numberOf(type: string): number {
    const known = this.#numbers.get(type);
    if (known !== undefined) return known;
    if (this.#names.length === TYPES) return 0;
    this.#numbers.set(type, this.#names.length);
    return this.#names.push(type) - 1;
  }

  /** No slot is reused before the table reaches its maximum size, so every entry keeps its slot. */
  #grow(): void {
    const size = Math.min(MAX_ENTRIES, this.#entries.length * 2);
    this.#entries = widen(this.#entries, new Int32Array(size));
    this.#lines = widen(this.#lines, new Int32Array(size));
    this.#times = widen(this.#times, new Float64Array(size));
    this.#sections = widen(this.#sections, new Uint16Array(size));
    this.#types = widen(this.#types, new Uint16Array(size));
  }
}

function widen<Table extends Int32Array | Float64Array | Uint16Array>(from: Table, into: Table): Table {
  into.set(from);
  return into;
}
