import type { SQLInputValue } from "node:sqlite";
import type { ProtocolName } from "@earshot/protocol";
import type { RequestQuery, StoredRequest } from "../../request.ts";
import type {
  EntryFilter,
  EntryPage,
  EntryQuery,
  KeptRefusal,
  LedgerEntry,
  RefusalCount,
  RemovalQuery,
  SessionCursor,
  SessionInfo,
  SessionPage,
  SessionQuery,
} from "../ledger.ts";
import {
  type EntryColumns,
  ERASED_TEXT,
  type FoundSession,
  MAX_COUNTS,
  MAX_PAGE_CHARACTERS,
  MAX_ROWS_LOOKED_AT,
  matchesFilter,
  readProblem,
  toEntry,
  toRequest,
  toSessionInfo,
  UNNUMBERED,
} from "../stored-rows.ts";
import type { Statements } from "./statements.ts";

const ENTRY = "position, session, received_at, kind, verified, type, agent, sequence, notes, text";
export const SESSION_COLUMNS = "session.key, source.protocol, source.name AS source, session.id, session.cut";
export const SESSION_JOIN = "session JOIN source ON source.key = session.source";
/** Entries covered by a logged cut are gone, although their rows may still exist. */
const IN_SESSION = "session = ?1 AND position > (SELECT cut FROM session WHERE key = ?1)";
const REQUESTS = `SELECT request.*, source.protocol AS protocol, source.name AS source_name, session.id AS session_id FROM request
  JOIN session ON session.key = request.session JOIN source ON source.key = session.source`;

/** Reads pages of a ledger. Each call is bounded in rows and characters, to a few milliseconds. */
export class LedgerReader {
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** Includes an entry added by another program, because its position is taken. */
  head(): number {
    const sql = "SELECT max(ifnull((SELECT head FROM ledger), 0), ifnull((SELECT max(position) FROM entry), 0)) AS head";
    return Number(this.#sql.get(sql)?.["head"]);
  }

  read({ after, limit, filter = {} }: EntryQuery): EntryPage {
    const sessions = new Map<number, FoundSession>();
    const entries: LedgerEntry[] = [];
    let characters = 0;
    let upTo = after;
    for (const row of this.#rowsAfter(after, filter)) {
      upTo = row.position;
      const session = sessions.get(row.session) ?? this.sessionOf(row.session);
      sessions.set(row.session, session);
      if (row.position <= session.cut || row.text === ERASED_TEXT) continue;
      const { agent, type } = row;
      if (!matchesFilter({ protocol: session.protocol, session: session.id, agent, type }, filter)) continue;
      entries.push(toEntry(row, session));
      characters += row.text.length;
      if (entries.length >= limit || characters >= MAX_PAGE_CHARACTERS) break;
    }
    return { entries, upTo };
  }

  readSession({ session, after, before, limit }: SessionQuery): SessionPage {
    if (before !== undefined) return this.#readBackwards(session, before, limit);
    const arrival = (where: string) => `${IN_SESSION} AND ${where} AND position > ?2 AND text <> '' ORDER BY position LIMIT ?3`;
    if (session.protocol !== "aop") return this.#page(arrival("TRUE"), [session.key, after?.position ?? 0], session, limit);
    if (after === undefined || after.ordinal < UNNUMBERED) {
      const from = after ?? { ordinal: -1, position: 0 };
      const where = `${IN_SESSION} AND sequence >= ?2 AND (sequence, position) > (?2, ?3) AND text <> '' ORDER BY sequence, position LIMIT ?4`;
      const page = this.#page(where, [session.key, from.ordinal, from.position], session, limit);
      if (page.next !== undefined) return page;
      if (page.entries.length > 0) return { entries: page.entries, next: { ordinal: UNNUMBERED, position: 0 } };
    }
    const position = after?.ordinal === UNNUMBERED ? after.position : 0;
    return this.#page(arrival("sequence IS NULL"), [session.key, position], session, limit);
  }

  findSessions(id: string, protocol?: ProtocolName): readonly SessionInfo[] {
    // An empty or fully removed session is not found.
    const rows = this.#sql.all(
      `SELECT ${SESSION_COLUMNS} FROM ${SESSION_JOIN} WHERE id = ? AND last > cut ORDER BY last DESC LIMIT 100`,
      id,
    );
    const sessions = (rows as unknown as readonly FoundSession[]).map(toSessionInfo);
    return sessions.filter((session) => protocol === undefined || session.protocol === protocol);
  }

  sessionOf(key: number): FoundSession {
    const row = this.#sql.get(`SELECT ${SESSION_COLUMNS} FROM ${SESSION_JOIN} WHERE session.key = ?`, key);
    return (row as unknown as FoundSession | undefined) ?? { key, protocol: "aop", source: "?", id: "?", cut: 0 };
  }

