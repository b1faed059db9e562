import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { ProtocolName } from "@earshot/protocol";
import { chainSeed } from "../chain.ts";
import type { Lifecycle, SessionInfo, SessionState, Source } from "../ledger.ts";
import { ENTRY_COLUMNS, type EntryRow, ERASED_TEXT, SESSION_COLUMNS, SESSION_JOIN, type SessionRow, toSessionInfo } from "./rows.ts";

/** A session that is at hand: what its next entry is judged against and linked to. */
export interface LiveSession {
  readonly info: SessionInfo;
  readonly sourceKey: number;
  state: SessionState;
  /** Hash of the last entry, or what the first one is linked to. */
  head: Buffer;
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

interface LastRow {
  readonly position: number;
  readonly hash: Uint8Array;
}

export interface LiveSessionsOptions {
  readonly lifecycle: Lifecycle;
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
  readonly #byName = new Map<string, LiveSession>();
  readonly #byKey = new Map<number, LiveSession>();
  readonly #sources = new Map<string, number>();
  #bytes = 0;
  readonly #options: LiveSessionsOptions;
  readonly #find: StatementSync;
  readonly #findByKey: StatementSync;
  readonly #create: StatementSync;
  readonly #findSource: StatementSync;
  readonly #createSource: StatementSync;
  readonly #lastEntry: StatementSync;
  readonly #lastTombstone: StatementSync;
  readonly #highest: StatementSync;
  readonly #stored: StatementSync;
  readonly #tail: StatementSync;
  readonly #store: StatementSync;

  constructor(db: DatabaseSync, options: LiveSessionsOptions) {
    this.#options = options;
    this.#find = db.prepare(`SELECT ${SESSION_COLUMNS} FROM ${SESSION_JOIN} WHERE session.source = ? AND session.id = ?`);
    this.#findByKey = db.prepare(`SELECT ${SESSION_COLUMNS} FROM ${SESSION_JOIN} WHERE session.key = ?`);
    this.#create = db.prepare("INSERT INTO session (source, id) VALUES (?, ?)");
    this.#findSource = db.prepare("SELECT key FROM source WHERE protocol = ? AND name = ?");
    this.#createSource = db.prepare("INSERT INTO source (protocol, name) VALUES (?, ?)");
    this.#lastEntry = db.prepare("SELECT position, hash FROM entry WHERE session = ? ORDER BY position DESC LIMIT 1");
    this.#lastTombstone = db.prepare("SELECT up_to AS position, head AS hash FROM tombstone WHERE session = ? ORDER BY up_to DESC LIMIT 1");
    this.#highest = db.prepare("SELECT max(sequence) AS highest FROM entry WHERE session = ? AND sequence IS NOT NULL");
    this.#stored = db.prepare("SELECT position, state FROM lifecycle WHERE session = ?");
    this.#tail = db.prepare(`SELECT ${ENTRY_COLUMNS} FROM entry WHERE session = ? AND position > ? ORDER BY position`);
    this.#store = db.prepare("INSERT OR REPLACE INTO lifecycle (session, position, state) VALUES (?, ?, ?)");
  }

