import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import pg from "pg";
import { becomeAdmin, callJson as call } from "../../packages/hub/src/access/testing/test-device.ts";
import { deriveSharedSecrets } from "../../packages/hub/src/cluster/shared-secrets.ts";
import { hubHomeOf } from "../../packages/hub/src/home.ts";
import { createLifecycle } from "../../packages/hub/src/intake/lifecycle.ts";
import type { Ledger } from "../../packages/hub/src/ledger/ledger.ts";
import { openPostgresLedger } from "../../packages/hub/src/ledger/postgres/open-ledger.ts";
import { hookEventNow } from "../../packages/hub/src/requests/testing/asked-now.ts";
import { startPostgres } from "../../tools/postgres.ts";
import { verify } from "../durability/kills.ts";
import { aopEvent, freePort, type HubProcess, startHub } from "../hub/hub-process.ts";

export interface DrillOptions {
  readonly seconds: number;
  readonly writers: number;
  readonly listeners: number;
  /** Whether the hubs run from source with a defect of `mutate.ts`. */
  readonly isMutant?: boolean;
  readonly log: (line: string) => void;
}

export interface DrillReport {
  readonly acknowledged: number;
  readonly hubKills: number;
  readonly databaseRestarts: number;
  readonly requests: number;
  /** Acknowledged events that are not at their position, or not at all. */
  readonly lost: number;
  /** Events of a session that stand in the ledger more than once. */
  readonly duplicated: number;
  /** Positions that a listener skipped or got twice. */
  readonly misheard: number;
  /** Requests with more than one decision, or with none. */
  readonly misdecided: number;
  /** Requests ended by a process with an older number of the lease than the newest. */
  readonly usurped: number;
  /** Events of other hubs that did not reach a listener when their notifications were lost. */
  readonly unheard: number;
  readonly verifies: boolean;
}

const HUBS = 3;
const LOST_NOTIFICATIONS = 5;
/** Listeners that have not got everything after this time have lost it: hubs poll every 250 ms. */
const CATCH_UP_MS = 30_000;
const SOURCE = {
  bin: resolve(import.meta.dirname, "../../packages/cli/bin/earshot.cjs"),
  nodeArguments: ["--import", resolve(import.meta.dirname, "mutate.ts")],
};
/** Kills of hubs. */
const RESTART_DATABASE_EVERY = 3;

type Headers = Readonly<Record<string, string>>;

export function isFaultless({ lost, duplicated, misheard, misdecided, usurped, unheard, verifies }: DrillReport): boolean {
  return verifies && lost + duplicated + misheard + misdecided + usurped + unheard === 0;
}

/**
 * Three hubs on one PostgreSQL, while hubs are killed at random and the database restarts: writers send each event until it is
 * acknowledged, listeners resume after their position at another hub, and requests are asked at one hub and answered at all of them.
 */
