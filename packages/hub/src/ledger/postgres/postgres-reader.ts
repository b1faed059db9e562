import type { ProtocolName } from "@earshot/protocol";
import type { RequestQuery, StoredRequest } from "../../request.ts";
import type {
  EntryFilter,
  EntryPage,
  EntryQuery,
  KeptRefusal,
  LedgerEntry,
  RefusalCount,
  SessionCursor,
  SessionInfo,
  SessionPage,
  SessionQuery,
} from "../ledger.ts";
import {
  type EntryColumns,
  type FoundSession,
  MAX_COUNTS,
  MAX_PAGE_CHARACTERS,
  MAX_ROWS_LOOKED_AT,
  readProblem,
  toEntry,
  toRequest,
  toSessionInfo,
  UNNUMBERED,
} from "../stored-rows.ts";
import type { PostgresRow } from "./connections.ts";

/** Runs a statement on a pooled connection or inside a transaction. */
export type RunQuery = <Row extends PostgresRow>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

const ENTRY = "position, session, received_at, kind, verified, type, agent, sequence, notes, text";
const SESSION = "session.key, source.protocol, source.name AS source, session.id, session.cut";
const SESSION_JOIN = "session JOIN source ON source.key = session.source";
const REQUESTS = `SELECT request.*, source.protocol AS protocol, source.name AS source_name, session.id AS session_id FROM request
  JOIN session ON session.key = request.session JOIN source ON source.key = session.source`;

type PlacedEntry = EntryColumns & Pick<FoundSession, "protocol" | "source" | "id">;

/** Reads pages of the ledger. Every page comes from one statement and so from one snapshot. */
export class PostgresReader {
  readonly #query: RunQuery;

  constructor(query: RunQuery) {
    this.#query = query;
  }

  async head(): Promise<number> {
    const [row] = await this.#query<{ head: number }>("SELECT head FROM ledger WHERE shard = 0");
    return row?.head ?? 0;
  }

