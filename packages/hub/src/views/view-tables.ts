import type { DatabaseSync } from "node:sqlite";
import { Statements } from "../ledger/sqlite/statements.ts";
import { AlertTable } from "./alert-table.ts";
import { CallTable } from "./call-table.ts";
import { CostSums } from "./cost-table.ts";
import { SessionFamilies } from "./family.ts";
import { SearchIndex } from "./search/search-index.ts";
import { SessionViewTable } from "./session-table.ts";
import type { SilenceLimits } from "./session-view.ts";

export interface Watermark {
  readonly position: number;
  readonly receivedAt: number | null;
}

/** The views' tables in one file. Synchronous; each call is bounded by its limit. */
export class ViewTables {
  readonly sessions: SessionViewTable;
  readonly family: SessionFamilies;
  readonly calls: CallTable;
  readonly costs: CostSums;
  readonly alerts: AlertTable;
  readonly search: SearchIndex;
  readonly #db: DatabaseSync;
  readonly sql: Statements;

  constructor(db: DatabaseSync, limits: SilenceLimits) {
    this.#db = db;
    const sql = new Statements(db);
    this.sql = sql;
    this.family = new SessionFamilies(sql);
    this.sessions = new SessionViewTable(sql, this.family, limits);
    this.calls = new CallTable(sql);
    this.costs = new CostSums(sql);
    this.alerts = new AlertTable(sql);
    this.search = new SearchIndex(db);
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
    const row = this.sql.get("SELECT position, received_at FROM watermark");
    return { position: Number(row?.["position"]), receivedAt: (row?.["received_at"] as number | null | undefined) ?? null };
  }

  setWatermark({ position, receivedAt }: Watermark): void {
    this.sql.run("UPDATE watermark SET position = ?, received_at = ?", position, receivedAt);
  }

  /** Number of the last ledger removal the tables reflect. */
  get removal(): number {
    return Number(this.sql.get("SELECT removal FROM watermark")?.["removal"]);
  }

  set removal(number: number) {
    this.sql.run("UPDATE watermark SET removal = ?", number);
  }

  /** Removes some rows of a session, apart from its texts. Returns whether more may remain. */
  removeSome(session: number, limit: number): boolean {
    this.sessions.remove(session);
    const more = [
      this.calls.removeSome(session, limit),
      this.alerts.removeSome(session, limit),
      this.costs.removeSome(session, limit),
      this.family.removeSome(session, limit),
    ];
    return more.includes(true);
  }

  /** Truncates the write-ahead log, which still holds deleted rows. */
  emptyLog(): void {
    this.#db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  close(): void {
    this.#db.close();
  }
}
