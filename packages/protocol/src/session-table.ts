import { HashTable, hashText } from "./hash-table.ts";

/**
 * The open sessions of a stream and the tombstones of the ended ones. Open sessions are bounded by two generations: a
 * session that is heard from moves to the young one; when that is full, what is left in the old one has been silent for
 * longest and is set aside. It keeps a tombstone, so that its later events are not mistaken for a new session's.
 */
export class SessionTable<State> {
  #young = new Map<string, State>();
  #old = new Map<string, State>();
  readonly #tombs: HashTable;
  readonly #generation: number;
  #total = 0;
  #setAside = 0;

  constructor(options: { readonly sessions: number; readonly tombs: number }) {
    this.#generation = Math.max(1, Math.floor(options.sessions / 2));
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
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    return this.#old.size === 0 ? undefined : this.#old.get(key);
  }

  /** The tombstone's value, or undefined when no session of this key has ended. 0 is kept for sessions set aside. */
  tomb(key: string): number | undefined {
    return this.#tombs.size === 0 ? undefined : this.#tombs.get(hashText(key, 0x3c6ef372), hashText(key, 0x1f83d9ab));
  }

  open(key: string, state: State): void {
    this.#total++;
    this.#put(key, state);
  }

  /** Marks a session as heard from; costs nothing while there are few. */
  touch(key: string, state: State): void {
    if (this.#old.size > 0 && this.#old.delete(key)) this.#put(key, state);
  }

  close(key: string, value: number): void {
    if (!this.#young.delete(key)) this.#old.delete(key);
    this.#bury(key, value);
  }

  *entries(): IterableIterator<[string, State]> {
    yield* this.#old;
    yield* this.#young;
  }

  #put(key: string, state: State): void {
    if (this.#young.size >= this.#generation) {
      for (const silent of this.#old.keys()) this.#bury(silent, 0);
      this.#setAside += this.#old.size;
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, state);
  }

  #bury(key: string, value: number): void {
    this.#tombs.add(hashText(key, 0x3c6ef372), hashText(key, 0x1f83d9ab), value);
  }
}
