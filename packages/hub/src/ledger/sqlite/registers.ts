import type { DatabaseSync, StatementSync } from "node:sqlite";
import { inTransaction } from "./in-transaction.ts";

/**
 * Where entries are found by something else than their position. An index of SQLite's own would be changed with each entry, in
 * another place for each session, and every page that a transaction changes is written whole: of what a small transaction
 * writes, that was nearly all. So these are tables, and entries are filed in them many at a time, in order; see ADR 0029. What
 * is not filed yet is the newest, after `filed.up_to`, and never much: it is looked through.
 */
const REGISTERS = {
  entry_by_session: "session, position",
  entry_by_sequence: "session, sequence, position",
  entry_by_identity: "identity, position",
} as const;

export type Register = keyof typeof REGISTERS;

/** In SQL. Should the row be missing, nothing counts as filed: that takes longer, and hides nothing. */
export const FILED_UP_TO = "ifnull((SELECT up_to FROM filed), 0)";

/** In SQL, after FROM: the entries that are not filed yet. More conditions may follow. By position, also where there are indexes of old. */
export const UNFILED = `entry NOT INDEXED WHERE position > ${FILED_UP_TO}`;

/**
 * Selects entries that are found in a register, together with those that are not filed yet; an order and a limit may follow. `where`
 * is told of both.
 */
export function entriesBy(register: Register, columns: string, where: string): string {
  return both(`${register} CROSS JOIN entry USING (${REGISTERS[register]})`, columns, where);
}

/** Selects nothing but columns of the register, for which no entry has to be read. */
export function positionsBy(register: Register, columns: string, where: string): string {
  return both(register, columns, where);
}

function both(register: string, columns: string, where: string): string {
  const filed = `${register} WHERE ${where} AND position <= ${FILED_UP_TO}`;
  // The sign keeps SQLite from looking through all entries after another position that is asked for.
  const others = `${UNFILED} AND ${where.replaceAll(/\bposition\b/g, "+position")}`;
  return `SELECT ${columns} FROM ${filed} UNION ALL SELECT ${columns} FROM ${others}`;
}

/** Before this version of the format, entries were found by indexes of SQLite's own. */
export const FIRST_WITH_REGISTERS = 3;

/** Lets a connection read such a ledger as if it had registers, in which all is filed. */
export const REGISTERS_OF_OLD = `
CREATE TEMP VIEW entry_by_session AS SELECT session, position FROM entry;
CREATE TEMP VIEW entry_by_sequence AS SELECT session, sequence, position FROM entry WHERE sequence IS NOT NULL;
CREATE TEMP VIEW entry_by_identity AS SELECT identity, position FROM entry WHERE identity IS NOT NULL;
CREATE TEMP VIEW filed AS SELECT ${Number.MAX_SAFE_INTEGER} AS up_to;
`;

/**
 * Files whatever is not filed yet, at once or a step at a time. What one register has and another has not is not counted as filed
 * until the last step, so that nobody sees it twice, and whoever stops half-way may begin again. To be called in transactions.
 */
export class Filing {
  readonly #highest: StatementSync;
  readonly #steps: readonly StatementSync[];
  /** Up to which position it goes this time, and the next step; none is left where there are no more. */
  #upTo = 0;
  #next: number;
  /** Whether it is known what was begun before: another one may have left something half-way. */
  #isKnown = false;

  constructor(db: DatabaseSync) {
    const fill = Object.entries(REGISTERS).map(([register, columns]) => {
      const [first = ""] = columns.split(", ").slice(-2); // where it is NULL, there is nothing to be found by
      const found = `SELECT ${columns} FROM ${UNFILED} AND position <= ? AND ${first} IS NOT NULL ORDER BY ${columns}`;
      return `INSERT OR IGNORE INTO ${register} (${columns}) ${found}`;
    });
    const move = `INSERT OR REPLACE INTO filed VALUES (1, max(${FILED_UP_TO}, ?))`;
    this.#highest = db.prepare("SELECT ifnull(max(position), 0) AS position FROM entry");
    this.#steps = [...fill, move].map((step) => db.prepare(step));
    this.#next = this.#steps.length;
  }

  /** From now on all entries are filed that there are now. What was begun before is done when this returns, whoever began it. */
  begin(): void {
    this.finish();
    this.#upTo = Number(this.#highest.get()?.["position"]);
    this.#next = 0;
    if (!this.#isKnown) this.finish();
    this.#isKnown = true;
  }

  /** One of a few steps, where there is one left. */
  step(): void {
    this.#steps[this.#next]?.run(this.#upTo);
    if (this.#next < this.#steps.length) this.#next++;
  }

  finish(): void {
    while (this.#next < this.#steps.length) this.step();
  }

  /** What was begun may not be in the file. */
  forget(): void {
    this.#next = this.#steps.length;
    this.#isKnown = false;
  }
}

/** Files whatever is not filed yet, in a transaction of its own, where there is something. */
export function fileAll(db: DatabaseSync): void {
  const unfiled = db.prepare(`SELECT 1 FROM ${UNFILED} LIMIT 1`).get();
  if (unfiled !== undefined) {
    const filing = new Filing(db);
    inTransaction(db, () => {
      filing.begin();
      filing.finish();
    });
  }
}
