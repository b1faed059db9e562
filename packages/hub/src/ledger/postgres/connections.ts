import { EarshotError } from "@earshot/protocol";
import pg from "pg";
import { POSTGRES_FORMAT, POSTGRES_MIGRATIONS, POSTGRES_SCHEMA, SCHEMA_NAME } from "./schema.ts";

/** A connection inside a transaction. Rows use column names, and positions are numbers. */
export type Transaction = Pick<pg.ClientBase, "query">;
export type PostgresRow = Readonly<Record<string, unknown>>;

export interface PostgresListenOptions {
  readonly onNotice: () => void;
  /** Called once if the connection ends before the signal aborts. */
  readonly onLost: () => void;
  readonly signal: AbortSignal;
}

const MAX_CONNECTIONS = 6;
const CONNECT_TIMEOUT_MS = 5000;
const STATEMENT_TIMEOUT_MS = 30_000;
/** A writer that stops inside a transaction would hold the append lock of all hubs. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;
const INT8 = 20;
/** Serializes the creation of the schema by several hubs. */
const SETUP_LOCK = 4_127_003_201;
/** Error classes of PostgreSQL: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const DISK_FULL = "53100";
const READ_ONLY = "25006";

const types = {
  // Positions, keys and times stay below 2^53.
  getTypeParser: (oid: number, format?: "text" | "binary") => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format as "text")),
};

export interface ConnectionLimits {
  readonly maxConnections?: number;
  readonly statementTimeoutMs?: number;
}

export interface PostgresConnectionsOptions extends ConnectionLimits {
  /** May refuse the database, in the transaction that prepares it. */
  readonly claim?: (transaction: Transaction) => Promise<void>;
}

/**
 * Connections to one PostgreSQL. The address may name several hosts, like libpq's: the first one that accepts writes is used, and after a
 * failover the next.
 */
export class PostgresConnections {
  readonly #configs: readonly pg.PoolConfig[];
  #host = 0;
  #pool: pg.Pool;
  #closed = false;
  readonly #claim: (transaction: Transaction) => Promise<void>;
  #preparing: Promise<void> | undefined;

  /** Connects with the first statement, and creates the tables where there are none. */
  constructor(address: string, { claim = async () => {}, ...limits }: PostgresConnectionsOptions = {}) {
    this.#claim = claim;
    this.#configs = readAddress(address, limits);
    this.#pool = createPool(this.#configs[0] ?? {});
  }

