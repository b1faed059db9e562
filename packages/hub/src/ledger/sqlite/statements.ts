import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

/** `node:sqlite` returns rows of unknown shape; these are STRICT tables written only here. */
export type SqliteRow = Readonly<Record<string, unknown>>;

/** Prepared statements of one connection. */
export class Statements {
  readonly #db: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  run(text: string, ...values: readonly SQLInputValue[]): number {
    return Number(this.#prepare(text).run(...values).changes);
  }

  get(text: string, ...values: readonly SQLInputValue[]): SqliteRow | undefined {
    return this.#prepare(text).get(...values);
  }

  all(text: string, ...values: readonly SQLInputValue[]): readonly SqliteRow[] {
    return this.#prepare(text).all(...values);
  }

  /** Iterates over rows; the same statement must not run meanwhile. */
  iterate(text: string, ...values: readonly SQLInputValue[]): Iterable<SqliteRow> {
    return this.#prepare(text).iterate(...values);
  }

  #prepare(text: string): StatementSync {
    let statement = this.#prepared.get(text);
    if (statement === undefined) {
      statement = this.#db.prepare(text);
      this.#prepared.set(text, statement);
    }
    return statement;
  }
}

export function textColumn(row: SqliteRow, name: string): string {
  return String(row[name]);
}

export function numberColumn(row: SqliteRow, name: string): number {
  return Number(row[name]);
}

export function nullableTextColumn(row: SqliteRow, name: string): string | null {
  const value = row[name];
  return typeof value === "string" ? value : null;
}
