import { numberColumn, type SqliteRow, type Statements, textColumn } from "../ledger/sqlite/statements.ts";
import { ALERT_TYPES, type Alert, type Listed } from "./api.ts";
import type { AlertsQuery } from "./views.ts";

/** Room for one alert of each type per position. */
const TYPES = 16;

/** Type and position identify an alert: no session raises two with the same pair. */
export function alertNumber(type: Alert["type"], position: number): number {
  return position * TYPES + ALERT_TYPES.indexOf(type);
}

/** The table of alerts. */
export class AlertTable {
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  add(alert: Alert): void {
    const { number, at, session, position, type } = alert;
    this.#sql.run(
      "INSERT OR REPLACE INTO alert (number, at, session, position, type, alert) VALUES (?, ?, ?, ?, ?, ?)",
      number,
      Math.round(at),
      session,
      position,
      type,
      JSON.stringify(alert),
    );
  }

  /** Newest first. */
  list({ session, type, after, limit }: AlertsQuery): Listed<Alert> {
    const match = /^(-?\d{1,16})_(\d{1,17})$/.exec(after ?? "");
    const before = match === null ? [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] : [Number(match[1]), Number(match[2])];
    const types = type === undefined ? undefined : [...new Set(type)];
    const where = [
      "(at, number) < (?, ?)",
      ...(session === undefined ? [] : ["session = ?"]),
      ...(types === undefined ? [] : [`type IN (${types.map(() => "?").join(", ")})`]),
    ];
    const rows = this.#sql.all(
      `SELECT at, number, alert FROM alert WHERE ${where.join(" AND ")} ORDER BY at DESC, number DESC LIMIT ?`,
      ...before,
      ...(session === undefined ? [] : [session]),
      ...(types ?? []),
      limit + 1,
    );
    const last = rows.length > limit ? rows[limit - 1] : undefined;
    const items = rows.slice(0, limit).map(toAlert);
    return last === undefined ? { items } : { items, next: `${numberColumn(last, "at")}_${numberColumn(last, "number")}` };
  }

  /** Alerts of one session, latest position first. */
  newestOf(session: number, limit: number): readonly Alert[] {
    return this.#sql
      .all("SELECT alert FROM alert WHERE session = ? ORDER BY position DESC, number DESC LIMIT ?", session, limit)
      .map(toAlert);
  }

  at(session: number, position: number): readonly Alert[] {
    return this.#sql.all("SELECT alert FROM alert WHERE session = ? AND position = ? ORDER BY number", session, position).map(toAlert);
  }

  removeSome(session: number, limit: number): boolean {
    return (
      this.#sql.run("DELETE FROM alert WHERE number IN (SELECT number FROM alert WHERE session = ? LIMIT ?)", session, limit) === limit
    );
  }
}

function toAlert(row: SqliteRow): Alert {
  return JSON.parse(textColumn(row, "alert")) as Alert;
}
