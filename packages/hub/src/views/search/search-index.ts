import type { DatabaseSync } from "node:sqlite";
import { numberColumn, type SqliteRow, Statements, textColumn } from "../../ledger/sqlite/statements.ts";
import type { Listed, SearchHit } from "../api.ts";
import type { SearchQuery } from "../views.ts";
import { readSearchText, refuseSearch, toMatch } from "./search-query.ts";
import { SEARCH_FIELDS, type SearchField, type SearchText } from "./search-texts.ts";
import { agentWord, BETWEEN_TEXTS, sessionWord, toIndexed, toShown, typeWord } from "./words.ts";

/** See docs/adr/0006. `scope` holds the terms that filter by session, agent and type. */
export const SEARCH_TABLES = `
CREATE VIRTUAL TABLE search USING fts5(
  ${SEARCH_FIELDS.join(", ")}, scope, session UNINDEXED, received_at UNINDEXED, agent UNINDEXED, type UNINDEXED,
  tokenize = 'unicode61 remove_diacritics 2'
);

-- Between which positions an entry stands that was received in this hour since 1970. The clock may have been set back.
CREATE TABLE search_hour (
  hour INTEGER PRIMARY KEY,
  low INTEGER NOT NULL,
  high INTEGER NOT NULL
) STRICT;
`;

/** One entry with its searchable texts. */
export interface SearchDocument {
  readonly position: number;
  /** Key of its session. */
  readonly session: number;
  readonly agent: string;
  readonly type: string;
  readonly receivedAt: number;
  /** From `searchTexts`. Entries without texts need not be added. */
  readonly texts: readonly SearchText[];
}

/** A hit without the members from the session table. */
export type FoundEntry = Omit<SearchHit, "sessionId" | "protocol">;

export interface SearchPage extends Listed<FoundEntry> {
  /** The search hit its time limit, or only the newest matches were ranked. `next` continues it. */
  readonly cut: boolean;
}

const MAX_HITS = 500;
const MAX_COMPARED = 2000;
const MAX_SEARCH_MS = 100;
const SNIPPET_TOKENS = 32;
/** Private-use characters around a match; no stored text contains them. */
const [MARK_START, MARK_END] = ["\ue001", "\ue002"];
const HOUR_MS = 3_600_000;
/** Column weights, in column order: a match in a prompt or an error counts more than one in a long output. The scope has no weight. */
const WEIGHTS: Readonly<Record<SearchField, number>> = { prompt: 3, thought: 1.5, tool: 2, command: 2, output: 1, error: 2.5, other: 1.2 };
const SCORE = `bm25(search, ${[...SEARCH_FIELDS.map((field) => WEIGHTS[field]), 0].join(", ")})`;
const SNIPPETS = SEARCH_FIELDS.map((_, column) => `snippet(search, ${column}, '${MARK_START}', '${MARK_END}', '…', ${SNIPPET_TOKENS})`);
const SHOWN = `rowid, session, agent, type, received_at, ${SNIPPETS.map((snippet, column) => `${snippet} AS s${column}`).join(", ")}`;

/** Full-text search in the views' file. Writes run in the caller's transaction; each call is bounded. */
export class SearchIndex {
  readonly #sql: Statements;
  readonly #maxSearchMs: number;

  constructor(db: DatabaseSync, maxSearchMs = MAX_SEARCH_MS) {
    this.#sql = new Statements(db);
    this.#maxSearchMs = maxSearchMs;
  }

