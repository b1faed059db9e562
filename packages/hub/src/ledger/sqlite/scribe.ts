import type { DatabaseSync, StatementSync } from "node:sqlite";
import { HASH_BYTES, type Link, linkHex } from "../chain.ts";
import { ChainHeads } from "./chain-heads.ts";
import { type Draft, ENTRY_VALUES, type EntryValue, type SettledDecision, type Written } from "./draft.ts";
import { toLedgerFailure } from "./failures.ts";
import { Filing } from "./registers.ts";
import { type AskedRequest, RequestSettler } from "./request-table.ts";
import { SideLogWriter } from "./side-log.ts";
import { reasonOf, SQLITE, sqliteCode } from "./sqlite-error.ts";

const WIDTH = ENTRY_VALUES.length;

/** What is linked and sealed once its transaction is committed. */
interface Fresh {
  readonly session: number;
  readonly position: number;
  readonly hash: string;
}

/** Told of every entry once it is committed, in order: for the next seal. */
export type NoteEntry = (session: number, position: number, hash: string) => void;

/**
 * Carries drafts out: one transaction and one sync each, in order. It decides nothing but what only the file can tell:
 * whether a request is still open. It links the entries.
 */
export class Scribe {
  readonly #db: DatabaseSync;
  readonly #noteEntry: NoteEntry;
  readonly #heads: ChainHeads;
  readonly #requests: RequestSettler;
  readonly #side: SideLogWriter;
  readonly #filing: Filing;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #source: StatementSync;
  readonly #session: StatementSync;
  readonly #entry: StatementSync;
  readonly #name: StatementSync;
  readonly #state: StatementSync;
  /** The hash of the entry that is being inserted: SQLite copies it, so that one buffer does for all of them. */
  readonly #hash = Buffer.alloc(HASH_BYTES);
  #fresh: Fresh[] = [];
  /** Nothing of this epoch is written any more. */
  #failedEpoch = -1;

  constructor(db: DatabaseSync, noteEntry: NoteEntry) {
    this.#db = db;
    this.#noteEntry = noteEntry;
    this.#heads = new ChainHeads(db);
    this.#requests = new RequestSettler(db);
    this.#side = new SideLogWriter(db);
    this.#filing = new Filing(db);
    this.#begin = db.prepare("BEGIN IMMEDIATE");
    this.#commit = db.prepare("COMMIT");
    this.#source = db.prepare("INSERT INTO source (key, protocol, name) VALUES (?, ?, ?)");
    this.#session = db.prepare("INSERT INTO session (key, source, id) VALUES (?, ?, ?)");
    this.#entry = db.prepare(`INSERT INTO entry (${ENTRY_VALUES.join(", ")}, hash) VALUES (${"?, ".repeat(WIDTH)}?)`);
    this.#name = db.prepare("INSERT OR IGNORE INTO answerable (source, name, agent, session, position) VALUES (?, ?, ?, ?, ?)");
    this.#state = db.prepare("INSERT OR REPLACE INTO lifecycle (session, position, state) VALUES (?, ?, ?)");
  }

  write(draft: Draft): Written {
    return this.#write(draft, () => this.#begin.run());
  }

  /** Undefined, and nothing was done, where somebody else is writing. */
  writeUnlessBusy(draft: Draft): Written | undefined {
    try {
      this.#begin.run();
    } catch (error) {
      if (sqliteCode(error) === SQLITE.BUSY) return undefined;
      return this.#write(draft, () => {
        throw error;
      });
    }
    return this.#write(draft, () => {});
  }

  #write(draft: Draft, begin: () => void): Written {
    const { number, epoch } = draft;
    const began = performance.now();
    let settled: readonly SettledDecision[];
    try {
      if (epoch <= this.#failedEpoch) throw new Error("An earlier draft could not be written.");
      begin();
      settled = this.#carryOut(draft);
      this.#commit.run();
    } catch (error) {
      this.#undo();
      this.#failedEpoch = epoch;
      return { number, ok: false, problem: toLedgerFailure(error).problem, cause: reasonOf(error) };
    }
    for (const { session, position, hash } of this.#fresh) this.#noteEntry(session, position, hash);
    this.#fresh = [];
    return { number, ok: true, tookMs: performance.now() - began, settled };
  }

  /** The session was changed by somebody else; or any of them. */
  forget(session?: number): void {
    this.#heads.forget(session);
  }

  #carryOut(draft: Draft): readonly SettledDecision[] {
    const { entries, decisions, requests } = draft;
    for (const source of draft.sources) this.#source.run(...source);
    for (const session of draft.sessions) {
      this.#session.run(...session);
      this.#heads.begin(session[0]);
    }
    const settled: SettledDecision[] = [];
    let entry = 0;
    let next = 0;
    for (const { position, decision, at } of decisions) {
      for (; entry < entries.length && Number(entries[entry]) < position; entry += WIDTH) this.#addFrom(entries, entry);
      let asked: AskedRequest | undefined;
      for (let request = requests[next]; request !== undefined && request.position < position; request = requests[++next]) {
        if (request.id === decision.requestId && asked === undefined) asked = request;
        else this.#requests.open(request);
      }
      const one = this.#requests.settle(decision, position, at, asked);
      if (one.entry !== undefined) this.#addDecision(position, one.entry);
      settled.push(one);
    }
    for (; entry < entries.length; entry += WIDTH) this.#addFrom(entries, entry);
    for (const request of requests.slice(next)) this.#requests.open(request);
    for (const name of draft.names) this.#name.run(...name);
    for (const state of draft.states) this.#state.run(...state);
    this.#side.write(draft);
    // A step with each draft: all at once, everybody who waits for this one would wait for the whole of it.
    if (draft.files) this.#filing.begin();
    this.#filing.step();
    return settled;
  }

  #addFrom(entries: readonly EntryValue[], index: number): void {
    // One after the other: this is the hot path, and a slice of the array for each would be garbage.
    const position = entries[index] as number;
    const session = entries[index + 1] as number;
    const receivedAt = entries[index + 2] as number;
    const kind = entries[index + 3] as number;
    const verified = entries[index + 4] as number;
    const type = entries[index + 5] as string;
    const agent = entries[index + 6] as string;
    const sequence = entries[index + 7] as number | null;
    const identity = entries[index + 8] as string | null;
    const said = entries[index + 9] as Uint8Array | null;
    const notes = entries[index + 10] as string | null;
    const text = entries[index + 11] as string;
    this.#add(session, { position, receivedAt, kind, verified, type, agent, sequence, identity, said, notes, text });
  }

  #addDecision(position: number, { session, ...entry }: NonNullable<SettledDecision["entry"]>): void {
    this.#add(session, { ...entry, position, verified: 1, sequence: null, identity: null, said: null, notes: null });
  }

  #add(session: number, link: Link): void {
    const { position, receivedAt, kind, verified, type, agent, sequence, identity, said, notes, text } = link;
    const hash = linkHex(this.#heads.of(session), link);
    this.#hash.write(hash, "hex");
    this.#entry.run(position, session, receivedAt, kind, verified, type, agent, sequence, identity, said, notes, text, this.#hash);
    this.#heads.set(session, hash);
    this.#fresh.push({ session, position, hash });
  }

  #undo(): void {
    try {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
    } catch {
      // SQLite has undone it by itself.
    }
    this.#heads.forget();
    this.#filing.forget();
    this.#fresh = [];
  }
}
