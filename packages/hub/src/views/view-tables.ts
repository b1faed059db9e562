import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { CutReason } from "../ledger/ledger.ts";
import type { Alert, SessionWatch } from "./aop-alerts.ts";
import type { SessionFold } from "./aop-session.ts";
import { type SessionRow, type SettledRow, toSessionRow, toSettledRow } from "./aop-session-row.ts";

/** A session as the follower holds it: folded, not yet written where `dirty`. */
export interface LiveSession {
  readonly source: string;
  readonly id: string;
  readonly fold: SessionFold;
  readonly watch: SessionWatch;
  dirty: boolean;
}

/** An alert, and the event that raised it. Each event raises one at most, so its position names the alert too. */
export interface RaisedAlert {
  readonly position: number;
  readonly source: string;
  readonly alert: Alert;
}

/** Up to and including which position a session is cut. */
export interface AnnouncedCut extends SessionName {
  readonly reason: CutReason;
  readonly upTo: number;
}

/** Ids belong to their sources: two sources may use the same one for different sessions. */
export interface SessionName {
  readonly source: string;
  readonly id: string;
}

export interface Spawn {
  readonly source: string;
  readonly parent: string;
  readonly child: string;
}

export interface Watermark {
  readonly position: number;
  readonly receivedAt: number | null;
}

/** Which sessions come first: those that started last, or those that were heard last. */
export type SessionOrder = "started" | "activity";

/** Where the last page ended. */
export interface ListCursor {
  readonly value: number;
  readonly key: number;
}

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

interface StoredRow {
  readonly key: number;
  readonly row: string;
  readonly started_ms: number;
  readonly last_position: number;
  readonly last_received_at: number;
  readonly spawned_by: string | null;
}

const ROW_COLUMNS = `key, row, started_ms, last_position, last_received_at,
  (SELECT min(parent) FROM spawn WHERE spawn.source = session.source AND spawn.child = session.id) AS spawned_by`;
const ALERT_COLUMNS = "position, source, session, type, message, severity, created_at";
/** Sorts after every row. */
const FROM_THE_TOP: ListCursor = { value: Number.MAX_VALUE, key: Number.MAX_SAFE_INTEGER };

/** The tables of the views, statement by statement. Synchronous; each call is bounded by its limit. */
export class ViewTables {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  transaction(work: () => void): void {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      work();
      this.#db.exec("COMMIT");
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }

  watermark(): Watermark {
    const row = this.#sql("SELECT position, received_at FROM watermark").get();
    return { position: Number(row?.["position"]), receivedAt: (row?.["received_at"] as number | null | undefined) ?? null };
  }

  setWatermark({ position, receivedAt }: Watermark): void {
    this.#sql("UPDATE watermark SET position = ?, received_at = ?").run(position, receivedAt);
  }

  load(source: string, id: string): LiveSession | undefined {
    const row = this.#sql("SELECT fold, watch FROM session WHERE source = ? AND id = ?").get(source, id);
    if (row === undefined) return undefined;
    const fold = JSON.parse(String(row["fold"])) as SessionFold;
    const watch = JSON.parse(String(row["watch"])) as SessionWatch;
    return { source, id, fold, watch, dirty: false };
  }

