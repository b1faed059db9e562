import type { DatabaseSync, StatementSync } from "node:sqlite";
import { chainSeed } from "../chain.ts";
import { entriesBy } from "./registers.ts";
import { SESSION_COLUMNS, SESSION_JOIN, type SessionRow } from "./rows.ts";

interface LastRow {
  readonly position: number;
  readonly hash: Uint8Array;
}

/** The heads of so many sessions are kept at hand; the others are read when the session goes on. */
const AT_HAND = 10_000;

/** What the next entry of each session is linked to, in hexadecimal. */
export class ChainHeads {
  readonly #session: StatementSync;
  readonly #lastEntry: StatementSync;
  readonly #lastTombstone: StatementSync;
  readonly #heads = new Map<number, string>();

  constructor(db: DatabaseSync) {
    this.#session = db.prepare(`SELECT ${SESSION_COLUMNS} FROM ${SESSION_JOIN} WHERE session.key = ?`);
    this.#lastEntry = db.prepare(`${entriesBy("entry_by_session", "position, hash", "session = ?1")} ORDER BY position DESC LIMIT 1`);
    this.#lastTombstone = db.prepare("SELECT up_to AS position, head AS hash FROM tombstone WHERE session = ? ORDER BY up_to DESC LIMIT 1");
  }

  of(session: number): string {
    return this.#heads.get(session) ?? this.#read(session);
  }

  /** A session that is new has no entry to be looked for. */
  begin(session: number): void {
    this.set(session, this.#seedOf(session));
  }

  set(session: number, head: string): void {
    if (this.#heads.size >= AT_HAND) this.#heads.clear();
    this.#heads.set(session, head);
  }

  /** What is at hand may not be what is stored. */
  forget(session?: number): void {
    if (session === undefined) this.#heads.clear();
    else this.#heads.delete(session);
  }

  /** The last entry, or the last one that was cut: what is left of a cut that is under way does not count. */
  #read(session: number): string {
    const entry = this.#lastEntry.get(session) as unknown as LastRow | undefined;
    const cut = this.#lastTombstone.get(session) as unknown as LastRow | undefined;
    const last = cut !== undefined && cut.position >= (entry?.position ?? 0) ? cut : entry;
    return last === undefined ? this.#seedOf(session) : Buffer.from(last.hash).toString("hex");
  }

  #seedOf(session: number): string {
    const row = this.#session.get(session) as unknown as SessionRow | undefined;
    if (row === undefined) throw new Error(`There is no session ${session} to add an entry to.`);
    return chainSeed(row.protocol, row.name, row.id).toString("hex");
  }
}
