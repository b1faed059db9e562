import type { Entry, SessionInfo } from "../ledger/ledger.ts";
import { openWatch } from "./alerts/watch.ts";
import { openCollectorFacts } from "./collector-facts.ts";
import { openJoining } from "./joining.ts";
import { openSessionFold } from "./session-fold.ts";
import type { SessionState, SessionTable } from "./session-table.ts";

/** A session in memory; `dirty` until it is written. */
export interface CachedSession {
  readonly name: SessionInfo;
  readonly state: SessionState;
  dirty: boolean;
}

/** Sessions kept in memory. The others are loaded from the table when an entry of theirs is read. */
const MAX_CACHED_SESSIONS = 500;

/** The most recently used sessions, and which of them changed since they were written. */
export class SessionCache {
  readonly #table: SessionTable;
  /** The most recently used session is the last one. */
  readonly #sessions = new Map<number, CachedSession>();
  #dirty: CachedSession[] = [];

  constructor(table: SessionTable) {
    this.#table = table;
  }

  get dirty(): readonly CachedSession[] {
    return this.#dirty;
  }

  /** The session of an entry, which may be its first. */
  of({ sessionKey: key, protocol, source, session: id }: Entry): CachedSession {
    const known = this.find(key);
    if (known !== undefined) return known;
    const collector = protocol === "aop" ? { collector: openCollectorFacts() } : {};
    const state = { fold: openSessionFold(), joining: openJoining(), watch: openWatch(), ...collector };
    const session = { name: { key, protocol, source, id }, state, dirty: false };
    this.#sessions.set(key, session);
    return session;
  }

  find(key: number): CachedSession | undefined {
    const known = this.#sessions.get(key);
    if (known !== undefined) {
      if (!known.dirty) {
        this.#sessions.delete(key);
        this.#sessions.set(key, known);
      }
      return known;
    }
    const loaded = this.#table.load(key);
    if (loaded === undefined) return undefined;
    const session = { ...loaded, dirty: false };
    this.#sessions.set(key, session);
    return session;
  }

  touch(session: CachedSession): void {
    if (session.dirty) return;
    session.dirty = true;
    this.#dirty.push(session);
  }

  /** Changes were written, or are dropped. */
  settle(): void {
    for (const session of this.#dirty) session.dirty = false;
    this.#dirty = [];
    for (const key of this.#sessions.keys()) {
      if (this.#sessions.size <= MAX_CACHED_SESSIONS) break;
      this.#sessions.delete(key);
    }
  }

  forget(key: number): void {
    this.#sessions.delete(key);
  }

  clear(): void {
    this.settle();
    this.#sessions.clear();
  }
}
