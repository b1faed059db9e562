import type { PostgresConnections, PostgresRow } from "../ledger/postgres/connections.ts";
import { DATABASE_NOW, LEASE } from "../ledger/postgres/schema.ts";
import type { Cluster, ExchangedState, HubMember, SharedDocuments } from "./cluster.ts";

const BEAT_MS = 1000;
/** A lease ends this long after its holder's last beat. A hub whose last beat is older than this does not run. */
export const LEASE_MS = 5000;
/** Polls within this time are passed on: longer than two beats, shorter than an asker needs to be taken for gone. */
export const HEARD_MS = 3000;
const FORGOTTEN_MS = 86_400_000;

export interface MemberOptions {
  readonly url: string;
  readonly version: string;
  readonly onFailure: (error: unknown) => void;
}

type Beat = { readonly now: number; readonly fence: number | null; readonly acted_at: number };

/**
 * One hub among those on a database: its row, the lease, and what it exchanges with the others. All times are those of the database, so
 * the clocks of the machines may differ. A hub that cannot reach the database loses its lease by its own clock before another can take it.
 */
export class ClusterMember implements Cluster {
  readonly isAlone = false;
  readonly documents: SharedDocuments;
  readonly #connections: PostgresConnections;
  readonly #options: MemberOptions;
  readonly #number: number;
  readonly #timer: NodeJS.Timeout;
  readonly #followed = new Map<string, { version: number; readonly changed: (text: string) => void }>();
  #exchanged: ExchangedState | undefined;
  /** Milliseconds between this machine's clock and the database's. */
  #offsetMs = 0;
  #reachedAt = Number.NEGATIVE_INFINITY;
  #lease: { readonly fence: number; readonly until: number } | undefined;
  /** One change at a time: a second one would only wait for the lock, on a connection that beats need. */
  #changing: Promise<void> = Promise.resolve();
  #beating: Promise<void> | undefined;
  #isClosed = false;

  static async join(connections: PostgresConnections, options: MemberOptions): Promise<ClusterMember> {
    const [row] = await connections.query<{ number: number }>(
      `WITH time AS (SELECT ${DATABASE_NOW} AS now), gone AS (DELETE FROM hub WHERE seen_at < (SELECT now FROM time) - ${FORGOTTEN_MS})
        INSERT INTO hub (url, version, started_at, seen_at) SELECT $1, $2, now, now FROM time RETURNING number`,
      [options.url, options.version],
    );
    const member = new ClusterMember(connections, options, row?.number ?? 0);
    await member.#beat();
    return member;
  }

  private constructor(connections: PostgresConnections, options: MemberOptions, number: number) {
    this.#connections = connections;
    this.#options = options;
    this.#number = number;
    this.documents = {
      change: (name, change) => this.#changeDocument(name, change),
      follow: (name, changed) => void this.#followed.set(name, { version: -1, changed }),
    };
    this.#timer = setInterval(() => void this.beat(), BEAT_MS).unref();
  }

  readonly now = (): number => Date.now() + this.#offsetMs;

  readonly fence = (): number | undefined =>
    this.#lease !== undefined && performance.now() < this.#lease.until ? this.#lease.fence : undefined;

  readonly isReachable = (): boolean => performance.now() - this.#reachedAt < LEASE_MS;

