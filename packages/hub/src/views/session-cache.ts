import type { Entry } from "../ledger/ledger.ts";
import { openWatch } from "./alerts/watch.ts";
import { openCollectorFacts } from "./collector-facts.ts";
import type { SessionName } from "./heard.ts";
import { openJoining } from "./joining.ts";
import { openSessionFold } from "./session-fold.ts";
import type { SessionState, SessionTable } from "./session-table.ts";

/** A session as the follower holds it: folded, not yet written where `dirty`. */
export interface CachedSession {
  readonly name: SessionName;
  readonly state: SessionState;
  dirty: boolean;
}

/** How many sessions are kept at hand. The others are taken up from the table when they are heard from again. */
const MAX_CACHED_SESSIONS = 500;

/** The sessions heard from last, and which of them changed since they were written. */
export class SessionCache {
  readonly #table: SessionTable;
  /** The one heard from last stands last. */
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

  /** What changed was written, or is lost. */
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