  /** Examines a bounded range of rows. The range's end comes with the rows, so that nothing committed in between is skipped. */
  async read({ after, limit, filter = {} }: EntryQuery): Promise<EntryPage> {
    const values: unknown[] = [after, limit];
    const bind = (value: unknown) => `$${values.push(value)}`;
    const inSpan = filter.session === undefined ? "" : ` AND entry.session IN (SELECT key FROM session WHERE id = ${bind(filter.session)})`;
    const wanted = ["span.position > session.cut", "span.text <> ''", ...filterConditions(filter, bind)].join(" AND ");
    const rows = await this.#query<{ span_end: number | null; found: number | null } & Partial<PlacedEntry>>(
      `WITH span AS MATERIALIZED (SELECT ${ENTRY}, octet_length(text) AS size FROM entry
        WHERE position > $1${inSpan} ORDER BY position LIMIT ${MAX_ROWS_LOOKED_AT}),
      found AS (SELECT span.*, source.protocol, source.name AS source, session.id,
          sum(size) OVER (ORDER BY position) - size AS before, count(*) OVER () AS found
        FROM span JOIN session ON session.key = span.session JOIN source ON source.key = session.source
        WHERE ${wanted})
      SELECT (SELECT max(position) FROM span) AS span_end, page.* FROM (SELECT) AS one
        LEFT JOIN (SELECT * FROM found WHERE before < ${MAX_PAGE_CHARACTERS} ORDER BY position LIMIT $2) AS page ON TRUE
        ORDER BY page.position`,
      values,
    );
    const entries = rows.filter((row): row is typeof row & PlacedEntry => row.position != null).map(toPlacedEntry);
    const isPageFull = entries.length < Number(rows[0]?.found ?? 0);
    const upTo = isPageFull ? entries.at(-1)?.position : (rows[0]?.span_end ?? undefined);
    return { entries, upTo: upTo ?? after };
  }

  async readSession({ session, after, before, limit }: SessionQuery): Promise<SessionPage> {
    const isBackwards = before !== undefined;
    const from = before ?? after;
    if (session.protocol !== "aop") {
      const position = from?.position ?? 0;
      return this.#readArrivals(session, { position, isBackwards, limit });
    }
    // Numbered entries come first, by number; then the others by arrival.
    const isUnnumbered = from?.ordinal === UNNUMBERED;
    const numbered = (cursor: SessionCursor) => this.#readNumbered(session, { cursor, isBackwards, limit });
    const unnumbered = (position: number) => this.#readArrivals(session, { position, isBackwards, limit, where: "sequence IS NULL" });
    const position = from?.position ?? 0;
    if (isBackwards !== isUnnumbered) {
      return isBackwards ? numbered(from ?? { ordinal: -1, position: 0 }) : unnumbered(isUnnumbered ? position : 0);
    }
    const first = isBackwards ? await unnumbered(position) : await numbered(from ?? { ordinal: -1, position: 0 });
    if (first.next !== undefined) return first;
    if (first.entries.length > 0) return { entries: first.entries, next: { ordinal: UNNUMBERED, position: 0 } };
    return isBackwards ? numbered({ ordinal: UNNUMBERED, position: 0 }) : unnumbered(0);
  }

  async findSessions(id: string, protocol?: ProtocolName): Promise<readonly SessionInfo[]> {
    // An empty or fully removed session is not found.
    const sql = `SELECT ${SESSION} FROM ${SESSION_JOIN} WHERE id = $1 AND last > cut ORDER BY last DESC LIMIT 100`;
    const sessions = (await this.#query<FoundSession & PostgresRow>(sql, [id])).map(toSessionInfo);
    return sessions.filter((session) => protocol === undefined || session.protocol === protocol);
  }

  async sessionOf(key: number): Promise<FoundSession> {
    const [row] = await this.#query<FoundSession & PostgresRow>(`SELECT ${SESSION} FROM ${SESSION_JOIN} WHERE session.key = $1`, [key]);
    return row ?? { key, protocol: "aop", source: "?", id: "?", cut: 0 };
  }

  async requests({ ids, state, session, after = 0, before, limit }: RequestQuery): Promise<readonly StoredRequest[]> {
    const values: unknown[] = [];
    const bind = (value: unknown) => `$${values.push(value)}`;
    const wanted = [before === undefined ? `request.position > ${bind(after)}` : `request.position < ${bind(before)}`];
    if (ids !== undefined) wanted.push(`request.id = ANY(${bind(ids)})`);
    if (state !== undefined) wanted.push(`request.state = ${bind(state)}`);
    if (session !== undefined) wanted.push(`session.id = ${bind(session)}`);
    const order = before === undefined ? "" : " DESC";
    const sql = `${REQUESTS} WHERE ${wanted.join(" AND ")} ORDER BY request.position${order} LIMIT ${bind(limit)}`;
    return (await this.#query<PostgresRow>(sql, values)).map(toRequest);
  }

  async refused({
    before = Number.MAX_SAFE_INTEGER,
    limit,
  }: {
    readonly before?: number;
    readonly limit: number;
  }): Promise<readonly KeptRefusal[]> {
    const columns = `number, received_at AS "receivedAt", source, problem, text, size_bytes AS "sizeBytes"`;
    const sql = `SELECT ${columns} FROM refused WHERE number < $1 ORDER BY number DESC LIMIT $2`;
    const rows = await this.#query<Omit<KeptRefusal, "problem"> & { problem: string } & PostgresRow>(sql, [before, limit]);
    return rows.map((row) => ({ ...row, problem: readProblem(row.problem) }));
  }

  async counts(): Promise<readonly RefusalCount[]> {
    const columns = `what, source, how_many AS "howMany", last_at AS "lastAt"`;
    return this.#query<RefusalCount & PostgresRow>(`SELECT ${columns} FROM count ORDER BY what, source LIMIT $1`, [MAX_COUNTS]);
  }

  #readArrivals(
    session: SessionInfo,
    {
      position,
      isBackwards,
      limit,
      where = "TRUE",
    }: { readonly position: number; readonly isBackwards: boolean; readonly limit: number; readonly where?: string },
  ): Promise<SessionPage> {
    const order = isBackwards ? "position DESC" : "position";
    return this.#page(session, { where: `${where} AND position ${isBackwards ? "<" : ">"} $2`, order, values: [position], limit });
  }

  #readNumbered(
    session: SessionInfo,
    { cursor, isBackwards, limit }: { readonly cursor: SessionCursor; readonly isBackwards: boolean; readonly limit: number },
  ): Promise<SessionPage> {
    const order = isBackwards ? "sequence DESC, position DESC" : "sequence, position";
    const where = `sequence IS NOT NULL AND (sequence, position) ${isBackwards ? "<" : ">"} ($2, $3)`;
    return this.#page(session, { where, order, values: [cursor.ordinal, cursor.position], limit });
  }

  async #page(
    session: SessionInfo,
    {
      where,
      order,
      values,
      limit,
    }: { readonly where: string; readonly order: string; readonly values: readonly unknown[]; readonly limit: number },
  ): Promise<SessionPage> {
    const rows = await this.#query<EntryColumns & { found: number } & PostgresRow>(
      `SELECT * FROM (
        SELECT *, sum(octet_length(text)) OVER (ORDER BY ${order}) - octet_length(text) AS before, count(*) OVER () AS found FROM (
          SELECT ${ENTRY} FROM entry WHERE session = $1 AND position > (SELECT cut FROM session WHERE key = $1) AND text <> '' AND ${where}
          ORDER BY ${order} LIMIT $${values.length + 2}) AS candidates) AS page
      WHERE before < ${MAX_PAGE_CHARACTERS} ORDER BY ${order}`,
      [session.key, ...values, limit + 1],
    );
    const entries: readonly LedgerEntry[] = rows.slice(0, limit).map((row) => toEntry(row, session));
    const last = entries.at(-1);
    if (last === undefined || entries.length >= (rows[0]?.found ?? 0)) return { entries, next: undefined };
    const ordinal = session.protocol === "aop" ? (last.sequence ?? UNNUMBERED) : last.position;
    return { entries, next: { ordinal, position: last.position } };
  }
}

function filterConditions({ protocol, type, agent }: EntryFilter, bind: (value: unknown) => string): readonly string[] {
  const conditions: string[] = [];
  if (protocol !== undefined) conditions.push(`source.protocol = ANY(${bind(protocol)})`);
  if (agent !== undefined) conditions.push(`span.agent = ${bind(agent)}`);
  if (type !== undefined) {
    const exact = bind(type.filter((one) => !one.endsWith("*")));
    const starts = bind(type.filter((one) => one.endsWith("*")).map((one) => one.slice(0, -1)));
    conditions.push(
      `(span.type = ANY(${exact}) OR EXISTS (SELECT 1 FROM unnest(${starts}::text[]) AS start WHERE starts_with(span.type, start)))`,
    );
  }
  return conditions;
}

function toPlacedEntry(row: PlacedEntry): LedgerEntry {
  return toEntry(row, { key: row.session, protocol: row.protocol, source: row.source, id: row.id });
}