  save({ source, id, fold, watch }: LiveSession): void {
    const row = toSettledRow(fold, source, id);
    this.#sql(
      `INSERT INTO session (source, id, started_ms, last_position, last_received_at, row, fold, watch) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (source, id) DO UPDATE SET started_ms = excluded.started_ms, last_position = excluded.last_position,
         last_received_at = excluded.last_received_at, row = excluded.row, fold = excluded.fold, watch = excluded.watch`,
    ).run(
      source,
      id,
      fold.started?.ms ?? 0,
      fold.lastPosition,
      fold.lastReceivedAt,
      JSON.stringify(row),
      JSON.stringify(fold),
      JSON.stringify(watch),
    );
  }

  addAlert({ position, source, alert }: RaisedAlert): void {
    const { session_id, type, message, severity, created_at } = alert;
    this.#sql(`INSERT OR REPLACE INTO alert (${ALERT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`).run(
      position,
      source,
      session_id,
      type,
      message,
      severity,
      created_at,
    );
  }

  addSpawn({ source, child, parent }: Spawn): void {
    this.#sql("INSERT OR IGNORE INTO spawn (source, child, parent) VALUES (?, ?, ?)").run(source, child, parent);
  }

  /** Removes some of what there is about a session, the row first. Says whether there may be more. */
  removeSome({ source, id }: SessionName, limit: number): boolean {
    this.#sql("DELETE FROM session WHERE source = ? AND id = ?").run(source, id);
    const alerts = this.#sql(
      "DELETE FROM alert WHERE position IN (SELECT position FROM alert WHERE source = ? AND session = ? LIMIT ?)",
    ).run(source, id, limit);
    const spawns = this.#sql(
      "DELETE FROM spawn WHERE source = ? AND child IN (SELECT child FROM spawn WHERE source = ? AND parent = ? LIMIT ?) AND parent = ?",
    ).run(source, source, id, limit, id);
    return alerts.changes === limit || spawns.changes === limit;
  }

  list({ order, limit, before = FROM_THE_TOP, now }: ListQuery): readonly ListedRow[] {
    const column = order === "started" ? "started_ms" : "last_position";
    const rows = this.#sql(
      `SELECT ${ROW_COLUMNS} FROM session WHERE (${column}, key) < (?, ?) ORDER BY ${column} DESC, key DESC LIMIT ?`,
    ).all(before.value, before.key, limit) as unknown as readonly StoredRow[];
    return rows.map((row) => ({ row: toRow(row, now), cursor: { value: row[column], key: row.key } }));
  }

  /** The sessions of an id, the one heard last first. */
  find(id: string, now: number, source?: string): readonly SessionRow[] {
    const ofSource = source === undefined ? "" : "AND source = ?";
    const rows = this.#sql(`SELECT ${ROW_COLUMNS} FROM session WHERE id = ? ${ofSource} ORDER BY last_position DESC LIMIT 100`).all(
      id,
      ...(source === undefined ? [] : [source]),
    ) as unknown as readonly StoredRow[];
    return rows.map((row) => toRow(row, now));
  }

  /** Newest first. */
  alerts({ source, id }: SessionName, limit: number): readonly RaisedAlert[] {
    return this.#sql(`SELECT ${ALERT_COLUMNS} FROM alert WHERE source = ? AND session = ? ORDER BY position DESC LIMIT ?`)
      .all(source, id, limit)
      .map(toAlert);
  }

  /** Those raised by events after a position, up to and including another; oldest first. */
  alertsBetween(after: number, upTo: number, limit: number): readonly RaisedAlert[] {
    return this.#sql(`SELECT ${ALERT_COLUMNS} FROM alert WHERE position > ? AND position <= ? ORDER BY position LIMIT ?`)
      .all(after, upTo, limit)
      .map(toAlert);
  }

  /** On disk when it returns, also after a power cut: what it announces is durable in the ledger. */
  announceCut({ source, id, reason, upTo }: AnnouncedCut): void {
    this.#db.exec("PRAGMA synchronous = FULL");
    try {
      this.#sql("INSERT OR REPLACE INTO cutting (source, id, reason, up_to) VALUES (?, ?, ?, ?)").run(source, id, reason, upTo);
    } finally {
      this.#db.exec("PRAGMA synchronous = NORMAL");
    }
  }

  finishCut({ source, id }: SessionName): void {
    this.#sql("DELETE FROM cutting WHERE source = ? AND id = ?").run(source, id);
  }

  /** What was removed still stands in the log as it was. The log is short, so that this takes a moment only. */
  emptyLog(): void {
    this.#db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  announcedCuts(): readonly AnnouncedCut[] {
    return this.#sql("SELECT source, id, reason, up_to FROM cutting")
      .all()
      .map((row) => ({
        source: String(row["source"]),
        id: String(row["id"]),
        reason: row["reason"] as CutReason,
        upTo: Number(row["up_to"]),
      }));
  }

  close(): void {
    this.#db.close();
  }

  #sql(text: string): StatementSync {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = this.#db.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement;
  }
}

function toRow(stored: StoredRow, now: number): SessionRow {
  const row = JSON.parse(stored.row) as SettledRow;
  return toSessionRow(row, { now, lastReceivedAt: stored.last_received_at, spawnedBy: stored.spawned_by });
}

function toAlert(row: Record<string, unknown>): RaisedAlert {
  const alert = {
    session_id: String(row["session"]),
    type: row["type"] as Alert["type"],
    message: String(row["message"]),
    severity: row["severity"] as Alert["severity"],
    created_at: String(row["created_at"]),
  };
  return { position: Number(row["position"]), source: String(row["source"]), alert };
}
