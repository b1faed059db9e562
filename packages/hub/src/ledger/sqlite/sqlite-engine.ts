import type { DatabaseSync } from "node:sqlite";
import type { JudgeSnapshot, Lookups } from "@earshot/judge";
import { EarshotError, type ProtocolName } from "@earshot/protocol";
import type { RequestQuery, StoredRequest } from "../../request.ts";
import { toLedgerFailure } from "../failures.ts";
import type { DiskSpace, EntryPage, EntryQuery, RemovalQuery, SessionInfo, SessionPage, SessionQuery } from "../ledger.ts";
import type {
  CheckpointRow,
  EngineWrites,
  ErasureWrites,
  HashedEntryRow,
  LedgerEngine,
  PlannedCut,
  PlannedErasure,
  UnsignedHeads,
} from "../ledger-engine.ts";
import { toSessionInfo } from "../stored-rows.ts";
import { LedgerReader } from "./ledger-reader.ts";
import { explainLedgerError } from "./open-file.ts";
import { SnapshotReader } from "./snapshot-reader.ts";
import { SQLITE_CODES, sqliteCode } from "./sqlite-error.ts";
import { Statements } from "./statements.ts";

const MAX_REFUSALS = 10_000;
/** Free pages kept in the file for new entries. */
const SPARE_PAGES = 256;
const PAGES_A_STEP = 128;
const INCREMENTAL = 2;
/** The number of rows deleted per step adapts between these limits to the last step's duration. */
const MIN_DELETED_ROWS = 64;
const MAX_DELETED_ROWS = 512;
const SHORT_STEP_MS = 4;
const LONG_STEP_MS = 10;

