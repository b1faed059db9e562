import pg from "pg";
import { createLifecycle } from "../../packages/hub/src/intake/lifecycle.ts";
import type { LedgerHistory } from "../../packages/hub/src/ledger/history.ts";
import { openPostgresHistory, openPostgresLedger } from "../../packages/hub/src/ledger/postgres/open-ledger.ts";
import { median, number } from "../ingest/figures.ts";

const EVENTS_PER_SESSION = 100;
const READS = 200;

/** Times pages of a ledger that grows to each size, and compares each with the first. */
export async function measureReads(address: string, folder: string, sizes: readonly number[]): Promise<void> {
  const ledger = openPostgresLedger({ address, folder, lifecycle: createLifecycle({ strict: false }), now: () => Date.now() });
  await ledger.head();
  await ledger.close();
  await using open = new AsyncDisposableStack();
  const client = new pg.Client({ connectionString: address, options: "-c search_path=earshot" });
  await client.connect();
  open.defer(() => client.end());
  await client.query("INSERT INTO source (key, protocol, name) VALUES (1, 'aep', 'bench')");
  const history = open.use(openPostgresHistory(address));
  let [filled, first] = [0, undefined as readonly number[] | undefined];
  console.log(`\nReads, medians of ${READS} in ms, and as a ratio to the smallest ledger; aimed at: at most 1.5`);
  for (const size of sizes) {
    await fill(client, filled, size);
    filled = size;
    await read(history, size); // reads what was written into the cache
    const times = await read(history, size);
    first ??= times;
    const [page, session, find] = times.map((ms, index) => `${number(ms, 2)} (${number(ms / (first?.[index] ?? ms), 2)})`);
    console.log(`    ${number(size).padStart(9)} events   page ${page}   session ${session}   find a session ${find}`);
  }
}

/** Rows of the usual shape, written without the hub: reads do not check the chain. */
async function fill(client: pg.Client, from: number, to: number): Promise<void> {
  const [first, last] = [Math.floor(from / EVENTS_PER_SESSION) + 1, Math.floor((to - 1) / EVENTS_PER_SESSION) + 1];
  await client.query(
    "INSERT INTO session (key, source, id, last) SELECT key, 1, 's' || key, key * $3 FROM generate_series($1::bigint, $2::bigint) AS key",
    [first, last, EVENTS_PER_SESSION],
  );
  await client.query(
    `INSERT INTO entry (position, session, received_at, kind, verified, type, agent, identity, said, text, hash)
      SELECT position, (position - 1) / $3 + 1, 0, 0, 1, 'tool.completed', 'agent', 'i' || position, '\\x00', repeat('x', 600), '\\x00'
      FROM generate_series($1::bigint, $2::bigint) AS position`,
    [from + 1, to, EVENTS_PER_SESSION],
  );
  await client.query("UPDATE ledger SET head = $1 WHERE shard = 0", [to]);
  await client.query("ANALYZE");
}

async function read(history: LedgerHistory, size: number): Promise<readonly [page: number, session: number, find: number]> {
  const times: [number[], number[], number[]] = [[], [], []];
  const timed = async (index: 0 | 1 | 2, work: () => Promise<unknown>) => {
    const began = performance.now();
    await work();
    times[index].push(performance.now() - began);
  };
  for (let count = 0; count < READS; count++) {
    const key = 1 + Math.floor((Math.random() * (size - 1)) / EVENTS_PER_SESSION);
    await timed(0, () => history.read({ after: (key - 1) * EVENTS_PER_SESSION, limit: EVENTS_PER_SESSION }));
    const session = { key, protocol: "aep", source: "bench", id: `s${key}` } as const;
    await timed(1, () => history.readSession({ session, limit: 50 }));
    await timed(2, () => history.findSessions(`s${key}`));
  }
  return [median(times[0]), median(times[1]), median(times[2])];
}
