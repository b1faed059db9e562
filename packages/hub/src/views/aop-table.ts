import type { SessionFold } from "./aop-session.ts";
import { type SessionRow, type SettledRow, toSessionRow, toSettledRow } from "./aop-session-row.ts";
import type { ListCursor, SessionOrder } from "./aop-views.ts";
import type { SessionName } from "./heard.ts";
import { maybeTextIn, numberIn, type Row, type Statements, textIn } from "./statements.ts";

export interface ListQuery {
  readonly order: SessionOrder;
  readonly limit: number;
  readonly before?: ListCursor;
  readonly now: number;
}

export interface ListedRow {
  readonly row: SessionRow;
  readonly cursor: ListCursor;
}

/** Columns are those of `aop_session`. */
const ROW_COLUMNS = `key, row, started_ms, last_position, last_received_at,
  (SELECT min(parent) FROM spawn WHERE spawn.protocol = 'aop' AND spawn.source = aop_session.source AND spawn.child = aop_session.id) AS spawned_by`;
/** Sorts after every row. */
const FROM_THE_TOP: ListCursor = { value: Number.MAX_VALUE, key: Number.MAX_SAFE_INTEGER };

/** The rows of the official AOP collector: names, types and folding are its own, since its clients read them. */
export class AopTable {
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  load(key: number): SessionFold | undefined {
    const row = this.#sql.get("SELECT fold FROM aop_session WHERE key = ?", key);
    return row === undefined ? undefined : (JSON.parse(textIn(row, "fold")) as SessionFold);
  }

  save({ key, source, id }: SessionName, fold: SessionFold): void {
    this.#sql.run(
      `INSERT INTO aop_session (key, source, id, started_ms, last_position, last_received_at, row, fold) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET started_ms = excluded.started_ms, last_position = excluded.last_position,
         last_received_at = excluded.last_received_at, row = excluded.row, fold = excluded.fold`,
      key,
      source,
      id,
      fold.started?.ms ?? 0,
      fold.lastPosition,
      fold.lastReceivedAt,
      JSON.stringify(toSettledRow(fold, source, id)),
      JSON.stringify(fold),
    );
  }

  remove(key: number): void {
    this.#sql.run("DELETE FROM aop_session WHERE key = ?", key);
  }

  list({ order, limit, before = FROM_THE_TOP, now }: ListQuery): readonly ListedRow[] {
    const column = order === "started" ? "started_ms" : "last_position";
    return this.#sql
      .all(
        `SELECT ${ROW_COLUMNS} FROM aop_session WHERE (${column}, key) < (?, ?) ORDER BY ${column} DESC, key DESC LIMIT ?`,
        before.value,
        before.key,
        limit,
      )
      .map((row) => ({ row: toRow(row, now), cursor: { value: numberIn(row, column), key: numberIn(row, "key") } }));
  }

  /** The sessions of an id, the one heard last first. */
  find(id: string, now: number): readonly SessionRow[] {
    return this.#sql
      .all(`SELECT ${ROW_COLUMNS} FROM aop_session WHERE id = ? ORDER BY last_position DESC LIMIT 100`, id)
      .map((row) => toRow(row, now));
  }

  keyOf(source: string, id: string): number | undefined {
    const key = this.#sql.get("SELECT key FROM aop_session WHERE id = ? AND source = ?", id, source)?.["key"];
    return typeof key === "number" ? key : undefined;
  }
}

function toRow(stored: Row, now: number): SessionRow {
  const row = JSON.parse(textIn(stored, "row")) as SettledRow;
  return toSessionRow(row, { now, lastReceivedAt: numberIn(stored, "last_received_at"), spawnedBy: maybeTextIn(stored, "spawned_by") });
}