  async members(): Promise<readonly HubMember[]> {
    return this.#connections.query<HubMember & PostgresRow>(
      `WITH time AS (SELECT ${DATABASE_NOW} AS now)
        SELECT url, version, started_at AS "startedAt", now - seen_at AS "seenAgoMs", now - seen_at < ${LEASE_MS} AS "isAlive",
          greatest(0, head - position) AS lag, (SELECT fence FROM lease WHERE lease.hub = hub.number AND until > now) AS fence
        FROM time, hub, ledger WHERE shard = 0 ORDER BY number`,
    );
  }

  exchange(exchanged: ExchangedState): void {
    this.#exchanged = exchanged;
    void this.beat();
  }

  /** Renews what this hub holds. While the database is away nothing is renewed. */
  beat(): Promise<void> {
    this.#beating ??= this.#beat()
      .catch((error: unknown) => {
        if (!this.#isClosed) this.#options.onFailure(error);
      })
      .finally(() => {
        this.#beating = undefined;
      });
    return this.#beating;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#beating;
    const leave = `WITH lease AS (UPDATE lease SET until = 0 WHERE hub = $1) DELETE FROM hub WHERE number = $1`;
    await this.#connections.query(leave, [this.#number]).catch(() => {}); // the database is away: the others see that the beats have ended
    await this.#connections.close();
  }

  async #beat(): Promise<void> {
    const began = performance.now();
    const { actedAt = () => 0, position = () => 0 } = this.#exchanged ?? {};
    const [beat] = await this.#connections.query<Beat>(
      `WITH time AS (SELECT ${DATABASE_NOW} AS now),
        beat AS (UPDATE hub SET seen_at = now, position = $2, acted_at = $3 FROM time WHERE number = $1),
        taken AS (INSERT INTO lease (name, hub, fence, until) SELECT '${LEASE}', $1, 1, now + ${LEASE_MS} FROM time
          ON CONFLICT (name) DO UPDATE SET hub = excluded.hub, until = excluded.until,
            fence = lease.fence + CASE WHEN lease.hub = excluded.hub THEN 0 ELSE 1 END
          WHERE lease.hub = excluded.hub OR lease.until < (SELECT now FROM time) RETURNING fence)
      SELECT now, (SELECT fence FROM taken) AS fence, (SELECT coalesce(max(acted_at), 0) FROM hub) AS acted_at FROM time`,
      [this.#number, position(), Math.round(actedAt())],
    );
    if (beat === undefined) return;
    this.#reachedAt = performance.now();
    // The database looked at its clock between the two.
    this.#offsetMs = Math.round(beat.now - (Date.now() - (performance.now() - began) / 2));
    this.#lease = beat.fence === null ? undefined : { fence: beat.fence, until: began + LEASE_MS };
    if (this.#exchanged === undefined) return;
    this.#exchanged.onActed(beat.acted_at);
    await this.#exchangePolls(this.#exchanged);
    await this.#checkDocuments();
  }

  async #exchangePolls({ polled, onPolled }: ExchangedState): Promise<void> {
    const own = polled();
    if (own.length > 0) {
      await this.#connections.query(`UPDATE request SET heard_at = ${DATABASE_NOW} WHERE id = ANY($1) AND state = 'open'`, [own]);
    }
    const heard = await this.#connections.query<{ id: string }>(
      `SELECT id FROM request WHERE state = 'open' AND heard_at > ${DATABASE_NOW} - ${HEARD_MS}`,
    );
    onPolled(heard.map(({ id }) => id));
  }

  #changeDocument(name: string, change: (text: string) => string): Promise<void> {
    const changed = this.#changing.then(() =>
      this.#connections.transact(async (transaction) => {
        await transaction.query("INSERT INTO document (name, version, text) VALUES ($1, 0, '') ON CONFLICT DO NOTHING", [name]);
        const { rows } = await transaction.query("SELECT text FROM document WHERE name = $1 FOR UPDATE", [name]);
        const before = String(rows[0]?.["text"]);
        const after = change(before);
        if (after === before) return;
        await transaction.query("UPDATE document SET version = version + 1, text = $2 WHERE name = $1", [name, after]);
      }),
    );
    this.#changing = changed.catch(() => {}); // the caller gets the failure
    return changed;
  }

  async #checkDocuments(): Promise<void> {
    if (this.#followed.size === 0) return;
    const rows = await this.#connections.query<{ name: string; version: number }>("SELECT name, version FROM document");
    for (const { name, version } of rows) {
      const followed = this.#followed.get(name);
      if (followed === undefined || followed.version === version) continue;
      const [row] = await this.#connections.query<{ version: number; text: string }>("SELECT version, text FROM document WHERE name = $1", [
        name,
      ]);
      if (row === undefined) continue;
      followed.version = row.version;
      followed.changed(row.text);
    }
  }
}
