import type { JudgeSnapshot, Lookups } from "@earshot/judge";
import { EarshotError, type ProtocolName } from "@earshot/protocol";
import type { RequestQuery, StoredRequest } from "../../request.ts";
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
import type { PostgresConnections, PostgresRow, Transaction } from "./connections.ts";
import { PostgresReader, type RunQuery } from "./postgres-reader.ts";
import { readSnapshot } from "./postgres-snapshot.ts";
import { withoutNul } from "./without-nul.ts";
import { writeRows } from "./write-rows.ts";

const CHANNEL = "earshot_commit";
const MAX_DELETED_ROWS = 2000;
/** A notification may be lost with its connection: other hubs' commits are noticed after this time at the latest. */
const POLL_MS = 250;

/**
 * The ledger's tables in PostgreSQL. The append lock is a row lock in `ledger`, held from before the lookups until the commit, so that
 * positions become visible in order in every process. A sequence would not do: its numbers become visible in any order.
 */
export class PostgresEngine implements LedgerEngine {
  readonly #connections: PostgresConnections;
  readonly #reader: PostgresReader;

  constructor(connections: PostgresConnections) {
    this.#connections = connections;
    this.#reader = new PostgresReader((text, values) => connections.query(text, values));
  }

  async append(lookups: Lookups, plan: (snapshot: JudgeSnapshot) => EngineWrites): Promise<void> {
    await this.#write(async (query, reader) => {
      await writeRows(plan(await readSnapshot(lookups, query, reader)), query);
    });
  }

  head(): Promise<number> {
    return this.#reader.head();
  }

  read(query: EntryQuery): Promise<EntryPage> {
    return this.#reader.read(query);
  }

  readSession(query: SessionQuery): Promise<SessionPage> {
    return this.#reader.readSession(query);
  }

  findSessions(id: string, protocol?: ProtocolName): Promise<readonly SessionInfo[]> {
    return this.#reader.findSessions(id, protocol);
  }

  requests(query: RequestQuery): Promise<readonly StoredRequest[]> {
    return this.#reader.requests(query);
  }

  refused(query: { readonly before?: number; readonly limit: number }) {
    return this.#reader.refused(query);
  }

  counts() {
    return this.#reader.counts();
  }

  removals({ after, limit }: RemovalQuery) {
    const sql = "SELECT number, line FROM tombstone WHERE number > $1 ORDER BY number LIMIT $2";
    return this.#connections.query<{ number: number; line: string }>(sql, [after, limit]);
  }

  checkpoints({ after, limit }: RemovalQuery): Promise<readonly CheckpointRow[]> {
    const sql = `SELECT number, up_to AS "upTo", line FROM seal WHERE number > $1 ORDER BY number LIMIT $2`;
    return this.#connections.query<CheckpointRow & PostgresRow>(sql, [after, limit]);
  }

  async lastCheckpoint(): Promise<CheckpointRow | undefined> {
    const sql = `SELECT number, up_to AS "upTo", line FROM seal ORDER BY number DESC LIMIT 1`;
    return (await this.#connections.query<CheckpointRow & PostgresRow>(sql))[0];
  }

  async unsigned(after: number, receivedBefore: number): Promise<UnsignedHeads> {
    // One transaction, because heads and counts must be of the same entries.
    return this.#connections.transact(async (transaction) => {
      await transaction.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
      const query = toQuery(transaction);
      const visible = "FROM entry JOIN session ON session.key = entry.session WHERE position > $1 AND position > cut";
      const heads = await query<{ session: number; position: number; hash: Buffer }>(
        `SELECT session, position, hash FROM entry WHERE position IN (SELECT max(position) ${visible} GROUP BY entry.session) ORDER BY position`,
        [after],
      );
      const [counts] = await query<{ entries: number; late: number; late_up_to: number }>(
        `SELECT count(*) AS entries, count(*) FILTER (WHERE received_at < $2) AS late,
          coalesce(max(position) FILTER (WHERE received_at < $2), 0) AS late_up_to ${visible}`,
        [after, receivedBefore],
      );
      return {
        heads: heads.map(({ session, position, hash }) => ({ session, position, hash: hash.toString("hex") })),
        entries: counts?.entries ?? 0,
        late: { entries: counts?.late ?? 0, upTo: counts?.late_up_to ?? 0 },
      };
    });
  }

  async addCheckpoint({ number, upTo, line }: CheckpointRow): Promise<boolean> {
    const sql = "INSERT INTO seal (number, up_to, line) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING number";
    return (await this.#connections.query(sql, [number, upTo, line])).length === 1;
  }

  beginCut(session: number, upTo: number, sign: (cut: PlannedCut) => string): Promise<{ readonly removal?: number } | undefined> {
    return this.#write(async (query, reader) => {
      const own = await reader.sessionOf(session);
      const found = "SELECT position, hash FROM entry WHERE session = $1 AND position <= $2 ORDER BY position DESC LIMIT 1";
      const [last] = await query<{ position: number; hash: Buffer }>(found, [session, upTo]);
      if (last === undefined) return undefined;
      const { position, hash: chainHead } = last;
      if (position <= own.cut) return {}; // remains of an earlier cut
      const counted = "SELECT count(*) AS entries FROM entry WHERE session = $1 AND position > $2 AND position <= $3";
      const [count] = await query<{ entries: number }>(counted, [session, own.cut, position]);
      const number = await nextRemoval(query);
      const cut = { number, session: toSessionInfo(own), after: own.cut, upTo: position, chainHead, entries: count?.entries ?? 0 };
      await addTombstone({ number, session, upTo: position, head: chainHead, line: sign(cut) }, query);
      const [ends] = await query<{ is_all: boolean }>("SELECT last = $2 AS is_all FROM session WHERE key = $1", [session, position]);
      const isAll = ends?.is_all === true;
      const state = isAll ? ", state = NULL, state_at = $2" : "";
      await query(`UPDATE session SET cut = $2${state} WHERE key = $1`, [session, position]);
      // An open request stays until it is decided, unless its whole session is removed.
      const settled = isAll ? "" : " AND state <> 'open'";
      await query(`DELETE FROM request WHERE session = $1 AND position <= $2${settled}`, [session, position]);
      return { removal: number };
    });
  }

  async deleteCut(session: number): Promise<number> {
    const { cut } = await this.#reader.sessionOf(session);
    const deleted = await this.#connections.query<{ entries: number }>(
      `WITH removed AS (SELECT position FROM entry WHERE session = $1 AND position <= $2 ORDER BY position DESC LIMIT ${MAX_DELETED_ROWS}),
        names AS (DELETE FROM answerable WHERE position IN (SELECT position FROM removed)),
        deleted AS (DELETE FROM entry WHERE position IN (SELECT position FROM removed) RETURNING octet_length(text) AS size),
        counted AS (UPDATE ledger SET bytes = bytes - (SELECT coalesce(sum(size), 0) FROM deleted) WHERE shard = 0)
      SELECT count(*) AS entries FROM deleted`,
      [session, cut],
    );
    return deleted[0]?.entries ?? 0;
  }

  async unfinishedCuts(): Promise<readonly number[]> {
    const remains = "EXISTS (SELECT 1 FROM entry WHERE entry.session = session.key AND position <= cut)";
    const rows = await this.#connections.query<{ key: number }>(`SELECT key FROM session WHERE cut > 0 AND ${remains}`);
    return rows.map(({ key }) => key);
  }

  erase(position: number, plan: (erasure: PlannedErasure) => ErasureWrites): Promise<number | undefined> {
    return this.#write(async (query, reader) => {
      const entry = await findEntry(position, query);
      const own = await reader.sessionOf(entry?.session ?? -1);
      if (entry === undefined || position <= own.cut) {
        throw new EarshotError({ code: "NOT_FOUND", message: `There is no entry at position ${position}.` });
      }
      if (entry.text === "") return undefined;
      const asks = await query("SELECT 1 FROM request WHERE position = $1 AND state = 'open'", [position]);
      if (asks.length > 0) {
        const message = `The entry at position ${position} asks something that nobody has answered yet.`;
        throw new EarshotError({ code: "WRONG_QUERY", message, hint: "Answer it first; then it can be erased." });
      }
      const number = await nextRemoval(query);
      const [stored] = await query<{ state: string | null }>("SELECT state FROM session WHERE key = $1", [own.key]);
      const before = await hashBefore(own.key, position, query);
      const erasing = plan({ number, session: toSessionInfo(own), before, entry, state: stored?.state ?? null });
      // An erasure is no cut, which would end a stretch of the chain. Its up_to of 0 places it before all of them.
      await addTombstone({ number, session: own.key, upTo: 0, head: Buffer.from(entry.hash, "hex"), line: erasing.line }, query);
      await query("UPDATE ledger SET bytes = bytes - $1 WHERE shard = 0", [Buffer.byteLength(entry.text)]);
      await query("UPDATE entry SET text = '', notes = NULL, said = $2 WHERE position = $1", [position, Buffer.from(erasing.said)]);
      await query("UPDATE request SET card = '{}' WHERE position = $1", [position]);
      await query("DELETE FROM answerable WHERE position = $1", [position]);
      await query("UPDATE session SET state = $2 WHERE key = $1", [own.key, erasing.state]);
      const isTold = "EXISTS (SELECT 1 FROM unnest($1::text[]) AS part WHERE strpos(refused.text || ' ' || refused.problem, part) > 0)";
      await query(`DELETE FROM refused WHERE ${isTold}`, [erasing.tellingParts.map(withoutNul)]);
      return number;
    });
  }

  /** PostgreSQL vacuums deleted rows. Its write-ahead log and backups are up to the administrator. */
  async purge(): Promise<boolean> {
    return true;
  }

  onCommit(listener: (head: number, removals: number) => void): () => void {
    const stop = new AbortController();
    let known = "";
    let isPolling = false;
    const poll = async () => {
      if (isPolling) return;
      isPolling = true;
      const state = await this.#readState().catch(() => undefined); // away; the next poll asks again
      isPolling = false;
      if (stop.signal.aborted || state === undefined || state.join(" ") === known) return;
      known = state.join(" ");
      listener(...state);
    };
    const listen = () => {
      if (stop.signal.aborted) return;
      const listenLater = () => setTimeout(listen, POLL_MS).unref();
      this.#connections.listen(CHANNEL, { onNotice: () => void poll(), onLost: listenLater, signal: stop.signal }).catch(listenLater);
    };
    listen();
    const timer = setInterval(() => void poll(), POLL_MS);
    stop.signal.addEventListener("abort", () => clearInterval(timer));
    return () => stop.abort();
  }

  /** The size of all texts. Tables do not shrink when rows are deleted, so their size says nothing about retention. */
  async space(): Promise<DiskSpace> {
    const [row] = await this.#connections.query<{ bytes: number }>("SELECT bytes FROM ledger WHERE shard = 0");
    return { fileBytes: row?.bytes ?? 0, freeBytes: 0 };
  }

  /** PostgreSQL reuses the space of deleted rows without shrinking its files. */
  async compact(): Promise<number> {
    return 0;
  }

  explain(error: unknown): unknown {
    return error;
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  /** The newest commit and removal. */
  async #readState(): Promise<[head: number, removals: number]> {
    const sql = "SELECT head, (SELECT coalesce(max(number), 0) FROM tombstone) AS removals FROM ledger WHERE shard = 0";
    const [row] = await this.#connections.query<{ head: number; removals: number }>(sql);
    return [row?.head ?? 0, row?.removals ?? 0];
  }

  /** Runs a transaction under the append lock, and wakes every hub when it commits. */
  #write<Result>(work: (query: RunQuery, reader: PostgresReader) => Promise<Result>): Promise<Result> {
    return this.#connections.transact(async (transaction) => {
      const query = toQuery(transaction);
      await query("SELECT head FROM ledger WHERE shard = 0 FOR UPDATE");
      const result = await work(query, new PostgresReader(query));
      await query(`NOTIFY ${CHANNEL}`);
      return result;
    });
  }
}

