import { hashKey } from "./hash-text.ts";
import { RecentMap } from "./recent-map.ts";

/**
 * The open sessions of a stream and the tombstones of those set aside. Two generations bound the open sessions: a session with a new
 * event moves to the young one; when that is full, the sessions left in the old one are the least recently active and are set aside. The
 * tombstone prevents a session's later events from being taken for a new session.
 */
export class OpenSessionTable<State> {
  #young = new Map<string, State>();
  #old = new Map<string, State>();
  readonly #tombs: RecentMap<number, number>;
  readonly #generation: number;
  readonly #bury: (state: State, isSilent: boolean) => number;
  #total = 0;
  #setAside = 0;

  /** `bury` returns the tombstone number of a session; `isSilent`: the table needed the room. */
  constructor(options: { readonly sessions: number; readonly tombs: number; readonly bury: (state: State, isSilent: boolean) => number }) {
    this.#generation = Math.max(1, Math.floor(options.sessions / 2));
    this.#tombs = new RecentMap(options.tombs);
    this.#bury = options.bury;
  }

  /** Number of sessions ever opened. */
  get total(): number {
    return this.#total;
  }

  get forgotten(): number {
    return this.#setAside + this.#tombs.forgotten;
  }

  get(key: string): State | undefined {
    return this.#young.get(key) ?? (this.#old.size === 0 ? undefined : this.#old.get(key));
  }

  /** The tombstone's number, or undefined if no session with this key was set aside. */
  tomb(key: string): number | undefined {
    return this.#tombs.get(hashKey(key));
  }

  open(key: string, state: State): void {
    this.#total++;
    this.#put(key, state);
  }

  /** Marks a session as active; free while there are few sessions. */
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
