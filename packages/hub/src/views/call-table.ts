import { numberIn, type Statements, textIn } from "../ledger/sqlite/statements.ts";
import type { CallFold } from "./call-fold.ts";
import type { OutputFold } from "./output-fold.ts";

/** A call or output and its name within the session. */
export interface Named<Fold> {
  readonly session: number;
  readonly name: string;
  readonly position: number;
  readonly fold: Fold;
}

/** An entry without an id and the call or output it belongs to. `number` is the activity's index in the entry. */
export interface Part {
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

  call(session: number, name: string): CallFold | undefined {
    const row = this.#sql.get("SELECT fold FROM call WHERE session = ? AND name = ?", session, name);
    return row === undefined ? undefined : (JSON.parse(textIn(row, "fold")) as CallFold);
  }

  output(session: number, name: string): OutputFold | undefined {
    const row = this.#sql.get("SELECT fold FROM output WHERE session = ? AND name = ?", session, name);
    return row === undefined ? undefined : (JSON.parse(textIn(row, "fold")) as OutputFold);
  }

  saveCall({ session, name, position, fold }: Named<CallFold>): void {
    this.#sql.run(
      `INSERT INTO call (session, name, position, fold) VALUES (?, ?, ?, ?)
       ON CONFLICT (session, name) DO UPDATE SET position = excluded.position, fold = excluded.fold`,
      session,
      name,
      position,
      JSON.stringify(fold),
    );
  }

  saveOutput({ session, name, position, fold }: Named<OutputFold>): void {
    this.#sql.run(
      `INSERT INTO output (session, name, position, fold) VALUES (?, ?, ?, ?)
       ON CONFLICT (session, name) DO UPDATE SET position = excluded.position, fold = excluded.fold`,
      session,
      name,
      position,
      JSON.stringify(fold),
    );
  }

  savePart({ session, position, number, name }: Part): void {
    this.#sql.run("INSERT OR REPLACE INTO part (session, position, number, name) VALUES (?, ?, ?, ?)", session, position, number, name);
  }

  partName(session: number, position: number, number: number): string | undefined {
    const row = this.#sql.get("SELECT name FROM part WHERE session = ? AND position = ? AND number = ?", session, position, number);
    return row === undefined ? undefined : textIn(row, "name");
  }

  calls(session: number, after: { readonly position: number; readonly name: string }, limit: number): readonly Named<CallFold>[] {
    return this.#sql
      .all(
        "SELECT name, position, fold FROM call WHERE session = ? AND (position, name) > (?, ?) ORDER BY position, name LIMIT ?",
        session,
        after.position,
        after.name,
        limit,
      )
      .map((row) => ({
        session,
        name: textIn(row, "name"),
        position: numberIn(row, "position"),
        fold: JSON.parse(textIn(row, "fold")) as CallFold,
      }));
  }

  /** The last calls of a session, newest first. */
  lastCalls(session: number, limit: number): readonly CallFold[] {
    return this.#sql
      .all("SELECT fold FROM call WHERE session = ? ORDER BY position DESC LIMIT ?", session, limit)
      .map((row) => JSON.parse(textIn(row, "fold")) as CallFold);
  }

  /** Removes some rows of a session. Returns whether more may remain. */
  removeSome(session: number, limit: number): boolean {
    const removed = [
      this.#sql.run("DELETE FROM call WHERE rowid IN (SELECT rowid FROM call WHERE session = ? LIMIT ?)", session, limit),
      this.#sql.run("DELETE FROM output WHERE rowid IN (SELECT rowid FROM output WHERE session = ? LIMIT ?)", session, limit),
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
