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
  #entries: RecentEntry[] = [];
  /** Index of the oldest that counts; those before it are let go of now and then, all at once. */
  #oldest = 0;
  #characters = 0;
  /** Everything after this position is here. */
  #after: number;

  constructor(head: number) {
    this.#after = head;
  }

  add(entry: RecentEntry): void {
    this.#entries.push(entry);
    this.#characters += entry.row.text.length;
    while (this.#entries.length - this.#oldest > KEPT || this.#characters > KEPT_CHARACTERS) {
      const gone = this.#entries[this.#oldest++];
      if (gone === undefined) return;
      this.#characters -= gone.row.text.length;
      this.#after = gone.row.position;
    }
    if (this.#oldest < KEPT) return;
    this.#entries = this.#entries.slice(this.#oldest);
    this.#oldest = 0;
  }

  /** Undefined when the file has to be asked. */
  read({ after, limit, filter = {} }: ReadQuery): Page | undefined {
    if (after < this.#after) return undefined;
    const entries: Entry[] = [];
    let characters = 0;
    let upTo = after;
    for (let index = this.#indexAfter(after); index < this.#entries.length; index++) {
      const found = this.#entries[index];
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
    this.#entries = [];
    this.#oldest = 0;
    this.#characters = 0;
    this.#after = head;
  }

  #indexAfter(position: number): number {
    let low = this.#oldest;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle]?.row.position ?? 0) <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function isWanted({ id }: SessionInfo, { session }: Filter): boolean {
  return session === undefined || session === id;
}
