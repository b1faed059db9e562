import { type Amounts, MEASURES, type Measure, toDollars, toTokenCount } from "./spend.ts";
import { numberIn, type Row, type Statements, textIn } from "./statements.ts";
import type { CostGroup, CostTable as CostLines, CostsQuery } from "./views.ts";

/** What one event supplied, and under which names it is counted. */
export interface Expense {
  readonly session: number;
  /** As `2026-11-15`, by the hub's clock, UTC. */
  readonly day: string;
  readonly agent: string;
  readonly model: string;
  /** By how much it changes what its session has spent. */
  readonly spent: Amounts;
  /** What a tool's call has spent; counted by tool, beside the session's own sum. */
  readonly tool?: { readonly name: string; readonly spent: Amounts } | undefined;
}

/** A group of its own for the sum of everything. */
type Grouped = CostGroup | "all";

const ALL_SESSIONS = 0;
const ALL_DAYS = "";
const COLUMNS = MEASURES.flatMap((measure) => [measure, `${measure}_count`]);
/** Past this nothing is added any more, so that no sum ever overflows. */
const MOST = "4000000000000000000";

type Sums = Record<Measure, { sum: number; count: number }> & { events: number };

/**
 * Sums by session, tool, model, agent and day, ready to be read. Kept up to date by adding and subtracting whole numbers, so
 * that they are exact in any order, and reading them costs the same however many events were summed.
 */
export class CostSums {
  readonly #sql: Statements;
  /** Gathered since they were written last. */
  #waiting = new Map<string, { readonly at: Place; readonly sums: Sums }>();

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  add(expense: Expense): void {
    const { session, day, agent, model, spent, tool } = expense;
    for (const one of [session, ALL_SESSIONS]) {
      for (const when of [day, ALL_DAYS]) {
        this.#gather({ session: one, grouped: "all", name: "", day: when }, spent);
        this.#gather({ session: one, grouped: "agent", name: agent, day: when }, spent);
        this.#gather({ session: one, grouped: "model", name: model, day: when }, spent);
        if (tool !== undefined) this.#gather({ session: one, grouped: "tool", name: tool.name, day: when }, tool.spent);
      }
      this.#gather({ session: one, grouped: "day", name: day, day: ALL_DAYS }, spent);
    }
    this.#gather({ session, grouped: "session", name: "", day }, spent);
  }

  /** Within the caller's transaction. */
  write(): void {
    for (const { at, sums } of this.#waiting.values()) this.#change(at, sums, 1);
    this.forget();
  }

  forget(): void {
    this.#waiting = new Map();
  }

  /** Takes some of what a session has spent out of the sums. Says whether there may be more. */
  removeSome(session: number, limit: number): boolean {
    const rows = this.#sql.all(
      `SELECT grouped, name, day, ${COLUMNS.join(", ")}, events FROM cost WHERE session = ? LIMIT ?`,
      session,
      limit,
    );
    for (const row of rows) {
      const at = { session, grouped: textIn(row, "grouped") as Grouped, name: textIn(row, "name"), day: textIn(row, "day") };
      if (at.grouped !== "session") this.#change({ ...at, session: ALL_SESSIONS }, sumsOf(row), -1);
      this.#sql.run("DELETE FROM cost WHERE session = ? AND grouped = ? AND name = ? AND day = ?", session, at.grouped, at.name, at.day);
    }
    return rows.length === limit;
  }