  /** Replaces documents at existing positions. */
  add(documents: readonly SearchDocument[]): void {
    const columns = [...SEARCH_FIELDS, "scope", "session", "received_at", "agent", "type"];
    const insert = `INSERT OR REPLACE INTO search (rowid, ${columns.join(", ")}) VALUES (?${", ?".repeat(columns.length)})`;
    for (const { position, session, agent, type, receivedAt, texts } of documents) {
      const ofField = (field: SearchField) =>
        texts.flatMap((one) => (one.field === field ? [toIndexed(one.text)] : [])).join(BETWEEN_TEXTS);
      const scope = `${sessionWord(session)} ${agentWord(agent)} ${typeWord(type)}`;
      this.#sql.run(insert, BigInt(position), ...SEARCH_FIELDS.map(ofField), scope, session, Math.round(receivedAt), agent, type);
      const hour = Math.floor(receivedAt / HOUR_MS);
      this.#sql.run(
        "INSERT INTO search_hour VALUES (?1, ?2, ?2) ON CONFLICT DO UPDATE SET low = min(low, ?2), high = max(high, ?2)",
        hour,
        position,
      );
    }
  }

  /**
   * Removes some entries of a session, up to and including a position. Returns whether more may remain; the caller repeats it in another
   * turn. With `securely`, the words leave the file at once, which is slower; otherwise when the index is merged.
   */
  removeSession(session: number, limit: number, { upTo, securely }: { readonly upTo: number; readonly securely: boolean }): boolean {
    const match = "SELECT rowid FROM search WHERE search MATCH ? AND rowid <= ? ORDER BY rowid LIMIT ?";
    return this.#delete(`rowid IN (${match})`, securely, `scope : "${sessionWord(session)}"`, BigInt(upTo), limit) === limit;
  }

  /** Removes one entry and its words from the file. */
  removePosition(position: number): void {
    this.#delete("rowid = ?", true, BigInt(position));
  }

  /** Throws `WRONG_QUERY` with a hint when the query is empty. */
  search(query: SearchQuery): SearchPage {
    const match = toMatch(readSearchText(query.text), query);
    const [low, high] = this.#between(query.since, query.until);
    return query.order === "relevance" ? this.#mostRelevant(query, match, [low, high]) : this.#newest(query, match, [low, high]);
  }

  #newest({ after, limit, ...query }: SearchQuery, match: string, [low, high]: readonly [number, number]): SearchPage {
    const before = after === undefined ? high + 1 : (readCursor(after, /^(\d{1,16})$/)[0] ?? 0);
    const { rows, reached, cut } = this.#walk(SHOWN, query, { match, low, high: Math.min(high, before - 1), limit: bounded(limit) });
    return { items: rows.map(toHit), ...(reached === undefined ? {} : { next: String(reached) }), cut };
  }

  /** Ranks the newest matches. Matches newer than the first page do not change the following pages. */
  #mostRelevant(query: SearchQuery, match: string, [low, high]: readonly [number, number]): SearchPage {
    const [top = high, skip = 0] = query.after === undefined ? [] : readCursor(query.after, /^(\d{1,16})_(\d{1,6})$/);
    const range = { match, low, high: Math.min(high, top), limit: MAX_COMPARED };
    const { rows, reached } = this.#walk(`rowid, agent, type, received_at, ${SCORE} AS score`, query, range);
    const scored = rows.toSorted((one, other) => numberColumn(one, "score") - numberColumn(other, "score"));
    const end = skip + bounded(query.limit);
    const items = scored.slice(skip, end).flatMap((row) => {
      const shown = this.#sql.get(
        `SELECT ${SHOWN} FROM search WHERE search MATCH ? AND rowid = ?`,
        match,
        BigInt(numberColumn(row, "rowid")),
      );
      return shown === undefined ? [] : [toHit(shown)];
    });
    return { items, ...(end < scored.length ? { next: `${top}_${end}` } : {}), cut: reached !== undefined };
  }

  /** Iterates from the newest match to the oldest. `reached`: continue below it; undefined at the end. */
  #walk(
    columns: string,
    { agent, type, since = 0, until = Number.POSITIVE_INFINITY }: Pick<SearchQuery, "agent" | "type" | "since" | "until">,
    { match, low, high, limit }: { readonly match: string; readonly low: number; readonly high: number; readonly limit: number },
  ): { readonly rows: readonly SqliteRow[]; readonly reached?: number; readonly cut: boolean } {
    const stopAt = performance.now() + this.#maxSearchMs;
    const rows: SqliteRow[] = [];
    if (high < low) return { rows, cut: false };
    const found = this.#sql.iterate(
      `SELECT ${columns} FROM search WHERE search MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC`,
      match,
      // A number is bound as a float, which the index cannot seek by.
      BigInt(low),
      BigInt(high),
    );
    for (const row of found) {
      const at = numberColumn(row, "received_at");
      // The index stores only hashes of agents and types, and no times.
      const isHit = (agent ?? row["agent"]) === row["agent"] && (type ?? row["type"]) === row["type"] && at >= since && at <= until;
      if (isHit) rows.push(row);
      const reached = numberColumn(row, "rowid");
      if (rows.length >= limit) return { rows, reached, cut: false };
      if (performance.now() > stopAt) return { rows, reached, cut: true };
    }
    return { rows, cut: false };
  }

  /** Positions that include all entries received in this period, and possibly others. */
  #between(since: number | undefined, until: number | undefined): readonly [low: number, high: number] {
    if (since === undefined && until === undefined) return [1, Number.MAX_SAFE_INTEGER];
    const row = this.#sql.get(
      "SELECT min(low) AS low, max(high) AS high FROM search_hour WHERE hour BETWEEN ? AND ?",
      since === undefined ? Number.MIN_SAFE_INTEGER : Math.floor(since / HOUR_MS),
      until === undefined ? Number.MAX_SAFE_INTEGER : Math.floor(until / HOUR_MS),
    );
    return typeof row?.["low"] === "number" ? [numberColumn(row, "low"), numberColumn(row, "high")] : [1, 0];
  }

  #delete(where: string, securely: boolean, ...values: readonly (string | number | bigint)[]): number {
    // The command accepts only integers.
    this.#sql.run("INSERT INTO search (search, rank) VALUES ('secure-delete', ?)", securely ? 1n : 0n);
    return this.#sql.run(`DELETE FROM search WHERE ${where}`, ...values);
  }
}

function toHit(row: SqliteRow): FoundEntry {
  let best: { readonly field: SearchField; readonly shown: ReturnType<typeof toShown>; readonly found: number } | undefined;
  for (const [column, field] of SEARCH_FIELDS.entries()) {
    const shown = toShown(textColumn(row, `s${column}`), [MARK_START, MARK_END]);
    const found = new Set(shown.marks.map(([start, end]) => shown.snippet.slice(start, end).toLowerCase())).size;
    if (best === undefined || found > best.found) best = { field, shown, found };
  }
  return {
    position: numberColumn(row, "rowid"),
    session: numberColumn(row, "session"),
    agent: textColumn(row, "agent"),
    type: textColumn(row, "type"),
    receivedAt: numberColumn(row, "received_at"),
    field: best?.field ?? "other",
    ...(best?.shown ?? { snippet: "", marks: [] }),
  };
}

function bounded(limit: number): number {
  return Math.max(1, Math.min(MAX_HITS, Math.floor(limit)));
}

function readCursor(after: string, shape: RegExp): readonly number[] {
  const match = shape.exec(after);
  if (match === null) refuseSearch("`after` is not from a page of this search.", "Take `next` of the page before as it is.");
  return match.slice(1).map(Number);
}
