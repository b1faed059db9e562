import type { Entry, Filter, Page, ReadQuery, SessionInfo } from "../ledger.ts";
import { type EntryRow, fits } from "./rows.ts";
import { toEntry } from "./to-entry.ts";

/** An entry as it was committed. */
export interface RecentEntry {
  readonly row: EntryRow;
  readonly session: SessionInfo;
}

const KEPT = 2048;
const KEPT_CHARACTERS = 4 * 1024 * 1024;
const PAGE_CHARACTERS = 1024 * 1024;

/**
 * The entries committed last. Those who follow the ledger closely, which is nearly everybody, get them from here: nothing
 * is read back from the file that has just been written to it. Only texts are kept: what was read from them is many times as
 * large, and most of it would be moved about in memory without anybody asking for it.
 */
export class RecentEntries {
  /**
   * A ring, so that what is overwritten is let go of at once. An array that is thrown away now and then would be kept by V8 for a
   * while, and with it all that is in it: all of what passes through here would grow old.
   */
  readonly #ring: (RecentEntry | undefined)[] = Array.from({ length: KEPT }, () => undefined);
  /** How many were added, ever; and how many of those are gone. */
  #added = 0;
  #gone = 0;
  #characters = 0;
  /** Everything after this position is here. */
  #after: number;

  constructor(head: number) {
    this.#after = head;
  }

  add(entry: RecentEntry): void {
    if (this.#added - this.#gone === KEPT) this.#letGo();
    this.#ring[this.#added++ % KEPT] = entry;
    this.#characters += entry.row.text.length;
    while (this.#characters > KEPT_CHARACTERS) this.#letGo();
  }

  /** Undefined when the file has to be asked. */
  read({ after, limit, filter = {} }: ReadQuery): Page | undefined {
    if (after < this.#after) return undefined;
    const entries: Entry[] = [];
    let characters = 0;
    let upTo = after;
    for (let number = this.#numberAfter(after); number < this.#added; number++) {
      const found = this.#ring[number % KEPT];
      if (found === undefined) break;
      const { row, session } = found;
      upTo = row.position;
      if (!isWanted(session, filter) || !fits(row, session, filter)) continue;
      entries.push(toEntry(row, session));
      characters += row.text.length;
      if (entries.length >= limit || characters >= PAGE_CHARACTERS) break;
    }
    return { entries, upTo };
  }

  /** Something was removed from the file, or is about to be. */
  clear(head: number): void {
    while (this.#gone < this.#added) this.#letGo();
    this.#after = head;
  }

  /** Of the oldest. */
  #letGo(): void {
    const place = this.#gone++ % KEPT;
    const gone = this.#ring[place];
    this.#ring[place] = undefined;
    if (gone === undefined) return;
    this.#characters -= gone.row.text.length;
    this.#after = gone.row.position;
  }

  #numberAfter(position: number): number {
    let low = this.#gone;
    let high = this.#added;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.#ring[middle % KEPT]?.row.position ?? 0) <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function isWanted({ id }: SessionInfo, { session }: Filter): boolean {
  return session === undefined || session === id;
}
