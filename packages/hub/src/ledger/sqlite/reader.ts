import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { ProtocolName } from "@earshot/protocol";
import type { Entry, Filter, Page, ReadQuery, SessionCursor, SessionInfo, SessionPage, SessionQuery } from "../ledger.ts";
import { entriesBy, FILED_UP_TO, UNFILED } from "./registers.ts";
import { ENTRY_COLUMNS, type EntryRow, fits, SESSION_COLUMNS, SESSION_JOIN, type SessionRow, toSessionInfo } from "./rows.ts";
import { toEntry } from "./to-entry.ts";

/** A page ends early when it has this much text, or when this many rows were looked at in vain. */
const PAGE_BYTES = 1 << 20;
const ROWS_LOOKED_AT = 2000;
const SESSIONS_AT_HAND = 10_000;

/** Reads pages. Each call is bounded in rows and bytes, so that none takes longer than a few milliseconds. */
export class Reader {
  readonly #db: DatabaseSync;
  readonly #all: StatementSync;
  readonly #ofSession: StatementSync;
  readonly #bySequence: StatementSync;
  readonly #unnumbered: StatementSync;
  readonly #session: StatementSync;
  readonly #sessionsOfId: StatementSync;
  readonly #sessions = new Map<number, SessionInfo>();
  readonly #severalSessions = new Map<number, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
    const ofSession = (where: string) => entriesBy("entry_by_session", ENTRY_COLUMNS, `session = ?1 AND ${where} AND text <> ''`);
    this.#all = db.prepare(`SELECT ${ENTRY_COLUMNS} FROM entry WHERE position > ? ORDER BY position LIMIT ?`);
    this.#ofSession = db.prepare(`${ofSession("position > ?2")} ORDER BY position LIMIT ?3`);
    this.#bySequence = db.prepare(
      `${entriesBy("entry_by_sequence", ENTRY_COLUMNS, "session = ?1 AND sequence >= ?2 AND (sequence, position) > (?2, ?3) AND text <> ''")} ORDER BY sequence, position LIMIT ?4`,
    );
    this.#unnumbered = db.prepare(`${ofSession("sequence IS NULL AND position > ?2")} ORDER BY position LIMIT ?3`);
    this.#session = db.prepare(`SELECT ${SESSION_COLUMNS} FROM ${SESSION_JOIN} WHERE session.key = ?`);
    this.#sessionsOfId = db.prepare(
      `SELECT ${SESSION_COLUMNS}, ifnull(newest, (SELECT max(position) FROM entry_by_session AS own WHERE own.session = session.key)) AS last
       FROM ${SESSION_JOIN}
       LEFT JOIN (SELECT session AS of, max(position) AS newest FROM ${UNFILED} GROUP BY session) ON of = session.key
       WHERE session.id = ? ORDER BY last DESC LIMIT 100`,
    );
  }

  read({ after, limit, filter = {} }: ReadQuery): Page {
    const { statement, values } = this.#statementFor(filter, after);
    const entries: Entry[] = [];
    let bytes = 0;
    let looked = 0;
    let upTo = after;
    for (const row of statement.iterate(...values, ROWS_LOOKED_AT) as Iterable<unknown> as Iterable<EntryRow>) {
      upTo = row.position;
      looked++;
      const session = this.sessionOf(row.session);
      if (fits(row, session, filter)) {
        entries.push(toEntry(row, session));
        bytes += row.text.length;
        if (entries.length >= limit || bytes >= PAGE_BYTES) return { entries, upTo };
      }
    }
    return { entries, upTo: looked === 0 ? after : upTo };
  }

  readSession({ session, after, limit }: SessionQuery): SessionPage {
    if (session.protocol !== "aop") return this.#page(this.#ofSession, [session.key, after?.position ?? 0], session, limit, false);
    if (after === undefined || after.ordinal < UNNUMBERED) {
      const from = after ?? { ordinal: -1, position: 0 };
      const page = this.#page(this.#bySequence, [session.key, from.ordinal, from.position], session, limit, true);
      if (page.next !== undefined) return page;
      if (page.entries.length > 0) return { entries: page.entries, next: { ordinal: UNNUMBERED, position: 0 } };
    }
    const position = after !== undefined && after.ordinal === UNNUMBERED ? after.position : 0;
    const page = this.#page(this.#unnumbered, [session.key, position], session, limit, false);
    return page.next === undefined ? page : { entries: page.entries, next: { ordinal: UNNUMBERED, position: page.next.position } };
  }

  findSessions(id: string, protocol?: ProtocolName): readonly SessionInfo[] {
    const rows = this.#sessionsOfId.all(id) as unknown as readonly (SessionRow & { readonly last: number | null })[];
    // Nothing was kept of a session whose events were all refused or cut.
    return rows
      .filter(({ last }) => last !== null)
      .map(toSessionInfo)
      .filter((session) => protocol === undefined || session.protocol === protocol);
  }

  sessionOf(key: number): SessionInfo {
    const known = this.#sessions.get(key);
    if (known !== undefined) return known;
    const row = this.#session.get(key) as unknown as SessionRow | undefined;
    if (row === undefined) return { key, protocol: "aop", source: "?", id: "?" };
    if (this.#sessions.size >= SESSIONS_AT_HAND) this.#sessions.clear();
    const session = toSessionInfo(row);
    this.#sessions.set(key, session);
    return session;
  }

  /** Keys handed out in a transaction that was undone mean nothing. */
  forget(): void {
    this.#sessions.clear();
  }

  #statementFor({ session, protocol }: Filter, after: number): { statement: StatementSync; values: readonly SQLInputValue[] } {
    if (session === undefined) return { statement: this.#all, values: [after] };
    const keys = this.findSessions(session)
      .filter((one) => protocol === undefined || protocol.includes(one.protocol))
      .map((one) => one.key);
    if (keys.length === 1) return { statement: this.#ofSession, values: [keys[0] ?? 0, after] };
    let statement = this.#severalSessions.get(keys.length);
    if (statement === undefined) {
      statement = this.#db.prepare(selectOfSessions(keys.length));
      this.#severalSessions.set(keys.length, statement);
    }
    return { statement, values: [...keys, after] };
  }

  #page(statement: StatementSync, values: readonly SQLInputValue[], session: SessionInfo, limit: number, numbered: boolean): SessionPage {
    const entries: Entry[] = [];
    let bytes = 0;
    let next: SessionCursor | undefined;
    for (const row of statement.iterate(...values, limit + 1) as Iterable<unknown> as Iterable<EntryRow>) {
      const last = entries.at(-1);
      if (last !== undefined && (entries.length >= limit || bytes >= PAGE_BYTES)) {
        next = { ordinal: numbered ? (last.sequence ?? 0) : last.position, position: last.position };
        break;
      }
      entries.push(toEntry(row, session));
      bytes += row.text.length;
    }
    return { entries, next };
  }
}

/** Where the entries begin that have no number: after all that have one. */
const UNNUMBERED = Number.MAX_SAFE_INTEGER;

/** Of `?1`, `?2` and so on, after the position that follows, at most as many as follows that: each session in its order, and all of them merged. */
function selectOfSessions(count: number): string {
  const sessions = Array.from({ length: count }, (_, index) => `?${index + 1}`);
  const after = `position > ?${count + 1}`;
  const filed = sessions.map(
    (session) => `SELECT position FROM entry_by_session WHERE session = ${session} AND ${after} AND position <= ${FILED_UP_TO}`,
  );
  const others = `SELECT position FROM ${UNFILED} AND +${after} AND session IN (${sessions.join(", ")})`;
  const positions = `${[...filed, others].join(" UNION ALL ")} ORDER BY position LIMIT ?${count + 2}`;
  return `SELECT ${ENTRY_COLUMNS} FROM entry WHERE position IN (${positions}) ORDER BY position`;
}
