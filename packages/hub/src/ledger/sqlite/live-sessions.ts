import type { Lifecycle, SessionInfo, SessionState, Source } from "../ledger.ts";
import type { Draft } from "./draft.ts";
import { type EntryRow, ERASED_TEXT, type SessionRow, toSessionInfo } from "./rows.ts";
import type { Stored, StoredState } from "./stored.ts";

/** A session that is at hand: what its next entry is judged against. */
export interface LiveSession {
  readonly info: SessionInfo;
  readonly sourceKey: number;
  state: SessionState;
  /** Position of the last entry; 0 for none. */
  last: number;
  /** The highest sequence stored; -1 for none. */
  highest: number;
  /** The stored state stands after this position. */
  storedAt: number;
  storedBytes: number;
  /** Bytes of the entries after it. */
  tailBytes: number;
  /** Less was stored than was heard, so that hearing it again would judge differently: the state must be stored at once. */
  storeNow: boolean;
}

export interface LiveSessionsOptions {
  readonly lifecycle: Lifecycle;
  readonly stored: Stored;
  /** What is being drawn up: new sessions and states are put there. */
  readonly draft: () => Draft;
  /** Hears a stored entry again: the same call as when it was stored. */
  readonly hearAgain: (live: LiveSession, row: EntryRow) => void;
  /** How many sessions are kept at hand, and how much their states may take, as far as it is known. */
  readonly capacity: number;
  readonly capacityBytes: number;
}

/**
 * The sessions heard from lately, each with its state; the others are on disk. A state is stored when more was heard since
 * than it would take to store it, so that a session of a hundred thousand events is not written anew with each of them.
 * What was heard since is heard again when the session is taken up: judging is pure, so that gives the very same state.
 */
export class LiveSessions {
  /** By source, then by id: one text made of both would have to be made for every event. */
  readonly #byName = new Map<number, Map<string, LiveSession>>();
  readonly #byKey = new Map<number, LiveSession>();
  #bytes = 0;
  readonly #options: LiveSessionsOptions;

  constructor(options: LiveSessionsOptions) {
    this.#options = options;
  }

  /** The session of a source, made when it is new. */
  of(source: Source, id: string): LiveSession {
    const { stored, draft } = this.#options;
    const sourceKey = this.sourceKey(source);
    const known = this.#byName.get(sourceKey)?.get(id);
    if (known !== undefined) return known;
    const row = stored.session(sourceKey, id);
    if (row !== undefined) return this.#takeUp(row);
    const created = stored.createSession({ source: sourceKey, id, protocol: source.protocol, name: source.name }, draft());
    return this.#keep(this.#open(toSessionInfo(created), sourceKey));
  }

  ofKey(key: number): LiveSession | undefined {
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const row = this.#options.stored.sessionOfKey(key);
    return row === undefined ? undefined : this.#takeUp(row);
  }

  sourceKey({ protocol, name }: Source): number {
    return this.#options.stored.sourceKey(protocol, name, this.#options.draft());
  }

