import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { ask, becomeAdmin } from "../packages/hub/src/access/testing/test-device.ts";
import { type Child, startHub } from "./ingest/child.ts";
import { Connection, toRequests } from "./ingest/connection.ts";
import { AopTalk, EventSource } from "./ingest/events.ts";
import { median, number, printLoad } from "./ingest/figures.ts";
import { type Latencies, OpenLoop } from "./ingest/open-loop.ts";
import type { Asked, Got } from "./interference/reader.ts";

/**
 * Prints how long senders wait for their answers while somebody reads, checks or removes a large session, beside how long
 * they wait when nobody does, in the same run. Senders speak at a steady rate; time counts from when an event was due.
 */
const { values } = parseArgs({
  options: {
    events: { type: "string", default: "100000" },
    rate: { type: "string", default: "500" },
    rounds: { type: "string", default: "2" },
    seconds: { type: "string", default: "4" },
  },
});
const rate = Number(values.rate);
const seconds = Number(values.seconds);
const CONNECTIONS = 8;
const folder = mkdtempSync(join(tmpdir(), "earshot-bench-interference-"));

interface Action {
  readonly name: string;
  readonly method: Asked["method"];
  readonly path: (session: Large) => string;
}
/** The session that is worked on, by its id and by the key that the views know it by. */
interface Large {
  readonly id: string;
  readonly key: number;
}
const ACTIONS: readonly Action[] = [
  { name: "exported", method: "GET", path: ({ id }) => `/api/export?session=${id}` },
  { name: "read through /sessions/:id", method: "GET", path: ({ id }) => `/sessions/${id}` },
  { name: "read by pages", method: "GET", path: ({ key }) => `/api/sessions/${key}/story?limit=200` },
  { name: "searched", method: "GET", path: ({ key }) => `/api/search?text=query+ind*&session=${key}&limit=200` },
  { name: "searched by relevance", method: "GET", path: ({ key }) => `/api/search?text=index&session=${key}&order=relevance&limit=200` },
  // Both words are in nearly every entry, and never side by side.
  { name: "searched in vain", method: "GET", path: ({ key }) => `/api/search?text=%22the+agent%22&session=${key}` },
  { name: "verified", method: "GET", path: ({ id }) => `/api/verify?session=${id}` },
  { name: "the whole ledger verified", method: "GET", path: () => "/api/verify" },
  { name: "deleted", method: "DELETE", path: ({ id }) => `/sessions/${id}` },
];

