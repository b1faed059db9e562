import { hashKey } from "./hash-text.ts";
import { RecentMap } from "./recent-map.ts";

/**
 * The open sessions of a stream and the tombstones of those set aside. Open sessions are bounded by two generations: a
 * session with a new event moves to the young one; when that is full, the rest of the old one has been silent for longest
 * and is set aside. Its tombstone keeps its later events from being mistaken for a new session's.
 */
export class SessionTable<State> {
  #young = new Map<string, State>();
  #old = new Map<string, State>();
  readonly #tombs: RecentMap<number, number>;
  readonly #generation: number;
  readonly #bury: (state: State, isSilent: boolean) => number;
  #total = 0;
  #setAside = 0;

  /** `bury` gives the number that a tombstone keeps of a session; `isSilent` says that the table needed the room. */
  constructor(options: { readonly sessions: number; readonly tombs: number; readonly bury: (state: State, isSilent: boolean) => number }) {
    this.#generation = Math.max(1, Math.floor(options.sessions / 2));
    this.#tombs = new RecentMap(options.tombs);
    this.#bury = options.bury;
  }

  /** Sessions ever opened. */
  get total(): number {
    return this.#total;
  }

  get forgotten(): number {
    return this.#setAside + this.#tombs.forgotten;
  }

  get(key: string): State | undefined {
    return this.#young.get(key) ?? (this.#old.size === 0 ? undefined : this.#old.get(key));
  }

  /** What the tombstone says, or undefined when no session of this key was set aside. */
  tomb(key: string): number | undefined {
    return this.#tombs.get(hashKey(key));
  }

  open(key: string, state: State): void {
    this.#total++;
    this.#put(key, state);
  }

  /** Marks a session as active; costs nothing while there are few. */
  touch(key: string, state: State): void {
    if (this.#old.size > 0 && this.#old.delete(key)) this.#put(key, state);
  }

  close(key: string, state: State): void {
    if (!this.#young.delete(key)) this.#old.delete(key);
    this.#tombs.add(hashKey(key), this.#bury(state, false));
  }

  *entries(): IterableIterator<[string, State]> {
    yield* this.#old;
    yield* this.#young;
  }

  #put(key: string, state: State): void {
    if (this.#young.size >= this.#generation) {
      for (const [silent, one] of this.#old) this.#tombs.add(hashKey(silent), this.#bury(one, true));
      this.#setAside += this.#old.size;
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, state);
  }
}
