import { EVENT, MESSAGE, type SessionName, type SessionSnapshot, type StoredState, type TailEntry } from "./plan.ts";
import type { Lifecycle, SessionState } from "./submission.ts";

/** A session in memory, with the state that its next event is judged against. */
export interface LiveSession extends SessionName {
  readonly label: string;
  readonly key: number;
  readonly sourceKey: number;
  isNew: boolean;
  /** Position of the last entry; 0 for none. */
  last: number;
  state: SessionState;
  /** The highest sequence stored; -1 for none. */
  highest: number;
  /** The stored state stands after this position. */
  storedAt: number;
  storedBytes: number;
  /** Characters of the entries after it. */
  tailBytes: number;
  /** Replaying would judge differently, or what is to be replayed is about to be removed. */
  storeNow: boolean;
}

const MAX_LIVE_SESSIONS = 4096;
const MAX_LIVE_BYTES = 32 * 1024 * 1024;

/** The sessions heard from last. A state of them that is no longer current is found out by its position, and loaded again. */
export class SessionCache {
  readonly #sessions = new Map<string, LiveSession>();
  readonly #maxSessions: number;
  #bytes = 0;
  #removals = 0;

  constructor(maxSessions = MAX_LIVE_SESSIONS) {
    this.#maxSessions = maxSessions;
  }

  get(label: string): LiveSession | undefined {
    return this.#sessions.get(label);
  }

  add(session: LiveSession): void {
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

  /** Whether the states may still hold what was removed, as another process may do. They are forgotten then. */
  forgetRemoved(removals: number): boolean {
    const isStale = removals !== this.#removals && this.#sessions.size > 0;
    if (isStale) this.clear();
    this.#removals = removals;
    return isStale;
  }

  /** A removal that this process has made: the other states stay. */
  noteRemoval(number: number, label: string): void {
    this.delete(label);
    if (this.#removals === number - 1) this.#removals = number;
  }

  /** To be called between two batches. */
  trim(): void {
    for (const oldest of this.#sessions.keys()) {
      if (this.#sessions.size <= this.#maxSessions && this.#bytes <= MAX_LIVE_BYTES) break;
      this.delete(oldest);
    }
  }
}

export function openSession(name: SessionName, keys: { key: number; sourceKey: number }, label: string, state: SessionState): LiveSession {
  const { protocol, source, id } = name;
  const nothing = { last: 0, highest: -1, storedAt: 0, storedBytes: 0, tailBytes: 0, storeNow: false };
  return { protocol, source, id, label, ...keys, isNew: true, state, ...nothing };
}

/** Replays the entries after the stored state. Judging is pure, so that gives the state as it was. */
export function loadSession(found: SessionSnapshot, stored: StoredState, label: string, lifecycle: Lifecycle): LiveSession {
  const { protocol, key, sourceKey, last } = found;
  const known = stored.state === null ? undefined : parseState(stored.state);
  // A state that cannot be read begins anew after the last entry.
  const tail = stored.state !== null && known === undefined ? [] : stored.tail;
  const skipped = new Set<number>();
  for (;;) {
    const state = (stored.state === null ? undefined : parseState(stored.state)) ?? lifecycle.open(protocol);
    const failed = replay(state, tail, skipped, found, lifecycle);
    if (failed === undefined) {
      const tailBytes = tail.reduce((sum, { text }) => sum + text.length, 0);
      const storedBytes = stored.state?.length ?? 0;
      const live = openSession(found, { key, sourceKey }, label, state);
      return Object.assign(live, { isNew: false, last, highest: stored.highest, storedAt: stored.at, storedBytes, tailBytes });
    }
    skipped.add(failed);
  }
}

/** Gives the position of an entry that cannot be judged: it spoils the state, and must be left out. It could not be judged when it came. */
function replay(
  state: SessionState,
  tail: readonly TailEntry[],
  skipped: ReadonlySet<number>,
  { protocol, source: name }: SessionSnapshot,
  lifecycle: Lifecycle,
): number | undefined {
  for (const { position, kind, verified, text, repeated, nameUsedAt } of tail) {
    const isErased = text === "";
    if (skipped.has(position) || isErased || (kind !== EVENT && kind !== MESSAGE)) continue;
    try {
      const reading = lifecycle.read(protocol, text);
      const source = { protocol, name, verified: verified === 1 };
      const place = { position, repeated: repeated === 1, nameUsedAt };
      lifecycle.hear(state, { source, reading, text }, place);
    } catch {
      return position;
    }
  }
  return undefined;
}

function parseState(text: string): SessionState | undefined {
  try {
    const state: unknown = JSON.parse(text);
    return typeof state === "object" && state !== null ? state : undefined;
  } catch {
    return undefined;
  }
}