  requests({ ids, state, session, after = 0, before, limit }: RequestQuery): readonly StoredRequest[] {
    const wanted: (readonly [string, SQLInputValue])[] = [
      before === undefined ? ["request.position > ?", after] : ["request.position < ?", before],
    ];
    if (ids !== undefined) wanted.push(["request.id IN (SELECT value FROM json_each(?))", JSON.stringify(ids)]);
    if (state !== undefined) wanted.push(["request.state = ?", state]);
    if (session !== undefined) wanted.push(["session.id = ?", session]);
    const where = wanted.map(([condition]) => condition).join(" AND ");
    const order = before === undefined ? "" : " DESC";
    const sql = `${REQUESTS} WHERE ${where} ORDER BY request.position${order} LIMIT ?`;
    return this.#sql.all(sql, ...wanted.map(([, value]) => value), limit).map(toRequest);
  }

  refused({ before = Number.MAX_SAFE_INTEGER, limit }: { readonly before?: number; readonly limit: number }): readonly KeptRefusal[] {
    const rows = this.#sql.all("SELECT * FROM refused WHERE number < ? ORDER BY number DESC LIMIT ?", before, limit);
    return rows.map((row) => ({
      number: Number(row["number"]),
      receivedAt: Number(row["received_at"]),
      source: String(row["source"]),
      problem: readProblem(String(row["problem"])),
      text: String(row["text"]),
      sizeBytes: Number(row["size_bytes"]),
    }));
  }

  counts(): readonly RefusalCount[] {
    const columns = "what, source, how_many AS howMany, last_at AS lastAt";
    const rows = this.#sql.all(`SELECT ${columns} FROM count ORDER BY what, source LIMIT ?`, MAX_COUNTS);
    return rows.map((row) => ({ ...row })) as unknown as readonly RefusalCount[];
  }

  removalLines({ after, limit }: RemovalQuery): readonly { readonly number: number; readonly line: string }[] {
    const rows = this.#sql.all("SELECT number, line FROM tombstone WHERE number > ? ORDER BY number LIMIT ?", after, limit);
    return rows as unknown as readonly { readonly number: number; readonly line: string }[];
  }

  #rowsAfter(after: number, { session, protocol }: EntryFilter): Iterable<EntryColumns> {
    const order = "ORDER BY position LIMIT ?";
    if (session === undefined) return this.#iterate(`SELECT ${ENTRY} FROM entry WHERE position > ? ${order}`, after, MAX_ROWS_LOOKED_AT);
    const keys = this.findSessions(session)
      .filter((one) => protocol === undefined || protocol.includes(one.protocol))
      .map(({ key }) => key);
    const [only = 0] = keys;
    if (keys.length < 2) {
      return this.#iterate(`SELECT ${ENTRY} FROM entry WHERE session = ? AND position > ? ${order}`, only, after, MAX_ROWS_LOOKED_AT);
    }
    // Each session in its order, merged without sorting.
    const one = "SELECT position FROM entry WHERE session = ? AND position > ?";
    const positions = `${keys.map(() => one).join(" UNION ALL ")} ${order}`;
    const sql = `SELECT ${ENTRY} FROM entry WHERE position IN (${positions}) ORDER BY position`;
    return this.#iterate(sql, ...keys.flatMap((key) => [key, after]), MAX_ROWS_LOOKED_AT);
  }

  #readBackwards(session: SessionInfo, before: SessionCursor, limit: number): SessionPage {
    const arrival = (where: string) => `${IN_SESSION} AND ${where} AND position < ?2 AND text <> '' ORDER BY position DESC LIMIT ?3`;
    if (session.protocol !== "aop") return this.#page(arrival("TRUE"), [session.key, before.position], session, limit);
    if (before.ordinal === UNNUMBERED) {
      const page = this.#page(arrival("sequence IS NULL"), [session.key, before.position], session, limit);
      if (page.next !== undefined) return page;
      if (page.entries.length > 0) return { entries: page.entries, next: { ordinal: UNNUMBERED, position: 0 } };
    }
    const position = before.ordinal === UNNUMBERED ? 0 : before.position;
    const where = `${IN_SESSION} AND sequence <= ?2 AND (sequence, position) < (?2, ?3) AND text <> '' ORDER BY sequence DESC, position DESC LIMIT ?4`;
    return this.#page(where, [session.key, before.ordinal, position], session, limit);
  }

  #page(where: string, values: readonly SQLInputValue[], session: SessionInfo, limit: number): SessionPage {
    const entries: LedgerEntry[] = [];
    let characters = 0;
    for (const row of this.#iterate(`SELECT ${ENTRY} FROM entry WHERE ${where}`, ...values, limit + 1)) {
      const last = entries.at(-1);
      if (last !== undefined && (entries.length >= limit || characters >= MAX_PAGE_CHARACTERS)) {
        const ordinal = session.protocol === "aop" ? (last.sequence ?? UNNUMBERED) : last.position;
        return { entries, next: { ordinal, position: last.position } };
      }
      entries.push(toEntry(row, session));
      characters += row.text.length;
    }
    return { entries, next: undefined };
  }

  #iterate(sql: string, ...values: readonly SQLInputValue[]): Iterable<EntryColumns> {
    return this.#sql.iterate(sql, ...values) as Iterable<unknown> as Iterable<EntryColumns>;
  }
}