  read(query: CostsQuery, idOf: (session: number) => string | undefined): CostLines {
    const { by, limit, session = ALL_SESSIONS, from, to } = query;
    const rows = by === "session" ? this.#sessions(query) : this.#grouped(query);
    const lines = rows.slice(0, limit).map((row) => {
      const name = textIn(row, "name");
      if (by !== "session") return { name, ...toLine(row) };
      return { name: idOf(Number(name)) ?? name, session: Number(name), ...toLine(row) };
    });
    const inRange = from !== undefined || to !== undefined;
    const all = this.#sql.get(
      `SELECT ${sumColumns()} FROM cost WHERE session = ? AND grouped = 'all' AND name = '' AND ${inRange ? "day BETWEEN ? AND ?" : "day = ''"}`,
      session,
      ...(inRange ? [from ?? FIRST_DAY, to ?? LAST_DAY] : []),
    );
    return { lines, total: all === undefined ? { events: 0 } : toLine(all), more: rows.length > limit };
  }

  #grouped({ by, limit, session = ALL_SESSIONS, from, to }: CostsQuery): readonly Row[] {
    if (by === "day") {
      return this.#sql.all(
        `SELECT name, ${COLUMNS.join(", ")}, events FROM cost WHERE session = ? AND grouped = 'day' AND name BETWEEN ? AND ? AND day = '' ORDER BY name DESC LIMIT ?`,
        session,
        from ?? FIRST_DAY,
        to ?? LAST_DAY,
        limit + 1,
      );
    }
    const inRange = from !== undefined || to !== undefined;
    return this.#sql.all(
      `SELECT name, ${sumColumns()} FROM cost WHERE session = ? AND grouped = ? AND ${inRange ? "day BETWEEN ? AND ?" : "day = ''"}
       GROUP BY name ORDER BY ${MOST_EXPENSIVE_FIRST}, name LIMIT ?`,
      session,
      by,
      ...(inRange ? [from ?? FIRST_DAY, to ?? LAST_DAY] : []),
      limit + 1,
    );
  }

  /** Without days, what each has spent stands in its row, in order; within days, it is summed. */
  #sessions({ limit, session, from, to }: CostsQuery): readonly Row[] {
    if (session === undefined && from === undefined && to === undefined) {
      const keys = this.#sql.all(
        "SELECT key FROM session INDEXED BY session_cost WHERE cost IS NOT NULL OR tokens IS NOT NULL ORDER BY cost DESC, tokens DESC, key DESC LIMIT ?",
        limit + 1,
      );
      return keys.flatMap((row) =>
        this.#sql.all(
          `SELECT ?1 AS name, ${COLUMNS.join(", ")}, events FROM cost WHERE session = ?1 AND grouped = 'all' AND name = '' AND day = ''`,
          numberIn(row, "key"),
        ),
      );
    }
    const one = session === undefined ? "" : "AND session = ?";
    return this.#sql.all(
      `SELECT session AS name, ${sumColumns()} FROM cost WHERE grouped = 'session' AND day BETWEEN ? AND ? ${one}
       GROUP BY session ORDER BY ${MOST_EXPENSIVE_FIRST}, session DESC LIMIT ?`,
      from ?? FIRST_DAY,
      to ?? LAST_DAY,
      ...(session === undefined ? [] : [session]),
      limit + 1,
    );
  }

  #gather(at: Place, amounts: Amounts): void {
    const key = `${at.session}\n${at.grouped}\n${at.day}\n${at.name}`;
    let waiting = this.#waiting.get(key);
    if (waiting === undefined) {
      waiting = { at, sums: noSums() };
      this.#waiting.set(key, waiting);
    }
    waiting.sums.events++;
    for (const measure of MEASURES) {
      const amount = amounts[measure];
      if (amount === null) continue;
      waiting.sums[measure].sum += amount;
      waiting.sums[measure].count++;
    }
  }

  #change({ session, grouped, name, day }: Place, sums: Sums, sign: 1 | -1): void {
    const values = MEASURES.flatMap((measure) => [sign * sums[measure].sum, sign * sums[measure].count]);
    this.#sql.run(
      `INSERT INTO cost (session, grouped, name, day, ${COLUMNS.join(", ")}, events) VALUES (?, ?, ?, ?, ${COLUMNS.map(() => "?").join(", ")}, ?)
       ON CONFLICT (session, grouped, name, day) DO UPDATE SET
         ${COLUMNS.map((column) => `${column} = max(-${MOST}, min(${MOST}, ${column} + excluded.${column}))`).join(", ")}, events = events + excluded.events`,
      session,
      grouped,
      name,
      day,
      ...values,
      sign * sums.events,
    );
    if (sign < 0) {
      this.#sql.run(
        "DELETE FROM cost WHERE session = ? AND grouped = ? AND name = ? AND day = ? AND events = 0",
        session,
        grouped,
        name,
        day,
      );
    }
  }
}

interface Place {
  readonly session: number;
  readonly grouped: Grouped;
  readonly name: string;
  readonly day: string;
}

const FIRST_DAY = "0";
const LAST_DAY = "9999-99-99";
const MOST_EXPENSIVE_FIRST = "max(cost_count > 0) DESC, cost DESC, total DESC, input DESC";

/** As floating point: what is added up in one go must not overflow either. */
function sumColumns(): string {
  return [...COLUMNS, "events"].map((column) => `total(${column}) AS ${column}`).join(", ");
}

function noSums(): Sums {
  const none = () => ({ sum: 0, count: 0 });
  return { cost: none(), input: none(), output: none(), total: none(), events: 0 };
}

function sumsOf(row: Row): Sums {
  const sums = noSums();
  for (const measure of MEASURES) sums[measure] = { sum: numberIn(row, measure), count: numberIn(row, `${measure}_count`) };
  sums.events = numberIn(row, "events");
  return sums;
}

function toLine(row: Row): CostLines["total"] {
  const given = (measure: Measure) => (numberIn(row, `${measure}_count`) > 0 ? numberIn(row, measure) : null);
  const tokens = toTokenCount({ input: given("input"), output: given("output"), total: given("total") });
  const costUsd = toDollars(given("cost"));
  return { ...(costUsd === undefined ? {} : { costUsd }), ...(tokens === undefined ? {} : { tokens }), events: numberIn(row, "events") };
}
