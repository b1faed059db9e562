import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Child, startChild, startHub } from "./ingest/child.ts";
import { number, percentile, printLoad } from "./ingest/figures.ts";
import { OpenLoop } from "./ingest/open-loop.ts";
import { CLASSES } from "./subscribers/classes.ts";
import type { Order, Report } from "./subscribers/crowd.ts";
import { printClasses } from "./subscribers/print-classes.ts";
import { Talk } from "./subscribers/talk.ts";

/**
 * 500 subscribers with different terms on one stream, at the real hub over HTTP: whether each got what it was promised, how
 * long what is critical takes to reach everybody, what it costs, and what a server costs beside it that only sends everything to
 * everybody. All subscribers are in one process, which parses and checks every frame; the time of a critical event is taken
 * from before it is posted, so that the way to disk and back is in it.
 */
const { values } = parseArgs({
  options: {
    rate: { type: "string", default: "200" },
    seconds: { type: "string", default: "40" },
    "bare-seconds": { type: "string", default: "10" },
    /** Megabytes of heap that the hub may have: what it holds is bounded if it lives with little, for however long. */
    heap: { type: "string" },
  },
});
const rate = Number(values.rate);
const seconds = Number(values.seconds);
const CONNECTIONS = 12;
const WARM_UP_MS = 4000;
const AIM_MS = 100;
const subscribers = CLASSES.reduce((sum, { count }) => sum + count, 0);
const folder = mkdtempSync(join(tmpdir(), "earshot-bench-subscribers-"));

interface Run {
  readonly events: number;
  readonly critical: number;
  readonly cpuMs: number;
  readonly seconds: number;
  /** With the warming up. */
  readonly spokenSeconds: number;
}

let ok = true;
try {
  console.log(
    `${subscribers} subscribers, ${rate} events a second from ${CONNECTIONS} agents. Node ${process.version}, ${availableParallelism()} cores; ` +
      "everything on 127.0.0.1, subscribers in one process, agents in another, the hub from source in a third.",
  );
  printLoad();
  await using hub = await startHub(join(folder, "home"), values.heap === undefined ? [] : [`--max-old-space-size=${values.heap}`]);
  const token = readFileSync(join(folder, "home/viewer.token"), "utf8").trim();
  await speak(hub, "w", 4, async () => {}); // what is only done once is done then
  const restMb = hub.residentMegabytes();

  const crowd = await gather({ do: "join", server: "hub", port: hub.port, token, count: subscribers });
  const joinedMb = hub.residentMegabytes();
  let warmMb = 0;
  const heard = await speak(hub, "a", seconds, async () => {
    order(crowd, { do: "measure" });
    warmMb = hub.residentMegabytes();
  });
  const endMb = hub.residentMegabytes();
  const report = await reportOf(crowd);
  if (report.kind !== "hub") throw new Error("The crowd reported something else.");
  const alone = await speak(hub, "c", 8, async () => {});
  ok = printClasses(report, { ...heard, aimMs: AIM_MS });

  await using bare = await startChild({
    command: [process.execPath, "--conditions=earshot-source", new URL("./subscribers/broadcast.ts", import.meta.url).pathname],
  });
  const listeners = await gather({ do: "join", server: "bare", port: bare.port, token, count: subscribers });
  const told = await speak(bare, "b", Number(values["bare-seconds"]), async () => order(listeners, { do: "measure" }));
  const plain = await reportOf(listeners);
  if (plain.kind !== "bare") throw new Error("The crowd reported something else.");

  const micros = ({ cpuMs, events }: Run) => (cpuMs * 1000) / events;
  const perEach = (micros(heard) - micros(alone)) / subscribers;
  const barePerEach = micros(told) / subscribers;
  const critical = Float64Array.from(report.classes.flatMap(({ noticed }) => noticed.flatMap(({ criticalMs }) => criticalMs))).sort();
  const bareCritical = Float64Array.from(plain.criticalMs).sort();
  console.log("\nBeside a bare server that sends every event to everybody, with the same load in the same run");
  console.log(
    `  bare:    critical p50 ${number(percentile(bareCritical, 0.5), 1)} ms, p99 ${number(percentile(bareCritical, 0.99), 1)} ms; ` +
      `${number(barePerEach, 2)} µs of its processor time per event and subscriber; ${number(plain.frames / told.spokenSeconds)} frames a second`,
  );
  console.log(
    `  earshot: critical p50 ${number(percentile(critical, 0.5), 1)} ms, p99 ${number(percentile(critical, 0.99), 1)} ms; ` +
      `${number(perEach, 2)} µs per event and subscriber, beyond the ${number(micros(alone))} µs that an event costs with nobody listening`,
  );
  console.log(
    `  ratio:   p99 ${number(percentile(critical, 0.99) / percentile(bareCritical, 0.99), 2)}, processor time per event and subscriber ${number(perEach / barePerEach, 2)}`,
  );
  console.log(
    `\nMemory of the hub: ${number(restMb)} MB before anybody subscribed, ${number(joinedMb)} MB with all ${subscribers}, ` +
      `${number(warmMb)} MB after ${number(WARM_UP_MS / 1000)} s of events, ${number(endMb)} MB after ${number(seconds)} s more: ` +
      `${number((endMb - restMb) / subscribers, 2)} MB for each subscriber in the end. Processor: ${number(heard.cpuMs / heard.seconds / 10)} % of a core.`,
  );
  console.log(
    `The subscribers' process itself was late by p99 ${number(report.ownDelayMs, 1)} ms, beside the bare server by ${number(plain.ownDelayMs, 1)} ms: that is in all times above.`,
  );
  if (report.closed > 0) console.log(`${report.closed} streams were closed by the hub before the end.`);
  ok &&= report.closed === 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (!ok) process.exitCode = 1;

/** Agents speak for so long, after a while of warming up; what it costs counts from then on. */
async function speak(server: Child, name: string, forSeconds: number, warm: () => Promise<void>): Promise<Run> {
  const talks = Array.from({ length: CONNECTIONS }, (_, index) => new Talk(`${name}${index}`, index * 12));
  const ending = new AbortController();
  const loop = new OpenLoop({
    port: server.port,
    perSecond: rate,
    connections: talks.length,
    signal: ending.signal,
    body: (index) => talks[index]?.say() ?? Buffer.alloc(0),
  });
  await pause(WARM_UP_MS);
  await warm();
  const began = performance.now();
  const cpuBefore = server.cpuMicroseconds();
  await pause(forSeconds * 1000);
  const cpuMs = (server.cpuMicroseconds() - cpuBefore) / 1000;
  const ended = performance.now();
  ending.abort();
  await loop.ended;
  await pause(1500); // what is on its way arrives
  const { count, refused } = loop.between(began, ended);
  if (refused > 0) throw new Error(`${refused} events were refused.`);
  const critical = talks.reduce((sum, talk) => sum + talk.critical, 0);
  return { events: count, critical, cpuMs, seconds: (ended - began) / 1000, spokenSeconds: (ended - began + WARM_UP_MS) / 1000 };
}

async function gather(join: Extract<Order, { do: "join" }>): Promise<ChildProcess> {
  const child = fork(new URL("./subscribers/crowd.ts", import.meta.url).pathname, [], { execArgv: ["--conditions=earshot-source"] });
  order(child, join);
  await once(child, "message");
  return child;
}

function order(child: ChildProcess, what: Order): void {
  child.send(what);
}

async function reportOf(child: ChildProcess): Promise<Report> {
  order(child, { do: "report" });
  const [report] = (await once(child, "message")) as [Report];
  return report;
}