/** The ledger's tables in SQLite: one connection, plain indexes. */
export class SqliteEngine implements LedgerEngine {
  readonly #db: DatabaseSync;
  readonly #reader: LedgerReader;
  readonly #snapshots: SnapshotReader;
  readonly #sql: Statements;
  #deletedRows = MIN_DELETED_ROWS;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#sql = new Statements(db);
    this.#reader = new LedgerReader(this.#sql);
    this.#snapshots = new SnapshotReader(this.#sql, this.#reader);
  }

  async append(lookups: Lookups, plan: (snapshot: JudgeSnapshot) => EngineWrites): Promise<void> {
    this.#transact(() => this.#write(plan(this.#snapshots.read(lookups))));
  }

  async head(): Promise<number> {
    return this.#reader.head();
  }

  async read(query: EntryQuery): Promise<EntryPage> {
    return this.#reader.read(query);
  }

  async readSession(query: SessionQuery): Promise<SessionPage> {
    return this.#reader.readSession(query);
  }

  async findSessions(id: string, protocol?: ProtocolName): Promise<readonly SessionInfo[]> {
    return this.#reader.findSessions(id, protocol);
  }

  async requests(query: RequestQuery): Promise<readonly StoredRequest[]> {
    return this.#reader.requests(query);
  }

  async refused(query: { readonly before?: number; readonly limit: number }) {
    return this.#reader.refused(query);
  }

  async counts() {
    return this.#reader.counts();
  }

  async removals(query: RemovalQuery) {
    return this.#reader.removalLines(query);
  }

  async checkpoints({ after, limit }: RemovalQuery): Promise<readonly CheckpointRow[]> {
    const rows = this.#sql.all("SELECT number, up_to AS upTo, line FROM seal WHERE number > ? ORDER BY number LIMIT ?", after, limit);
    return rows as unknown as readonly CheckpointRow[];
  }

  async lastCheckpoint(): Promise<CheckpointRow | undefined> {
    const row = this.#sql.get("SELECT number, up_to AS upTo, line FROM seal ORDER BY number DESC LIMIT 1");
    return row as unknown as CheckpointRow | undefined;
  }

  async unsigned(after: number, receivedBefore: number): Promise<UnsignedHeads> {
    const last = "SELECT max(position) FROM entry WHERE position > ? GROUP BY session";
    const heads = this.#sql.all(`SELECT session, position, hash FROM entry WHERE position IN (${last}) ORDER BY position`, after);
    const counts = this.#sql.get(
      `SELECT count(*) AS entries, count(*) FILTER (WHERE received_at < ?2) AS late,
        ifnull(max(position) FILTER (WHERE received_at < ?2), 0) AS lateUpTo FROM entry WHERE position > ?1`,
      after,
      receivedBefore,
    );
    return {
      heads: heads.map(({ session, position, hash }) => ({ session: Number(session), position: Number(position), hash: toHex(hash) })),
      entries: Number(counts?.["entries"]),
      late: { entries: Number(counts?.["late"]), upTo: Number(counts?.["lateUpTo"]) },
    };
  }

  async addCheckpoint({ number, upTo, line }: CheckpointRow): Promise<boolean> {
    const sql = "INSERT INTO seal (number, up_to, line) VALUES (?, ?, ?) ON CONFLICT DO NOTHING";
    return this.#transact(() => this.#sql.run(sql, number, upTo, line) === 1);
  }

  async beginCut(session: number, upTo: number, sign: (cut: PlannedCut) => string) {
    return this.#transact(() => {
      const own = this.#reader.sessionOf(session);
      const found = "SELECT position, hash FROM entry WHERE session = ? AND position <= ? ORDER BY position DESC LIMIT 1";
      const last = this.#sql.get(found, session, upTo);
      if (last === undefined) return undefined;
      const position = Number(last["position"]);
      if (position <= own.cut) return {}; // remains of an earlier cut
      const counted = this.#sql.get(
        "SELECT count(*) AS n FROM entry WHERE session = ? AND position > ? AND position <= ?",
        session,
        own.cut,
        position,
      );
      const number = this.#nextRemoval();
      const chainHead = Buffer.from(last["hash"] as Uint8Array);
      const line = sign({
        number,
        session: toSessionInfo(own),
        after: own.cut,
        upTo: position,
        chainHead,
        entries: Number(counted?.["n"]),
      });
      this.#sql.run(
        "INSERT INTO tombstone (number, session, up_to, head, line) VALUES (?, ?, ?, ?, ?)",
        number,
        session,
        position,
        chainHead,
        line,
      );
      const isAll = this.#sql.get("SELECT last FROM session WHERE key = ?", session)?.["last"] === position;
      this.#sql.run("UPDATE session SET cut = ? WHERE key = ?", position, session);
      if (isAll) this.#sql.run("UPDATE session SET state = NULL, state_at = cut WHERE key = ?", session);
      // An open request stays until it is decided, unless its whole session is removed.
      const settled = isAll ? "" : " AND state <> 'open'";
      this.#sql.run(`DELETE FROM request WHERE session = ? AND position <= ?${settled}`, session, position);
      return { removal: number };
    });
  }

  async deleteCut(session: number): Promise<number> {
    const { cut } = this.#reader.sessionOf(session);
    const began = performance.now();
    const deleted = this.#transact(() => {
      const some = "SELECT position FROM entry WHERE session = ? AND position <= ? ORDER BY position DESC LIMIT ?";
      this.#sql.run(`DELETE FROM answerable WHERE position IN (${some})`, session, cut, this.#deletedRows);
      return this.#sql.run(`DELETE FROM entry WHERE position IN (${some})`, session, cut, this.#deletedRows);
    });
    const tookMs = performance.now() - began;
    if (tookMs > LONG_STEP_MS) this.#deletedRows = Math.max(MIN_DELETED_ROWS, this.#deletedRows >> 1);
    else if (tookMs < SHORT_STEP_MS) this.#deletedRows = Math.min(MAX_DELETED_ROWS, this.#deletedRows << 1);
    return deleted;
  }

  async unfinishedCuts(): Promise<readonly number[]> {
    const rows = this.#sql.all(
      "SELECT key FROM session WHERE cut > 0 AND EXISTS (SELECT 1 FROM entry WHERE entry.session = key AND position <= cut)",
    );
    return rows.map(({ key }) => Number(key));
  }

  async erase(position: number, plan: (erasure: PlannedErasure) => ErasureWrites) {
    return this.#transact(() => {
      const entry = this.#findEntry(position);
      const own = this.#reader.sessionOf(entry?.session ?? -1);
      if (entry === undefined || position <= own.cut) {
        throw new EarshotError({ code: "NOT_FOUND", message: `There is no entry at position ${position}.` });
      }
      if (entry.text === "") return undefined;
      if (this.#sql.get("SELECT 1 FROM request WHERE position = ? AND state = 'open'", position) !== undefined) {
        const message = `The entry at position ${position} asks something that nobody has answered yet.`;
        throw new EarshotError({ code: "WRONG_QUERY", message, hint: "Answer it first; then it can be erased." });
      }
      const number = this.#nextRemoval();
      const state = this.#sql.get("SELECT state FROM session WHERE key = ?", own.key)?.["state"] as string | null;
      const erasing = plan({ number, session: toSessionInfo(own), before: this.#hashBefore(own.key, position), entry, state });
      // Not a cut, which would end a stretch of the chain, so it is placed before all of them.
      const head = Buffer.from(entry.hash, "hex");
      this.#sql.run(
        "INSERT INTO tombstone (number, session, up_to, head, line) VALUES (?, ?, 0, ?, ?)",
        number,
        own.key,
        head,
        erasing.line,
      );
      this.#sql.run("UPDATE entry SET text = '', notes = NULL, said = ? WHERE position = ?", erasing.said, position);
      this.#sql.run("UPDATE request SET card = '{}' WHERE position = ?", position);
      this.#sql.run("DELETE FROM answerable WHERE position = ?", position);
      this.#sql.run("UPDATE session SET state = ? WHERE key = ?", erasing.state, own.key);
      const isTold = "EXISTS (SELECT 1 FROM json_each(?) WHERE instr(refused.text || ' ' || refused.problem, value) > 0)";
      this.#sql.run(`DELETE FROM refused WHERE ${isTold}`, JSON.stringify(erasing.tellingParts));
      return number;
    });
  }

  async purge(): Promise<boolean> {
    const timeout = Number(this.#sql.get("PRAGMA busy_timeout")?.["timeout"]);
    this.#db.exec("PRAGMA busy_timeout = 0"); // at once or not at all: nobody waits here for a reader
    try {
      return this.#sql.get("PRAGMA wal_checkpoint(TRUNCATE)")?.["busy"] === 0;
    } finally {
      this.#db.exec(`PRAGMA busy_timeout = ${timeout}`);
    }
  }

  /** The lock file keeps other processes away. */
  onCommit(): () => void {
    return () => {};
  }

  async space(): Promise<DiskSpace> {
    const pageBytes = this.#pragma("page_size");
    return { fileBytes: this.#pragma("page_count") * pageBytes, freeBytes: this.#pragma("freelist_count") * pageBytes };
  }

  async compact(): Promise<number> {
    const pages = Math.min(PAGES_A_STEP, this.#pragma("freelist_count") - SPARE_PAGES);
    if (pages <= 0 || this.#pragma("auto_vacuum") !== INCREMENTAL) return 0;
    const before = this.#pragma("page_count");
    this.#db.exec(`PRAGMA incremental_vacuum(${pages})`);
    // Pages move to the file's front; without a checkpoint the WAL would hold all of them as well.
    this.#db.exec("PRAGMA wal_checkpoint(PASSIVE)");
    return (before - this.#pragma("page_count")) * this.#pragma("page_size");
  }

  explain(error: unknown): unknown {
    const code = sqliteCode(error);
    const isDamaged = code === SQLITE_CODES.CORRUPT || code === SQLITE_CODES.NOTADB;
    return isDamaged ? explainLedgerError(this.#db.location() ?? "The ledger", error) : error;
  }

  async close(): Promise<void> {
    this.#db.close();
  }

  #write({ head, sources, sessions, entries, names, requests, chainHeads, refusals, counts }: EngineWrites): void {
    for (const { key, protocol, source } of sources) {
      this.#sql.run("INSERT INTO source (key, protocol, name) VALUES (?, ?, ?)", key, protocol, source);
    }
    for (const { key, sourceKey, id, isNew, last, state } of sessions) {
      const hash = Buffer.from(chainHeads.get(key) ?? "", "hex");
      if (isNew) this.#sql.run("INSERT INTO session (key, source, id, last, head) VALUES (?, ?, ?, ?, ?)", key, sourceKey, id, last, hash);
      else if (chainHeads.has(key)) this.#sql.run("UPDATE session SET last = ?, head = ? WHERE key = ?", last, hash, key);
      if (state !== undefined) this.#sql.run("UPDATE session SET state_at = ?, state = ? WHERE key = ?", state.at, state.json, key);
    }
    for (const entry of entries) this.#insertEntry(entry);
    for (const { sourceKey, name, agent, session, position } of names) {
      this.#sql.run("INSERT OR IGNORE INTO answerable VALUES (?, ?, ?, ?, ?)", sourceKey, name, agent, session, position);
    }
    for (const { id, kind, position, sessionKey, openedAt, deadlineAt, state, card, digest, settledBy } of requests) {
      const columns = "id, kind, position, session, opened_at, deadline_at, state, card, digest, settled_by";
      const update = "deadline_at = excluded.deadline_at, state = excluded.state, settled_by = excluded.settled_by";
      const sql = `INSERT INTO request (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET ${update}`;
      this.#sql.run(sql, id, kind, position, sessionKey, openedAt, deadlineAt, state, card, digest, settledBy);
    }
    if (entries.length > 0) this.#sql.run("UPDATE ledger SET head = ?", head);
    this.#writeRefusals(refusals, counts);
  }

  #insertEntry(row: HashedEntryRow): void {
    const { position, session, receivedAt, kind, verified, type, agent, sequence, identity, said, notes, text, hash } = row;
    const sql = "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    const what = [type, agent, sequence, identity, said, notes, text, Buffer.from(hash, "hex")] as const;
    this.#sql.run(sql, position, session, receivedAt, kind, verified, ...what, row.repeated, row.nameUsedAt);
  }

  #writeRefusals(refusals: EngineWrites["refusals"], counts: EngineWrites["counts"]): void {
    for (const { receivedAt, source, problem, text, sizeBytes } of refusals) {
      const sql = "INSERT INTO refused (received_at, source, problem, text, size_bytes) VALUES (?, ?, ?, ?, ?)";
      this.#sql.run(sql, receivedAt, source, JSON.stringify(problem), text, sizeBytes);
    }
    if (refusals.length > 0) this.#sql.run("DELETE FROM refused WHERE number <= (SELECT max(number) FROM refused) - ?", MAX_REFUSALS);
    for (const { what, source, howMany, lastAt } of counts) {
      const update = "how_many = how_many + excluded.how_many, last_at = excluded.last_at";
      this.#sql.run(`INSERT INTO count VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET ${update}`, what, source, howMany, lastAt);
    }
  }

  #findEntry(position: number): HashedEntryRow | undefined {
    const columns =
      "position, session, received_at AS receivedAt, kind, verified, type, agent, sequence, identity, said, notes, text, hash, repeated, name_used_at AS nameUsedAt";
    const row = this.#sql.get(`SELECT ${columns} FROM entry WHERE position = ?`, position);
    if (row === undefined) return undefined;
    return { ...(row as unknown as HashedEntryRow), hash: toHex(row["hash"]) };
  }

  /** Of the entry before a position, or the last one cut there. */
  #hashBefore(session: number, position: number): Buffer | undefined {
    const sql = `SELECT * FROM (SELECT position, hash FROM entry WHERE session = ?1 AND position < ?2 ORDER BY position DESC LIMIT 1)
      UNION ALL SELECT * FROM (SELECT up_to, head FROM tombstone WHERE session = ?1 AND up_to > 0 AND up_to < ?2 ORDER BY up_to DESC LIMIT 1)
      ORDER BY 1 DESC LIMIT 1`;
    const row = this.#sql.get(sql, session, position);
    return row === undefined ? undefined : Buffer.from(row["hash"] as Uint8Array);
  }

  #nextRemoval(): number {
    return Number(this.#sql.get("SELECT ifnull(max(number), 0) + 1 AS number FROM tombstone")?.["number"]);
  }

  #transact<Result>(work: () => Result): Result {
    try {
      this.#sql.run("BEGIN IMMEDIATE");
      const result = work();
      this.#sql.run("COMMIT");
      return result;
    } catch (error) {
      try {
        if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      } catch {
        // SQLite has rolled back by itself.
      }
      throw "errcode" in Object(error) ? toLedgerFailure(error) : error;
    }
  }

  #pragma(name: "page_size" | "page_count" | "freelist_count" | "auto_vacuum"): number {
    return Number(this.#sql.get(`PRAGMA ${name}`)?.[name]);
  }
}

function toHex(bytes: unknown): string {
  return Buffer.from(bytes as Uint8Array).toString("hex");
}