  /** Takes the session up anew from what is stored: its state was spoilt. */
  renew(live: LiveSession): void {
    const before = live.storedBytes;
    Object.assign(live, this.#load(live.info, live.sourceKey));
    this.#bytes += live.storedBytes - before;
  }

  /** Stores the state where it is time for it; `always` whatever it costs. */
  store(live: LiveSession, always = false): void {
    if (live.storedAt === live.last) return;
    if (!always && !live.storeNow && live.tailBytes < Math.max(live.storedBytes, LEAST_BYTES)) return;
    const { stored, draft } = this.#options;
    const state = JSON.stringify(live.state);
    draft().states.push([live.info.key, live.last, state]);
    stored.addState(live.info.key, { position: live.last, state, draft: draft().number });
    live.storedAt = live.last;
    this.#bytes += state.length - live.storedBytes;
    live.storedBytes = state.length;
    live.tailBytes = 0;
    live.storeNow = false;
  }

  /** What is in memory may not be what is on disk. */
  forget(live: LiveSession): void {
    if (this.#byKey.delete(live.info.key)) this.#bytes -= live.storedBytes;
    const others = this.#byName.get(live.sourceKey);
    others?.delete(live.info.id);
    if (others?.size === 0) this.#byName.delete(live.sourceKey);
  }

  /** After a draft could not be written, keys handed out in it mean nothing. */
  forgetAll(): void {
    this.#bytes = 0;
    this.#byKey.clear();
    this.#byName.clear();
  }

  /** Lets go of the sessions silent for longest. Not within a batch, which may hold on to any of them. */
  trim(): void {
    const { capacity, capacityBytes } = this.#options;
    for (const live of this.#byKey.values()) {
      if (this.#byKey.size <= capacity && this.#bytes <= capacityBytes) return;
      this.forget(live);
    }
  }

  /** Heard from just now. */
  touch(live: LiveSession): void {
    const { capacity, capacityBytes } = this.#options;
    if (this.#byKey.size <= capacity >> 1 && this.#bytes <= capacityBytes >> 1) return; // far from full: the order does not matter
    this.#byKey.delete(live.info.key);
    this.#byKey.set(live.info.key, live);
  }

  #takeUp(row: SessionRow): LiveSession {
    return this.#keep(this.#load(toSessionInfo(row), row.source));
  }

  #keep(live: LiveSession): LiveSession {
    const { sourceKey, info } = live;
    const others = this.#byName.get(sourceKey);
    if (others === undefined) this.#byName.set(sourceKey, new Map([[info.id, live]]));
    else others.set(info.id, live);
    this.#byKey.set(live.info.key, live);
    this.#bytes += live.storedBytes;
    return live;
  }

  /** A session that has said nothing yet: there is nothing to look up. */
  #open(info: SessionInfo, sourceKey: number): LiveSession {
    const state = this.#options.lifecycle.open(info.protocol);
    return { info, sourceKey, state, last: 0, highest: -1, storedAt: 0, storedBytes: 0, tailBytes: 0, storeNow: false };
  }

  #load(info: SessionInfo, sourceKey: number): LiveSession {
    const { stored, lifecycle } = this.#options;
    const { key } = info;
    const last = stored.lastOf(key);
    const snapshot = this.#snapshotOf(key, last);
    const base = { info, sourceKey, last, highest: stored.highestOf(key), storeNow: false };
    // What was cut is not heard again, whether or not it is gone already.
    const storedAt = Math.max(snapshot?.position ?? 0, stored.cutUpTo(key));
    const storedBytes = snapshot?.state.length ?? 0;
    const skipped = new Set<number>();
    for (;;) {
      const state = readState(snapshot?.state) ?? lifecycle.open(info.protocol);
      const live: LiveSession = { ...base, state, storedAt, storedBytes, tailBytes: 0 };
      const failed = storedAt >= last ? undefined : this.#hearTail(live, skipped);
      if (failed === undefined) return live;
      skipped.add(failed);
    }
  }

  /** A state that cannot be read is no reason not to hear the session: it begins anew after its last entry. */
  #snapshotOf(key: number, last: number): StoredState | undefined {
    const snapshot = this.#options.stored.stateOf(key);
    return snapshot === undefined || readState(snapshot.state) !== undefined ? snapshot : { position: last, state: "" };
  }

  /** Gives the position of an entry that cannot be heard: the state is spoilt, and that entry is to be left out. */
  #hearTail(live: LiveSession, skipped: ReadonlySet<number>): number | undefined {
    for (const row of this.#options.stored.tailOf(live.info.key, live.storedAt)) {
      live.tailBytes += row.text.length;
      if (skipped.has(row.position) || row.text === ERASED_TEXT) continue;
      try {
        this.#options.hearAgain(live, row);
      } catch {
        // It could not be judged when it came either, and was stored with a flag that says so.
        return row.position;
      }
    }
    return undefined;
  }
}

/** However small the state is: hearing so much again takes less than a millisecond, storing it each time a tenth of all the work. */
const LEAST_BYTES = 16 * 1024;

function readState(text = ""): SessionState | undefined {
  try {
    const state: unknown = JSON.parse(text);
    return typeof state === "object" && state !== null ? state : undefined;
  } catch {
    return undefined;
  }
}