  async query<Row extends PostgresRow>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    await this.#prepared();
    return this.#withClient(async (client) => (await client.query<Row & pg.QueryResultRow>(text, [...values])).rows);
  }

  /** Commits what `work` wrote, or nothing. */
  async transact<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    await this.#prepared();
    return this.#transact(work);
  }

  /** Listens for notifications on its own connection until the signal aborts. Fulfills when it listens. */
  async listen(channel: string, { onNotice, onLost, signal }: PostgresListenOptions): Promise<void> {
    const client = new pg.Client(this.#configs[this.#host] ?? {});
    let isOver = false;
    const end = () => {
      isOver = true;
      void client.end().catch(() => {}); // lost already
    };
    const lose = () => {
      if (!isOver) onLost();
      isOver = true;
    };
    client.on("notification", onNotice);
    client.on("error", () => {}); // "end" follows
    try {
      await client.connect();
      client.on("end", lose);
      await client.query(`LISTEN ${channel}`);
    } catch (error) {
      end();
      throw error;
    }
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#pool.end();
  }

  #transact<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.#withClient(async (client) => {
      await client.query("BEGIN");
      try {
        const result = await work(client);
        await client.query("COMMIT");
        return result;
      } catch (error) {
        await client.query("ROLLBACK").catch(() => {}); // the connection is gone, and with it the transaction
        throw error;
      }
    });
  }

  async #withClient<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.#connect();
    let isLost = false;
    try {
      return await work(client);
    } catch (error) {
      isLost = isConnectionError(error);
      if (codeOf(error) === READ_ONLY) this.#tryNextHost(this.#pool);
      throw toStoreFailure(error);
    } finally {
      client.release(isLost);
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    let failure: unknown;
    for (const _host of this.#configs) {
      const pool = this.#pool;
      try {
        return await pool.connect();
      } catch (error) {
        failure = error;
        this.#tryNextHost(pool);
      }
    }
    throw toUnavailable(failure);
  }

  #tryNextHost(failed: pg.Pool): void {
    if (this.#configs.length < 2 || this.#pool !== failed || this.#closed) return;
    this.#host = (this.#host + 1) % this.#configs.length;
    this.#pool = createPool(this.#configs[this.#host] ?? {});
    void failed.end();
  }

  /** Fulfills when the tables exist. After a failure the next call tries again. */
  #prepared(): Promise<void> {
    this.#preparing ??= this.#prepare().catch((error: unknown) => {
      this.#preparing = undefined;
      throw error;
    });
    return this.#preparing;
  }

  async #prepare(): Promise<void> {
    await this.#transact(async (transaction) => {
      await transaction.query("SELECT pg_advisory_xact_lock($1)", [SETUP_LOCK]);
      const { rows } = await transaction.query("SELECT to_regclass($1) IS NOT NULL AS exists", [`${SCHEMA_NAME}.ledger`]);
      if (rows[0]?.["exists"] !== true) {
        await transaction.query(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA_NAME}`);
        await transaction.query(POSTGRES_SCHEMA);
      }
      const found = Number((await transaction.query("SELECT format FROM ledger WHERE shard = 0")).rows[0]?.["format"]);
      if (found <= POSTGRES_FORMAT) {
        for (const migration of POSTGRES_MIGRATIONS.slice(found - 1)) await transaction.query(migration);
        if (found < POSTGRES_FORMAT) await transaction.query("UPDATE ledger SET format = $1 WHERE shard = 0", [POSTGRES_FORMAT]);
        return this.#claim(transaction);
      }
      const message = `The ledger in PostgreSQL has format ${found}; this Earshot reads format ${POSTGRES_FORMAT} and older.`;
      throw new EarshotError({ code: "LEDGER_BROKEN", message, hint: "Start the version of Earshot that wrote it, or a newer one." });
    });
  }
}

function createPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on("error", () => {}); // an idle connection was lost; the next query opens another one
  // A connection lost between two statements emits an error; the next statement rejects.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** One configuration per host of `postgres://user@host1:5432,host2/database`. */
function readAddress(
  address: string,
  { maxConnections = MAX_CONNECTIONS, statementTimeoutMs = STATEMENT_TIMEOUT_MS }: ConnectionLimits,
): readonly pg.PoolConfig[] {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/.exec(address);
  if (parts === null) {
    const message = "The address of the store is not one of PostgreSQL.";
    throw new EarshotError({ code: "WRONG_USAGE", message, hint: "It looks like postgres://user@host:5432/database." });
  }
  const [, start = "", hosts = "", rest = ""] = parts;
  return hosts.split(",").map((host) => ({
    connectionString: `${start}${host}${rest}`,
    options: `-c search_path=${SCHEMA_NAME}`,
    application_name: "earshot",
    max: maxConnections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    types,
  }));
}

/** SQLSTATE of a server error. */
function codeOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error) || codeOf(error) !== undefined) return false;
  return "syscall" in error || /^(Connection terminated|timeout exceeded|Client (has|was)|Cannot use a pool)/.test(error.message);
}

/** Converts errors of the connection or the server. Errors thrown by a plan pass unchanged. */
function toStoreFailure(error: unknown): unknown {
  if (!isConnectionError(error) && codeOf(error) === undefined) return error;
  if (codeOf(error) === DISK_FULL) {
    return new EarshotError(
      { code: "STORAGE_FULL", message: "The disk of PostgreSQL is full: nothing of this was stored." },
      { cause: error },
    );
  }
  return toUnavailable(error);
}

function toUnavailable(error: unknown): EarshotError {
  const reason = error instanceof Error ? ` (${error.message})` : "";
  const message = `PostgreSQL cannot be reached, or refused${reason}: nothing of this was stored.`;
  return new EarshotError(
    { code: "LEDGER_UNAVAILABLE", message, hint: "Check that it runs and accepts connections, and try again." },
    { cause: error },
  );
}