try {
  await using hub = await startHub(join(folder, "home"));
  const viewer = readFileSync(join(folder, "home/viewer.token"), "utf8").trim();
  const url = `http://127.0.0.1:${hub.port}`;
  const first = await becomeAdmin(url, { authorization: `Bearer ${viewer}` });
  const admin = String((await ask(url, "/api/tokens", { name: "bench", role: "admin" }, first))["token"]);
  const events = new EventSource();
  console.log(
    `Answers to single events, ${rate} a second on ${CONNECTIONS} connections, while a session of ${number(Number(values.events))} events is worked on. ` +
      `Node ${process.version}, ${availableParallelism()} cores, hub from source; ${values.rounds} rounds.`,
  );
  printLoad();
  const measured = new Map<string, Latencies[]>();
  const did = new Map<string, Got>();
  await say(hub, events, (loop) => warmUp(loop));
  for (let round = 0; round < Number(values.rounds); round++) {
    const session = await known(url, viewer, await fill(hub, events));
    await say(hub, events, async (loop) => {
      keep(measured, "alone", await during(loop, () => pause(seconds * 1000)));
      for (const action of ACTIONS) {
        const reader = await openReader();
        const forMs = action.method === "DELETE" ? 0 : seconds * 1000;
        const asked: Asked = {
          method: action.method,
          url: `http://127.0.0.1:${hub.port}${action.path(session)}`,
          token: action.method === "DELETE" ? admin : viewer,
          forMs,
        };
        const latencies = await during(loop, async () => {
          did.set(action.name, await reader(asked));
        });
        keep(measured, action.name, latencies);
      }
    });
  }
  print(measured, did);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Speaks for as long as the work takes. */
async function say(hub: Child, events: EventSource, work: (loop: OpenLoop) => Promise<void>): Promise<void> {
  const talks = Array.from({ length: CONNECTIONS }, () => new AopTalk(events));
  const ending = new AbortController();
  const body = (index: number) => talks[index]?.say({ step: index }) ?? Buffer.alloc(0);
  const loop = new OpenLoop({ port: hub.port, perSecond: rate, connections: CONNECTIONS, signal: ending.signal, body });
  await work(loop);
  ending.abort();
  await loop.ended;
}

async function warmUp(_loop: OpenLoop): Promise<void> {
  await pause(3000);
}

/** What was due while the work was done. The last of it is waited for. */
async function during(loop: OpenLoop, work: () => Promise<unknown>): Promise<Latencies> {
  const from = performance.now();
  await work();
  const to = performance.now();
  await pause(500);
  return loop.between(from, to);
}

async function openReader(): Promise<(asked: Asked) => Promise<Got>> {
  const child = fork(new URL("./interference/reader.ts", import.meta.url).pathname, [], { execArgv: [] });
  await once(child, "message");
  return async (asked) => {
    child.send(asked);
    const [got] = (await once(child, "message")) as [Got];
    return got;
  };
}

/** One session of many events, in batches. */
async function fill(hub: Child, events: EventSource): Promise<string> {
  const { id, bodies } = events.session(Number(values.events));
  const batches = Array.from({ length: Math.ceil(bodies.length / 500) }, (_, index) =>
    Buffer.from(`${bodies.slice(index * 500, (index + 1) * 500).join("\n")}\n`),
  );
  const connection = await Connection.open(hub.port);
  for (const request of toRequests(batches, { port: hub.port, path: "/v1/events", type: "application/x-ndjson" })) {
    const { status, body } = await new Promise<{ status: number; body: string }>((resolve, reject) =>
      connection.send(request, resolve, reject),
    );
    if (status !== 200 || !body.includes('"refused":0')) throw new Error(`A batch was answered with ${status}: ${body.slice(0, 400)}`);
  }
  connection.close();
  return id;
}

/** Waits until the views have seen everything, so that what they still have to do is not counted as disturbance. */
async function known(url: string, token: string, id: string): Promise<Large> {
  for (;;) {
    const response = await fetch(`${url}/api/sessions?id=${id}`, { headers: { authorization: `Bearer ${token}` } });
    const { items, behind } = (await response.json()) as { readonly items: readonly { readonly key: number }[]; readonly behind?: number };
    const [found] = items;
    if (found !== undefined && behind === undefined) return { id, key: found.key };
    await pause(200);
  }
}

function keep(measured: Map<string, Latencies[]>, name: string, latencies: Latencies): void {
  measured.set(name, [...(measured.get(name) ?? []), latencies]);
}

function print(measured: ReadonlyMap<string, readonly Latencies[]>, did: ReadonlyMap<string, Got>): void {
  const alone = measured.get("alone") ?? [];
  for (const [name, all] of measured) {
    const got = did.get(name);
    if (got !== undefined && (got.status !== 200 || got.bytes === 0)) {
      const why = got.status === 200 ? "answers with nothing yet" : `answers ${got.status}`;
      console.log(`  ${name}: left out, it ${why}.`);
      continue;
    }
    const middle = (pick: (one: Latencies) => number) => median(all.map(pick));
    const ratio = median(all.map(({ p99Ms }, round) => p99Ms / (alone[round]?.p99Ms ?? Number.NaN)));
    const refused = all.reduce((sum, one) => sum + one.refused, 0);
    const work = got === undefined ? "" : `; ${number(got.ms / got.times)} ms each time, ${number(got.bytes / 1e6, 1)} MB`;
    console.log(
      `  ${name.padEnd(28)} p50 ${number(
        middle((one) => one.p50Ms),
        2,
      )} ms, p99 ${number(
        middle((one) => one.p99Ms),
        2,
      )} ms, ` +
        `max ${number(Math.max(...all.map(({ maxMs }) => maxMs)), 1)} ms; p99 ${number(ratio, 2)} × alone ` +
        `(${number(all.reduce((sum, { count }) => sum + count, 0))} events, ${refused} refused)${work}`,
    );
  }
}
