import { HashTable, hashText } from "./hash-table.ts";

/**
 * The open sessions of a stream and the tombstones of the ended ones. Open sessions are bounded: past the bound the one
 * silent for longest is set aside (it keeps a tombstone, so that its later events are not mistaken for a new session's).
 */
export class SessionTable<State> {
  readonly #open = new Map<string, State>();
  readonly #tombs: HashTable;
  readonly #capacity: number;
  #total = 0;
  #setAside = 0;

  constructor(options: { readonly sessions: number; readonly tombs: number }) {
    this.#capacity = options.sessions;
    this.#tombs = new HashTable(options.tombs);
  }

  /** Sessions ever seen. */
  get total(): number {
    return this.#total;
  }

  get forgotten(): number {
    return this.#setAside + this.#tombs.forgotten;
  }

  get(key: string): State | undefined {
    return this.#open.get(key);
  }

  /** The tombstone's value, or undefined when no session of this key has ended. 0 is kept for sessions set aside. */
  tomb(key: string): number | undefined {
    return this.#tombs.get(hashText(key, 0x3c6ef372), hashText(key, 0x1f83d9ab));
  }

  open(key: string, state: State): void {
    this.#total++;
    if (this.#open.size >= this.#capacity) {
      // Maps keep insertion order and `touch` re-inserts, so the first key is the one silent for longest.
      const oldest = this.#open.keys().next();
      if (!oldest.done) {
        this.#open.delete(oldest.value);
        this.#bury(oldest.value, 0);
        this.#setAside++;
      }
    }
    this.#open.set(key, state);
  }

  /** Marks a session as heard from; cheap while the table is far from its bound. */
  touch(key: string, state: State): void {
    if (this.#open.size * 2 < this.#capacity) return;
    this.#open.delete(key);
    this.#open.set(key, state);
  }

  close(key: string, value: number): void {
    this.#open.delete(key);
    this.#bury(key, value);
  }

  entries(): IterableIterator<[string, State]> {
    return this.#open.entries();
  }

  #bury(key: string, value: number): void {
    this.#tombs.add(hashText(key, 0x3c6ef372), hashText(key, 0x1f83d9ab), value);
  }
}
