import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Link } from "../chain.ts";
import { versionOf } from "../sqlite/migrations.ts";
import { FILED_UP_TO, FIRST_WITH_REGISTERS } from "../sqlite/registers.ts";
import { HIGHEST_EVER } from "../sqlite/rows.ts";
import type { LedgerBreak } from "./ledger-break.ts";

/** Whether a ledger's entries are found, in whatever version it is. */
export class Registers {
  readonly #bySession: StatementSync;
  readonly #bySequence: StatementSync;
  readonly #byIdentity: StatementSync;
  readonly #readFiled: StatementSync;
  /** Up to here all entries were filed when that was last looked at. */
  #filedUpTo = 0;

  constructor(db: DatabaseSync) {
    const areThere = versionOf(db) >= FIRST_WITH_REGISTERS;
    // The file's own: a connection that was opened before the ledger was migrated has views of the same names.
    const place = (what: string) => (areThere ? `main.entry_by_${what}` : `entry INDEXED BY entry_${what}`);
    this.#bySession = db.prepare(`SELECT 1 FROM ${place("session")} WHERE session = ? AND position = ?`);
    this.#bySequence = db.prepare(`SELECT 1 FROM ${place("sequence")} WHERE session = ? AND sequence = ? AND position = ?`);
    this.#byIdentity = db.prepare(`SELECT 1 FROM ${place("identity")} WHERE identity = ? AND position = ?`);
    this.#readFiled = db.prepare(`SELECT ${areThere ? FILED_UP_TO.replace("filed", "main.filed") : Number.MAX_SAFE_INTEGER} AS upTo`);
  }

  /** By its session, by its number, and when it comes again. What is not filed yet is found without. */
  find(session: number, { position, sequence, identity }: Link): boolean {
    if (position > this.#filedUpTo) this.#filedUpTo = (this.#readFiled.get() as { readonly upTo: number }).upTo;
    if (position > this.#filedUpTo) return true;
    return (
      this.#bySession.get(session, position) !== undefined &&
      (sequence === null || this.#bySequence.get(session, sequence, position) !== undefined) &&
      (identity === null || this.#byIdentity.get(identity, position) !== undefined)
    );
  }
}

/** What the registers say of themselves must be possible: nothing is filed that was never there. */
export function checkFiled(db: DatabaseSync): LedgerBreak | undefined {
  if (versionOf(db) < FIRST_WITH_REGISTERS) return undefined;
  const rows = db.prepare(`SELECT up_to AS upTo, ${HIGHEST_EVER} AS highest FROM main.filed`).all() as unknown as readonly Filed[];
  const [only, second] = rows;
  if (only !== undefined && second === undefined && only.upTo <= only.highest) return undefined;
  return { what: "index", message: "How far the entries are filed is not told, or cannot be true." };
}

interface Filed {
  readonly upTo: number;
  readonly highest: number;
}
