import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Link } from "../chain.ts";
import { versionOf } from "../sqlite/migrations.ts";
import { entriesBy } from "../sqlite/registers.ts";

/** Before this version, entries were found by indexes of SQLite's own. */
const FIRST_VERSION = 3;

/** How a ledger's entries are found, in whatever version it is. */
export class Registers {
  readonly #bySession: StatementSync;
  readonly #bySequence: StatementSync;
  readonly #byIdentity: StatementSync;
  readonly #readFiled: StatementSync | undefined;
  /** Up to here all entries were filed when that was last looked at; undefined where that is told nowhere. */
  #filedUpTo: number | undefined;

  constructor(db: DatabaseSync) {
    const areThere = versionOf(db) >= FIRST_VERSION;
    const place = (what: string) => (areThere ? `entry_by_${what}` : `entry INDEXED BY entry_${what}`);
    this.#bySession = db.prepare(`SELECT 1 FROM ${place("session")} WHERE session = ? AND position = ?`);
    this.#bySequence = db.prepare(`SELECT 1 FROM ${place("sequence")} WHERE session = ? AND sequence = ? AND position = ?`);
    this.#byIdentity = db.prepare(`SELECT 1 FROM ${place("identity")} WHERE identity = ? AND position = ?`);
    this.#readFiled = areThere ? db.prepare("SELECT up_to AS upTo FROM filed") : undefined;
    this.#filedUpTo = areThere ? 0 : Number.POSITIVE_INFINITY;
  }

  /** Whether the entry is found: by its session, by its number, and when it comes again. What is not filed yet is found without. */
  find(session: number, { position, sequence, identity }: Link): boolean {
    if (!this.#isFiled(position)) return this.#filedUpTo !== undefined;
    return (
      this.#bySession.get(session, position) !== undefined &&
      (sequence === null || this.#bySequence.get(session, sequence, position) !== undefined) &&
      (identity === null || this.#byIdentity.get(identity, position) !== undefined)
    );
  }

  #isFiled(position: number): boolean {
    if (this.#filedUpTo !== undefined && position > this.#filedUpTo) {
      this.#filedUpTo = (this.#readFiled?.get() as { readonly upTo: number } | undefined)?.upTo;
    }
    return this.#filedUpTo !== undefined && position <= this.#filedUpTo;
  }
}

/** Selects the entries of one session after `?1`, up to `?2`. */
export function selectOfSession(db: DatabaseSync, columns: string, session: number): string {
  const where = `session = ${Number(session)} AND position > ?1 AND position <= ?2`;
  return versionOf(db) >= FIRST_VERSION ? entriesBy("entry_by_session", columns, where) : `SELECT ${columns} FROM entry WHERE ${where}`;
}