export async function runDrill({ seconds, writers, listeners, isMutant = false, log }: DrillOptions): Promise<DrillReport> {
  await using open = new AsyncDisposableStack();
  const server = open.use(await startPostgres());
  const store = await server.createDatabase("drill");
  const folder = mkdtempSync(join(tmpdir(), "earshot-drill-"));
  open.defer(() => rmSync(folder, { recursive: true, force: true }));
  const clusterKey = join(folder, "cluster.key");
  writeFileSync(clusterKey, "k".repeat(40));
  const ports: number[] = [];
  for (let index = 0; index < HUBS; index++) ports.push(await freePort());
  const env = { EARSHOT_CLUSTER_KEY_FILE: clusterKey };
  const start = (index: number, awaitsReady = true) =>
    startHub({
      home: join(folder, `hub${index}`),
      port: ports[index] ?? 0,
      args: ["--store", store],
      env,
      awaitsReady,
      ...(isMutant ? SOURCE : {}),
    });
  const hubs: HubProcess[] = [];
  open.defer(async () => void (await Promise.all(hubs.map((hub) => hub.kill("SIGKILL")))));
  hubs.push(...(await Promise.all(ports.map((_port, index) => start(index)))));
  const urlOf = (index: number) => `http://127.0.0.1:${ports[index % HUBS]}`;
  const viewer = hubs[0]?.viewer() ?? {};
  const producer: Headers = { authorization: `Bearer ${readFileSync(join(folder, "hub0", "producer.token"), "utf8").trim()}` };
  const admin = await becomeAdmin(urlOf(0), viewer);
  const { token } = await call(urlOf(0), "/api/tokens", { name: "phone", role: "approver", owner: "drill" }, admin);
  const approver: Headers = { authorization: `Bearer ${String(token)}` };

  const pool = new pg.Pool({ connectionString: store, max: 2 });
  pool.on("error", () => {}); // PostgreSQL restarts
  open.defer(() => pool.end());
  await pool.query("CREATE SEQUENCE public.drill");
  const zombie = openZombie(folder, clusterKey, store);
  open.defer(() => zombie.close());
  let usurped = 0;

  const until = performance.now() + seconds * 1000;
  const isOver = () => performance.now() > until;
  const acknowledged = new Map<string, number>();
  const ids = new Set<string>();
  const heard = Array.from({ length: listeners }, () => [] as number[]);
  let isListening = true;

  const work = [
    ...Array.from({ length: writers }, async (_, writer) => {
      for (let sequence = 1; !isOver(); sequence++) acknowledged.set(`w${writer} ${sequence}`, await send(writer, sequence));
    }),
    ...Array.from({ length: 4 }, async (_, asker) => {
      for (let number = 1; !isOver(); number++) await askAndAnswer(`asked ${asker} ${number}`, asker + number);
    }),
  ];
  const listening = heard.map((positions, listener) => listen(positions, listener));
  const { hubKills, databaseRestarts } = await disturb();
  await Promise.all(work);
  await server.start().catch(() => {}); // it runs already
  for (let index = 0; index < HUBS; index++) await hubs[index]?.ready();
  const unheard = await loseNotifications();
  const head = Number((await pool.query("SELECT head FROM earshot.ledger")).rows[0]?.head);
  if (unheard === 0) await haveReached(head);
  isListening = false;
  await Promise.all(listening);

  const stored = new Map<string, number[]>();
  const entries = (
    await pool.query<{ key: string; position: string }>(
      "SELECT session.id || ' ' || sequence AS key, position FROM earshot.entry JOIN earshot.session ON key = entry.session WHERE sequence IS NOT NULL",
    )
  ).rows;
  for (const { key, position } of entries) stored.set(key, [...(stored.get(key) ?? []), Number(position)]);
  const all = (
    await pool.query<{ position: string }>("SELECT position FROM earshot.entry WHERE position <= $1 ORDER BY position", [head])
  ).rows.map(({ position }) => Number(position));
  const decisions = (
    await pool.query<{ request: string }>(
      "SELECT text::json ->> 'request' AS request FROM earshot.entry WHERE kind = 2 AND type = 'decision'",
    )
  ).rows;
  const made = new Map<string, number>();
  for (const { request } of decisions) made.set(request, (made.get(request) ?? 0) + 1);
  const verification = await verify(hubs[0] as HubProcess);
  if (verification["ok"] !== true) log(JSON.stringify(verification));
  return {
    acknowledged: acknowledged.size,
    hubKills,
    databaseRestarts,
    requests: ids.size,
    lost: [...acknowledged].filter(([key, position]) => !(stored.get(key) ?? []).includes(position)).length,
    duplicated: [...stored.values()].filter(({ length }) => length > 1).length,
    misheard: heard.filter((positions) => JSON.stringify(positions.filter((position) => position <= head)) !== JSON.stringify(all)).length,
    misdecided: [...ids].filter((id) => made.get(id) !== 1).length,
    usurped,
    unheard,
    verifies: verification["ok"] === true,
  };

  /** Sends an event to one hub after the other until one of them has acknowledged it. Gives its position. */
  async function send(writer: number, sequence: number): Promise<number> {
    const body = aopEvent({ session: `w${writer}`, sequence });
    for (let attempt = writer + sequence; ; attempt++) {
      try {
        const response = await fetch(`${urlOf(attempt)}/v1/events`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body,
        });
        if (response.ok) return ((await response.json()) as { readonly position: number }).position;
      } catch {} // that hub was killed
      await pause(50);
    }
  }

  async function listen(positions: number[], listener: number): Promise<void> {
    for (let attempt = listener; isListening; attempt++) {
      const stop = new AbortController();
      const timer = setInterval(() => {
        if (!isListening) stop.abort();
      }, 100);
      try {
        const response = await fetch(`${urlOf(attempt)}/api/live?after=${positions.at(-1) ?? 0}`, { headers: viewer, signal: stop.signal });
        let rest = "";
        for await (const chunk of response.body ?? []) {
          const lines = (rest + Buffer.from(chunk).toString("latin1")).split("\n");
          rest = lines.pop() ?? "";
          for (const line of lines) {
            const position = /^data: \{"position":(\d+)/.exec(line)?.[1];
            if (position !== undefined) positions.push(Number(position));
          }
        }
      } catch {} // that hub was killed, or it is over
      clearInterval(timer);
      await pause(50);
    }
  }

  /** Asks at one hub, waits there or elsewhere, and answers at all hubs at once. */
  async function askAndAnswer(text: string, first: number): Promise<void> {
    const event = hookEventNow(text, { session: { id: text } });
    const id = await retry(first, async (url) =>
      String((await call(url, "/aep/v1/hooks?asks=1&dialog=1&wait=0", event, producer))["request"]),
    );
    ids.add(id);
    const digest = await retry(first + 1, async (url) => String((await call(url, `/api/requests/${id}`, undefined, viewer))["digest"]));
    await usurp(id, digest);
    await Promise.allSettled(
      [0, 1, 2].map((index) => {
        const answer = index % 2 === 0 ? "allow" : "deny";
        return call(urlOf(index), `/api/requests/${id}/answer`, { digest, answer }, approver);
      }),
    );
    // A request whose answers came to no hub is asked and answered again, until it has ended.
    await retry(first + 2, async (url) => {
      const view = await call(url, `/api/requests/${id}`, undefined, viewer);
      if (view["state"] !== "open") return;
      await call(url, "/aep/v1/hooks?asks=1&dialog=1&wait=0", event, producer);
      await call(url, `/api/requests/${id}/answer`, { digest, answer: "deny" }, approver);
      throw new Error("It may be open still.");
    });
  }

  /** Ends a request as a hub would that lost the lease without noticing. */
  async function usurp(id: string, digest: string): Promise<void> {
    try {
      const fence = Number((await pool.query("SELECT fence - 1 AS fence FROM earshot.lease")).rows[0]?.fence);
      const ending = { requestId: id, state: "orphaned", digest, by: "hub", answer: '{"word":"deny"}', fence } as const;
      if ((await zombie.settle(ending)).ok) usurped++;
    } catch {} // PostgreSQL is away
  }

  /** Stores events at one hub while no connection of any hub listens, and counts those that did not reach every listener. */
  async function loseNotifications(): Promise<number> {
    for (let lost = 1; lost <= LOST_NOTIFICATIONS; lost++) {
      let isStored = false;
      const endListening = async () => {
        while (!isStored) await pool.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN %'");
      };
      const ending = endListening();
      const position = await send(writers, lost);
      isStored = true;
      await ending;
      if (!(await haveReached(position))) return 1;
    }
    return 0;
  }

  async function haveReached(position: number): Promise<boolean> {
    const giveUpAt = performance.now() + CATCH_UP_MS;
    while (heard.some((positions) => (positions.at(-1) ?? 0) < position)) {
      if (performance.now() > giveUpAt) return false;
      await pause(100);
    }
    return true;
  }

  async function retry<Result>(first: number, work: (url: string) => Promise<Result>): Promise<Result> {
    for (let attempt = first; ; attempt++) {
      try {
        return await work(urlOf(attempt));
      } catch {} // that hub was killed, or has not heard of it yet
      await pause(100);
    }
  }

  async function disturb(): Promise<Pick<DrillReport, "hubKills" | "databaseRestarts">> {
    let kills = 0;
    let restarts = 0;
    while (!isOver()) {
      await pause(1000 + Math.random() * 3000);
      if ((kills + 1) % RESTART_DATABASE_EVERY === 0) {
        await server.kill();
        await server.start();
        restarts++;
      }
      const index = Math.floor(Math.random() * HUBS);
      await hubs[index]?.kill("SIGKILL");
      kills++;
      hubs[index] = await start(index, false);
      await hubs[index]?.ready().catch(async () => {
        hubs[index] = await start(index); // it ended because the database was away when it started
      });
      log(`${kills} hubs killed, ${restarts} restarts of the database, ${acknowledged.size} events acknowledged, ${ids.size} requests.`);
    }
    return { hubKills: kills, databaseRestarts: restarts };
  }
}

/** A process with the key of the cluster that takes itself for the holder of the lease. */
function openZombie(folder: string, clusterKey: string, address: string): Ledger {
  const home = hubHomeOf({ EARSHOT_HOME: join(folder, "zombie") });
  mkdirSync(home.folder, { mode: 0o700 });
  deriveSharedSecrets(home, clusterKey);
  return openPostgresLedger({ address, folder: home.folder, lifecycle: createLifecycle({ strict: false }), now: () => Date.now() });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
