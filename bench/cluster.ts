import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { hubHomeOf } from "../packages/hub/src/home.ts";
import { startPostgres } from "../tools/postgres.ts";
import { measureCosts } from "./cluster/costs.ts";
import { insertRawRows } from "./cluster/raw-rows.ts";
import { measureReads } from "./cluster/reads.ts";
import { type Child, startHub } from "./ingest/child.ts";
import { runClosedLoop } from "./ingest/closed-loop.ts";
import { toRequests } from "./ingest/connection.ts";
import { EventSource } from "./ingest/events.ts";
import { number, percentile, printLoad, ratioLine } from "./ingest/figures.ts";

/**
 * Measures hubs on one PostgreSQL, everything on this machine: events per second beside raw inserts of the same rows, hooks beside a hub
 * with a file, delivery from one hub to another, reads of a growing ledger, and the costs that `simulate:scale` starts from.
 */
const { values } = parseArgs({
  options: {
    events: { type: "string", default: "20000" },
    rounds: { type: "string", default: "200" },
    sizes: { type: "string", default: "10000,100000,1000000" },
    only: { type: "string", default: "costs,rate,hooks,delivery,reads" },
  },
});
const parts = values.only.split(",");
const BATCH = 500;
const CONNECTIONS_PER_HUB = 2;
const folder = mkdtempSync(join(tmpdir(), "earshot-bench-cluster-"));
printLoad();
try {
  await using server = await startPostgres();
  writeFileSync(join(folder, "cluster.key"), "k".repeat(40));
  if (parts.includes("costs")) await measureCosts(await server.createDatabase("costs"), folder, new EventSource());
  if (parts.includes("rate")) await measureRates();
  if (parts.includes("hooks")) await measureHooks();
  if (parts.includes("delivery")) await measureDelivery();
  if (parts.includes("reads")) {
    await measureReads(await server.createDatabase("reads"), folder, values.sizes.split(",").map(Number));
  }

  function startNamed(name: string, store: string): Promise<Child> {
    const home = join(folder, name);
    mkdirSync(home, { recursive: true, mode: 0o700 });
    writeFileSync(
      join(home, "policy.yaml"),
      "rules:\n  - { name: never, match: { command: 'echo never*' }, answer: deny, message: Not here. }\n",
      {
        mode: 0o600,
      },
    );
    writeFileSync(join(home, "config.yaml"), store === "" ? "" : `store: ${store}\n`, { mode: 0o600 });
    return startHub(home, [], store === "" ? {} : { EARSHOT_CLUSTER_KEY_FILE: join(folder, "cluster.key") });
  }

  async function measureRates(): Promise<void> {
    console.log(`\nBatches of ${BATCH}, ${CONNECTIONS_PER_HUB} connections per hub; events per second`);
    const rates: { readonly hubs: number; readonly perSecond: number; readonly microseconds: number }[] = [];
    let raw = Number.NaN;
    for (const hubs of [1, 2, 3]) {
      const store = await server.createDatabase(`rate_${hubs}`);
      await using open = new AsyncDisposableStack();
      const running: Child[] = [];
      for (let index = 0; index < hubs; index++) running.push(open.use(await startNamed(`rate-${hubs}-${index}`, store)));
      const events = new EventSource();
      const perHub = Math.ceil(Number(values.events) / hubs / BATCH / CONNECTIONS_PER_HUB) * BATCH * CONNECTIONS_PER_HUB;
      await Promise.all(running.map((hub) => post(hub, events, 4 * BATCH))); // warms up
      const began = performance.now();
      const costs = await Promise.all(running.map((hub) => post(hub, events, perHub)));
      const perSecond = (perHub * hubs) / ((performance.now() - began) / 1000);
      rates.push({ hubs, perSecond, microseconds: costs.reduce((sum, cost) => sum + cost, 0) / hubs });
      await Promise.all(running.map((hub) => hub.stop()));
      if (hubs === 1) raw = await insertRawRows(store, await server.createDatabase("raw"), BATCH);
    }
    console.log(`    raw inserts of the same rows, ${BATCH} a commit: ${number(raw)}`);
    for (const { hubs, perSecond, microseconds } of rates) {
      const each = `${number(microseconds)} µs of processor time each`;
      console.log(`    ${hubs} hub${hubs === 1 ? "" : "s"}: ${number(perSecond)}, ${each}`);
      console.log(ratioLine(`${hubs} / raw inserts`, perSecond / raw, { bar: { atLeast: 0.4 } }));
    }
  }

  /** Gives the processor time per event in microseconds. */
  async function post(hub: Child, events: EventSource, count: number): Promise<number> {
    const requests = Array.from({ length: CONNECTIONS_PER_HUB }, () => {
      const bodies = events.take(count / CONNECTIONS_PER_HUB);
      const batches = Array.from({ length: Math.ceil(bodies.length / BATCH) }, (_, index) =>
        Buffer.from(bodies.slice(index * BATCH, (index + 1) * BATCH).join("\n")),
      );
      return toRequests(batches, { port: hub.port, path: "/v1/events", type: "application/x-ndjson" });
    });
    const { answers, serverMicroseconds } = await runClosedLoop({
      server: { ...hub, settled: async () => {} },
      requests,
      seconds: 120,
      repeat: false,
    });
    if (answers.refused > 0) throw new Error(`The hub refused ${answers.refused} batches: ${answers.example}`);
    return serverMicroseconds / BATCH;
  }

  async function measureHooks(): Promise<void> {
    await using shared = await startNamed("hooks-shared", await server.createDatabase("hooks"));
    await using alone = await startNamed("hooks-alone", "");
    const times = { shared: [] as number[], alone: [] as number[] };
    const token = (name: string) => readFileSync(hubHomeOf({ EARSHOT_HOME: join(folder, name) }).producerToken, "utf8").trim();
    const tokens = { shared: token("hooks-shared"), alone: token("hooks-alone") };
    const rounds = Number(values.rounds);
    for (let round = -rounds; round < rounds; round++) {
      for (const [name, hub] of [
        ["shared", shared],
        ["alone", alone],
      ] as const) {
        const ms = await askHook(hub.port, tokens[name], round);
        if (round >= 0) times[name].push(ms);
      }
    }
    console.log(`\nHooks decided by a rule, ${rounds} each, in ms`);
    const [ours, theirs] = [quantiles(times.shared), quantiles(times.alone)];
    console.log(`    ledger in PostgreSQL   p50 ${number(ours.p50, 2)}   p99 ${number(ours.p99, 2)}`);
    console.log(`    ledger in a file       p50 ${number(theirs.p50, 2)}   p99 ${number(theirs.p99, 2)}`);
    console.log(`    PostgreSQL / file      p50 ${number(ours.p50 / theirs.p50, 2)}   p99 ${number(ours.p99 / theirs.p99, 2)}`);
  }

  async function measureDelivery(): Promise<void> {
    const store = await server.createDatabase("delivery");
    await using one = await startNamed("delivery-one", store);
    await using two = await startNamed("delivery-two", store);
    const viewer = readFileSync(join(folder, "delivery-two", "viewer.token"), "utf8").trim();
    const stop = new AbortController();
    const response = await fetch(`http://127.0.0.1:${two.port}/api/live?after=now`, {
      headers: { authorization: `Bearer ${viewer}` },
      signal: stop.signal,
    });
    const heardAt = new Map<number, number>();
    const listening = (async () => {
      let rest = "";
      for await (const chunk of response.body ?? []) {
        const lines = (rest + Buffer.from(chunk).toString("latin1")).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          const position = /^data: \{"position":(\d+)/.exec(line)?.[1];
          if (position !== undefined) heardAt.set(Number(position), performance.now());
        }
      }
    })().catch(() => {}); // it is over
    const events = new EventSource();
    const sent: (readonly [position: number, at: number])[] = [];
    for (const body of events.take(Number(values.rounds))) {
      const at = performance.now();
      const answer = await fetch(`http://127.0.0.1:${one.port}/v1/events`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: new Uint8Array(body),
      });
      const { position } = (await answer.json()) as { readonly position: number };
      sent.push([position, at]);
      await pause(10);
    }
    for (let wait = 0; wait < 100 && sent.some(([position]) => !heardAt.has(position)); wait++) await pause(50);
    stop.abort();
    await listening;
    const { p50, p99 } = quantiles(sent.map(([position, at]) => (heardAt.get(position) ?? Number.NaN) - at));
    console.log(`\nFrom the post at one hub to a listener at another, ${sent.length} events, in ms; aimed at: p99 at most 100`);
    console.log(`    p50 ${number(p50, 1)}   p99 ${number(p99, 1)}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function askHook(port: number, token: string, round: number): Promise<number> {
  const body = JSON.stringify({
    session_id: "bench",
    hook_event_name: "PreToolUse",
    cwd: folder,
    tool_name: "Bash",
    tool_input: { command: "echo never again" },
    tool_use_id: `toolu_${port}_${round}`,
  });
  const began = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}/hooks/claude?hook=PreToolUse&longest=600000`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body,
  });
  const said = await response.text();
  if (response.status !== 200 || !said.includes('"deny"')) throw new Error(`The hub said ${response.status}: ${said}`);
  return performance.now() - began;
}

function quantiles(times: readonly number[]): { readonly p50: number; readonly p99: number } {
  const ordered = Float64Array.from(times).sort();
  return { p50: percentile(ordered, 0.5), p99: percentile(ordered, 0.99) };
}