  /** The session of a source, made when it is new. */
  of(source: Source, id: string): LiveSession {
    const sourceKey = this.sourceKey(source.protocol, source.name);
    const name = `${sourceKey} ${id}`;
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    let row = this.#find.get(sourceKey, id) as unknown as SessionRow | undefined;
    if (row === undefined) {
      const key = Number(this.#create.run(sourceKey, id).lastInsertRowid);
      row = { key, source: sourceKey, id, protocol: source.protocol, name: source.name };
    }
    return this.#takeUp(row, name);
  }

  ofKey(key: number): LiveSession | undefined {
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const row = this.#findByKey.get(key) as unknown as SessionRow | undefined;
    return row === undefined ? undefined : this.#takeUp(row, `${row.source} ${row.id}`);
  }

  sourceKey(protocol: ProtocolName, name: string): number {
    const label = `${protocol} ${name}`;
    const known = this.#sources.get(label);
    if (known !== undefined) return known;
    const found = this.#findSource.get(protocol, name) as { key: number } | undefined;
    const key = found?.key ?? Number(this.#createSource.run(protocol, name).lastInsertRowid);
    this.#sources.set(label, key);
    return key;
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
    const state = JSON.stringify(live.state);
    this.#store.run(live.info.key, live.last, state);
    live.storedAt = live.last;
    this.#bytes += state.length - live.storedBytes;
    live.storedBytes = state.length;
    live.tailBytes = 0;
    live.storeNow = false;
  }

  /** What is in memory may not be what is on disk. */
  forget(live: LiveSession): void {
    if (this.#byKey.delete(live.info.key)) this.#bytes -= live.storedBytes;
    this.#byName.delete(`${live.sourceKey} ${live.info.id}`);
  }

  /** After a transaction was undone, keys handed out in it mean nothing. */
  forgetAll(): void {
    this.#bytes = 0;
    this.#byKey.clear();
    this.#byName.clear();
    this.#sources.clear();
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

  #takeUp(row: SessionRow, name: string): LiveSession {
    const live = this.#load(toSessionInfo(row), row.source);
    this.#byName.set(name, live);
    this.#byKey.set(row.key, live);
    this.#bytes += live.storedBytes;
    return live;
  }

  #load(info: SessionInfo, sourceKey: number): LiveSession {
    const { key } = info;
    const last = this.#lastOf(key);
    const highest = this.#highest.get(key) as { highest: number | null } | undefined;
    const stored = this.#storedState(key, last?.position ?? 0);
    const head = last === undefined ? chainSeed(info.protocol, info.source, info.id) : Buffer.from(last.hash);
    const lastPosition = last?.position ?? 0;
    const base = { info, sourceKey, head, last: lastPosition, highest: highest?.highest ?? -1, storeNow: false };
    // What was cut is not heard again, whether or not it is gone already.
    const storedAt = Math.max(stored?.position ?? 0, this.#cutUpTo(key));
    const storedBytes = stored?.state.length ?? 0;
    const skipped = new Set<number>();
    for (;;) {
      const state = readState(stored?.state) ?? this.#options.lifecycle.open(info.protocol);
      const live: LiveSession = { ...base, state, storedAt, storedBytes, tailBytes: 0 };
      const failed = storedAt >= lastPosition ? undefined : this.#hearTail(live, skipped);
      if (failed === undefined) return live;
      skipped.add(failed);
    }
  }

  /** A state that cannot be read is no reason not to hear the session: it begins anew after its last entry. */
  #storedState(key: number, last: number): { readonly position: number; readonly state: string } | undefined {
    const stored = this.#stored.get(key) as { position: number; state: string } | undefined;
    return stored === undefined || readState(stored.state) !== undefined ? stored : { position: last, state: "" };
  }

  /** The last entry, or the last one that was cut: what is left of a cut that is under way does not count. */
  #lastOf(key: number): LastRow | undefined {
    const entry = this.#lastEntry.get(key) as unknown as LastRow | undefined;
    const cut = this.#lastTombstone.get(key) as unknown as LastRow | undefined;
    return cut !== undefined && cut.position >= (entry?.position ?? 0) ? cut : entry;
  }

  #cutUpTo(key: number): number {
    const cut = this.#lastTombstone.get(key) as unknown as LastRow | undefined;
    return cut?.position ?? 0;
  }

  /** Gives the position of an entry that cannot be heard: the state is spoilt, and that entry is to be left out. */
  #hearTail(live: LiveSession, skipped: ReadonlySet<number>): number | undefined {
    for (const row of this.#tail.all(live.info.key, live.storedAt) as unknown as readonly EntryRow[]) {
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

/** However small the state is: hearing so much again takes a fraction of a millisecond, storing it each time a tenth of all the work. */
const LEAST_BYTES = 4096;

function readState(text = ""): SessionState | undefined {
  try {
    const state: unknown = JSON.parse(text);
    return typeof state === "object" && state !== null ? state : undefined;
  } catch {
    return undefined;
  }
}
