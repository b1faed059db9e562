import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, it } from "vitest";
import { becomeAdmin, callJson as call } from "../packages/hub/src/access/testing/test-device.ts";
import { hookEventNow } from "../packages/hub/src/requests/testing/asked-now.ts";
import { startPostgres } from "../tools/postgres.ts";
import { pause, verify } from "./durability/kills.ts";
import { aopEvent, startHub } from "./hub/hub-process.ts";

const WRITERS = 8;
const EVENTS_PER_PHASE = 100;

it("two hubs lose nothing acknowledged when the primary is killed and its synchronous standby is promoted", async () => {
  await using open = new AsyncDisposableStack();
  const primary = open.use(await startPostgres());
  await primary.createDatabase("failover");
  const standby = open.use(await primary.startStandby());
  const folder = mkdtempSync(join(tmpdir(), "earshot-failover-"));
  open.defer(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "cluster.key"), "k".repeat(40));
  const store = `postgres://earshot@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/failover`;
  const env = { EARSHOT_CLUSTER_KEY_FILE: join(folder, "cluster.key") };
  const startNamed = async (name: string) => open.use(await startHub({ home: join(folder, name), args: ["--store", store], env }));
  const hubs = await Promise.all([startNamed("one"), startNamed("two")]);
  const [one, two] = hubs as [(typeof hubs)[0], (typeof hubs)[0]];
  const admin = await becomeAdmin(one.url, one.viewer());
  const producer = { authorization: `Bearer ${readFileSync(join(one.home, "producer.token"), "utf8").trim()}` };
  const asked = await call(
    one.url,
    "/aep/v1/hooks?asks=1&dialog=1&wait=0",
    hookEventNow("asked before", { session: { id: "asked" } }),
    producer,
  );

  const acknowledged = new Map<string, number>();
  let isOver = false;
  const write = async (writer: number) => {
    for (let sequence = 1; !isOver; sequence++) {
      for (let attempt = writer; !isOver; attempt++) {
        const response = await hubs[attempt % 2]?.post("/v1/events", aopEvent({ session: `w${writer}`, sequence }));
        const answer = (await response?.json()) as { readonly position: number };
        if (response?.ok === true) {
          acknowledged.set(`w${writer} ${sequence}`, answer.position);
          break;
        }
        expect(response?.status).toBe(503);
        await pause(50);
      }
    }
  };
  const writing = Array.from({ length: WRITERS }, (_value, writer) => write(writer));
  const reach = (count: number) => expect.poll(() => acknowledged.size, { timeout: 60_000 }).toBeGreaterThan(count);
  await reach(EVENTS_PER_PHASE);
  await primary.kill();
  const before = acknowledged.size;
  await standby.promote();
  await reach(before + EVENTS_PER_PHASE);
  isOver = true;
  await Promise.all(writing);

  const client = new pg.Client({ connectionString: `postgres://earshot@127.0.0.1:${standby.port}/failover` });
  await client.connect();
  open.defer(() => client.end());
  const { rows } = await client.query<{ key: string; position: string }>(
    "SELECT session.id || ' ' || sequence AS key, position FROM earshot.entry JOIN earshot.session ON key = entry.session WHERE sequence IS NOT NULL",
  );
  expect(rows.length).toBe(new Set(rows.map(({ key }) => key)).size);
  const stored = new Map(rows.map(({ key, position }) => [key, Number(position)]));
  expect([...acknowledged].filter(([key, position]) => stored.get(key) !== position)).toEqual([]);
  expect(await verify(two)).toMatchObject({ ok: true });

  const id = String(asked["request"]);
  const { digest } = await call(two.url, `/api/requests/${id}`, undefined, two.viewer());
  await call(two.url, `/api/requests/${id}/answer`, { digest, answer: "allow" }, admin);
  await expect.poll(() => call(one.url, `/api/requests/${id}`, undefined, one.viewer())).toMatchObject({ state: "answered-by-person" });
});
