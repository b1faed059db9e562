import { numberColumn, type Statements, textColumn } from "../ledger/sqlite/statements.ts";
import type { CallFold } from "./call-fold.ts";
import type { OutputFold } from "./output-fold.ts";

/** Calls and outputs are assembled from several entries. */
export interface Folds {
  readonly call: CallFold;
  readonly output: OutputFold;
}
export type FoldKind = keyof Folds;

/** A call or output and its name within the session. */
export interface NamedFold<Kind extends FoldKind> {
  readonly kind: Kind;
  readonly session: number;
  readonly name: string;
  readonly position: number;
  readonly fold: Folds[Kind];
}

/** An entry without an id and the call or output it belongs to. `number` is the activity's index in the entry. */
export interface CallPart {
  readonly session: number;
  readonly position: number;
  readonly number: number;
  readonly name: string;
}

/** Table of calls and outputs, each assembled from several entries. */
export class CallTable {
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  load<Kind extends FoldKind>(kind: Kind, session: number, name: string): Folds[Kind] | undefined {
    const row = this.#sql.get("SELECT fold FROM assembled WHERE session = ? AND kind = ? AND name = ?", session, kind, name);
    return row === undefined ? undefined : (JSON.parse(textColumn(row, "fold")) as Folds[Kind]);
  }

  save({ kind, session, name, position, fold }: NamedFold<FoldKind>): void {
    this.#sql.run(
      `INSERT INTO assembled (session, kind, name, position, fold) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (session, kind, name) DO UPDATE SET position = excluded.position, fold = excluded.fold`,
      session,
      kind,
      name,
      position,
      JSON.stringify(fold),
    );
  }

  savePart({ session, position, number, name }: CallPart): void {
    this.#sql.run("INSERT OR REPLACE INTO part (session, position, number, name) VALUES (?, ?, ?, ?)", session, position, number, name);
  }

  partName(session: number, position: number, number: number): string | undefined {
    const row = this.#sql.get("SELECT name FROM part WHERE session = ? AND position = ? AND number = ?", session, position, number);
    return row === undefined ? undefined : textColumn(row, "name");
  }

  calls(session: number, after: { readonly position: number; readonly name: string }, limit: number): readonly NamedFold<"call">[] {
    const sql = `SELECT name, position, fold FROM assembled WHERE session = ? AND kind = 'call' AND (position, name) > (?, ?)
      ORDER BY position, name LIMIT ?`;
    return this.#sql.all(sql, session, after.position, after.name, limit).map((row) => ({
      kind: "call",
      session,
      name: textColumn(row, "name"),
      position: numberColumn(row, "position"),
      fold: JSON.parse(textColumn(row, "fold")) as CallFold,
    }));
  }

  /** The last calls of a session, newest first. */
  lastCalls(session: number, limit: number): readonly CallFold[] {
    return this.#sql
      .all("SELECT fold FROM assembled WHERE session = ? AND kind = 'call' ORDER BY position DESC LIMIT ?", session, limit)
      .map((row) => JSON.parse(textColumn(row, "fold")) as CallFold);
  }

  /** Removes some rows of a session. Returns whether more may remain. */
  removeSome(session: number, limit: number): boolean {
    const removed = [
      this.#sql.run("DELETE FROM assembled WHERE rowid IN (SELECT rowid FROM assembled WHERE session = ? LIMIT ?)", session, limit),
      this.#sql.run(
        `DELETE FROM part WHERE session = ?1 AND position <=
           ifnull((SELECT position FROM part WHERE session = ?1 ORDER BY position LIMIT 1 OFFSET ?2), 9223372036854775807)`,
        session,
        limit,
      ),
    ];
    return removed.some((count) => count >= limit);
  }
}
