import { numberColumn, type SqliteRow, type Statements, textColumn } from "../ledger/sqlite/statements.ts";
import type { CostTable as CostLines } from "./api.ts";
import { type Amounts, type Measure, SPEND_MEASURES, toDollars, toTokenCount } from "./spend.ts";
import type { CostsQuery } from "./views.ts";

/** The amounts of one event and the names they are counted under. */
export interface EventCost {
  readonly session: number;
  /** As `2026-11-15`, by the hub's clock, UTC. */
  readonly day: string;
  readonly agent: string;
  readonly model: string;
  /** The folder the session works in. */
  readonly project: string;
  /** The change of the session's total. */
  readonly spent: Amounts;
  /** The amounts of a tool call, counted by tool beside the session's total. */
  readonly tool?: { readonly name: string; readonly spent: Amounts } | undefined;
}

/** Every amount is counted by agent, model and project, once under `all`, and by tool when a call spent it. */
type Grouped = "all" | "agent" | "model" | "project" | "tool";

interface Place {
  readonly session: number;
  readonly grouped: Grouped;
  readonly name: string;
  readonly day: string;
}

type Sums = Record<Measure, { sum: number; count: number }> & { events: number };

const COLUMNS = [...SPEND_MEASURES.flatMap((measure) => [measure, `${measure}_count`]), "events"];
/** Floating point, so that sums of many sessions cannot overflow. */
const SUMS = COLUMNS.map((column) => `total(${column}) AS ${column}`).join(", ");
const MAX_EXPENSIVE_FIRST = "max(cost_count) > 0 DESC, total(cost) DESC, total(total) DESC, total(input) DESC";
/** Sums are capped here: a value beyond 64 bits could not be written. */
const MAX_SUM = "4000000000000000000";
const FIRST_DAY = "0";
const LAST_DAY = "9999-99-99";

/** Amounts by session, day, and agent, model, project or tool. Other sums are computed when read. */
export class CostSums {
  readonly #sql: Statements;
  /** Amounts since the last write. */
  readonly #waiting = new Map<string, { readonly at: Place; readonly sums: Sums }>();

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  add({ session, day, agent, model, project, spent, tool }: EventCost): void {
    this.#gather({ session, day, grouped: "all", name: "" }, spent);
    this.#gather({ session, day, grouped: "agent", name: agent }, spent);
    this.#gather({ session, day, grouped: "model", name: model }, spent);
    this.#gather({ session, day, grouped: "project", name: project }, spent);
    if (tool !== undefined) this.#gather({ session, day, grouped: "tool", name: tool.name }, tool.spent);
  }

  /** Within the caller's transaction. */
  write(): void {
    const sql = `INSERT INTO cost (session, grouped, name, day, ${COLUMNS.join(", ")}) VALUES (?, ?, ?, ?, ${COLUMNS.map(() => "?").join(", ")})
      ON CONFLICT DO UPDATE SET ${COLUMNS.map((column) => `${column} = min(${MAX_SUM}, ${column} + excluded.${column})`).join(", ")}`;
    for (const { at, sums } of this.#waiting.values()) {
      const values = SPEND_MEASURES.flatMap((measure) => [sums[measure].sum, sums[measure].count]);
      this.#sql.run(sql, at.session, at.grouped, at.name, at.day, ...values, sums.events);
    }
  }

  /** Call after the transaction, or to discard what was not written. */
  clear(): void {
    this.#waiting.clear();
  }

  /** Removes some rows of a session. Returns whether more may remain. */
  removeSome(session: number, limit: number): boolean {
    const some = "SELECT rowid FROM cost WHERE session = ? LIMIT ?";
    return this.#sql.run(`DELETE FROM cost WHERE rowid IN (${some})`, session, limit) === limit;
  }

  read({ by, limit, session, from = FIRST_DAY, to = LAST_DAY }: CostsQuery, idOf: (session: number) => string | undefined): CostLines {
    const where = `grouped = ? AND day BETWEEN ? AND ?${session === undefined ? "" : " AND session = ?"}`;
    const given = (grouped: Grouped) => [grouped, from, to, ...(session === undefined ? [] : [session])];
    const column = by === "day" || by === "session" ? by : "name";
    const order = by === "day" ? "day DESC" : `${MAX_EXPENSIVE_FIRST}, ${by === "session" ? "session DESC" : "name"}`;
    const rows = this.#sql.all(
      `SELECT ${column} AS name, ${SUMS} FROM cost WHERE ${where} GROUP BY ${column} ORDER BY ${order} LIMIT ?`,
      ...given(by === "day" || by === "session" ? "all" : by),
      limit + 1,
    );
    const lines = rows.slice(0, limit).map((row) => {
      const name = textColumn(row, "name");
      if (by !== "session") return { name, ...toLine(row) };
      return { name: idOf(Number(name)) ?? name, session: Number(name), ...toLine(row) };
    });
    const total = this.#sql.get(`SELECT ${SUMS} FROM cost WHERE ${where}`, ...given("all"));
    return { lines, total: total === undefined ? { events: 0 } : toLine(total), more: rows.length > limit };
  }

  #gather(at: Place, amounts: Amounts): void {
    const key = `${at.session}\n${at.grouped}\n${at.day}\n${at.name}`;
    const waiting = this.#waiting.get(key) ?? { at, sums: noSums() };
    this.#waiting.set(key, waiting);
    waiting.sums.events++;
    for (const measure of SPEND_MEASURES) {
      const amount = amounts[measure];
      if (amount === null) continue;
      waiting.sums[measure].sum += amount;
      waiting.sums[measure].count++;
    }
  }
}

function noSums(): Sums {
  const none = () => ({ sum: 0, count: 0 });
  return { cost: none(), input: none(), output: none(), total: none(), events: 0 };
}

function toLine(row: SqliteRow): CostLines["total"] {
  const given = (measure: Measure) => (numberColumn(row, `${measure}_count`) > 0 ? numberColumn(row, measure) : null);
  const tokens = toTokenCount({ input: given("input"), output: given("output"), total: given("total") });
  const costUsd = toDollars(given("cost"));
  return {
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(tokens === undefined ? {} : { tokens }),
    events: numberColumn(row, "events"),
  };
}