function toQuery(transaction: Transaction): RunQuery {
  return async (text, values = []) => (await transaction.query(text, [...values])).rows;
}

async function findEntry(position: number, query: RunQuery): Promise<HashedEntryRow | undefined> {
  const columns = `position, session, received_at AS "receivedAt", kind, verified, type, agent, sequence, identity, said, notes, text, hash, repeated, name_used_at AS "nameUsedAt"`;
  const [row] = await query<Omit<HashedEntryRow, "hash"> & { hash: Buffer } & PostgresRow>(
    `SELECT ${columns} FROM entry WHERE position = $1`,
    [position],
  );
  return row === undefined ? undefined : { ...row, hash: row.hash.toString("hex") };
}

/** Hash of the entry before a position, or of the last one cut there. */
async function hashBefore(session: number, position: number, query: RunQuery): Promise<Buffer | undefined> {
  const [row] = await query<{ hash: Buffer }>(
    `SELECT hash FROM ((SELECT position, hash FROM entry WHERE session = $1 AND position < $2 ORDER BY position DESC LIMIT 1)
      UNION ALL (SELECT up_to, head FROM tombstone WHERE session = $1 AND up_to > 0 AND up_to < $2 ORDER BY up_to DESC LIMIT 1)) AS before
      ORDER BY position DESC LIMIT 1`,
    [session, position],
  );
  return row?.hash;
}

async function nextRemoval(query: RunQuery): Promise<number> {
  const [row] = await query<{ number: number }>("SELECT coalesce(max(number), 0) + 1 AS number FROM tombstone");
  return row?.number ?? 1;
}

interface Tombstone {
  readonly number: number;
  readonly session: number;
  readonly upTo: number;
  readonly head: Buffer;
  readonly line: string;
}

async function addTombstone({ number, session, upTo, head, line }: Tombstone, query: RunQuery): Promise<void> {
  await query("INSERT INTO tombstone (number, session, up_to, head, line) VALUES ($1, $2, $3, $4, $5)", [
    number,
    session,
    upTo,
    head,
    line,
  ]);
}
