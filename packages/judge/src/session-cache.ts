import { EVENT_KIND, MESSAGE_KIND, type SessionSnapshot, type SourceSession, type StoredState, type TailEntry } from "./plan.ts";
import type { EventLifecycle, OpaqueSessionState } from "./submission.ts";

/** A session in memory with the state its next event is judged against. */
export interface CachedSession extends SourceSession {
  readonly label: string;
  readonly key: number;
  readonly sourceKey: number;
  isNew: boolean;
  /** Position of the last entry; 0 for none. */
  last: number;
  state: OpaqueSessionState;
  /** The highest stored sequence; -1 for none. */
  highest: number;
  /** Position up to which the stored state includes entries. */
  storedAt: number;
  storedBytes: number;
  /** Characters of the entries after it. */
  tailBytes: number;
  /** Set when replaying would judge differently, or when entries to be replayed are about to be removed. */
  storeNow: boolean;
}

const MAX_LIVE_SESSIONS = 4096;
const MAX_LIVE_BYTES = 32 * 1024 * 1024;

/** Recently active sessions. A stale state is detected by its position and loaded again. */
export class SessionCache {
  readonly #sessions = new Map<string, CachedSession>();
  readonly #maxSessions: number;
  #bytes = 0;
  #removals = 0;

  constructor(maxSessions = MAX_LIVE_SESSIONS) {
    this.#maxSessions = maxSessions;
  }

  get(label: string): CachedSession | undefined {
    return this.#sessions.get(label);
  }

  add(session: CachedSession): void {
    this.delete(session.label);
    this.#sessions.set(session.label, session);
    this.#bytes += session.storedBytes;
  }

  delete(label: string): void {
    const session = this.#sessions.get(label);
    if (session === undefined) return;
    this.#sessions.delete(label);
    this.#bytes -= session.storedBytes;
  }

  clear(): void {
    this.#sessions.clear();
    this.#bytes = 0;
  }

  /** Drops all states if another process removed entries since. Returns whether it did. */
  forgetRemoved(removals: number): boolean {
    const isStale = removals !== this.#removals && this.#sessions.size > 0;
    if (isStale) this.clear();
    this.#removals = removals;
    return isStale;
  }

  /** Notes a removal by this process, which only affects one session. */
  noteRemoval(number: number, label: string): void {
    this.delete(label);
    if (this.#removals === number - 1) this.#removals = number;
  }

  /** Call between two batches. */
  trim(): void {
    for (const oldest of this.#sessions.keys()) {
      if (this.#sessions.size <= this.#maxSessions && this.#bytes <= MAX_LIVE_BYTES) break;
      this.delete(oldest);
    }
  }
}

export function openCachedSession(
  name: SourceSession,
  keys: { key: number; sourceKey: number },
  label: string,
  state: OpaqueSessionState,
): CachedSession {
  const { protocol, source, id } = name;
  const nothing = { last: 0, highest: -1, storedAt: 0, storedBytes: 0, tailBytes: 0, storeNow: false };
  return { protocol, source, id, label, ...keys, isNew: true, state, ...nothing };
}

/** Replays the entries after the stored state. Judging is pure, so this restores the state exactly. */
export function loadCachedSession(found: SessionSnapshot, stored: StoredState, label: string, lifecycle: EventLifecycle): CachedSession {
  const { protocol, key, sourceKey, last } = found;
  const known = stored.state === null ? undefined : parseState(stored.state);
  // An unreadable state starts empty after the last entry.
  const tail = stored.state !== null && known === undefined ? [] : stored.tail;
  const skipped = new Set<number>();
  for (;;) {
    const state = (stored.state === null ? undefined : parseState(stored.state)) ?? lifecycle.open(protocol);
    const failed = replay(state, tail, skipped, found, lifecycle);
    if (failed === undefined) {
      const tailBytes = tail.reduce((sum, { text }) => sum + text.length, 0);
      const storedBytes = stored.state?.length ?? 0;
      const live = openCachedSession(found, { key, sourceKey }, label, state);
      return Object.assign(live, { isNew: false, last, highest: stored.highest, storedAt: stored.at, storedBytes, tailBytes });
    }
    skipped.add(failed);
  }
}

/**
 * Returns the position of an entry that cannot be judged and must be skipped, because it would corrupt the state. Judging it failed on
 * arrival too.
 */
function replay(
  state: OpaqueSessionState,
  tail: readonly TailEntry[],
  skipped: ReadonlySet<number>,
  { protocol, source: name }: SessionSnapshot,
  lifecycle: EventLifecycle,
): number | undefined {
  for (const { position, kind, verified, text, repeated, nameUsedAt } of tail) {
    const isErased = text === "";
    if (skipped.has(position) || isErased || (kind !== EVENT_KIND && kind !== MESSAGE_KIND)) continue;
    try {
      const reading = lifecycle.read(protocol, text);
      const source = { protocol, name, verified: verified === 1 };
      const place = { position, repeated: repeated === 1, nameUsedAt };
      lifecycle.handle(state, { source, reading, text }, place);
    } catch {
      return position;
    }
  }
  return undefined;
}

function parseState(text: string): OpaqueSessionState | undefined {
  try {
    const state: unknown = JSON.parse(text);
    return typeof state === "object" && state !== null ? state : undefined;
  } catch {
    return undefined;
  }
}
