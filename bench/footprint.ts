import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { installBuilt } from "./footprint/install.ts";
import { freePort } from "./ingest/aop-collector.ts";
import { residentMegabytes } from "./ingest/child.ts";
import { Connection, toRequests } from "./ingest/connection.ts";
import { EventSource } from "./ingest/events.ts";
import { median, number, printLoad, spread } from "./ingest/figures.ts";

/** Prints how soon the hub is ready after its start and its memory while idle, beside an idle Node process in the same run. */
const { values } = parseArgs({ options: { starts: { type: "string", default: "5" }, events: { type: "string", default: "20000" } } });
const starts = Number(values.starts);
const IDLE_MS = 5000;
const SETTLED_MS = 10_000;
const folder = mkdtempSync(join(tmpdir(), "earshot-bench-footprint-"));
const source = new URL("../packages/cli/bin/earshot.cjs", import.meta.url).pathname;

try {
  const built = installBuilt(folder);
  console.log(`Start and memory of the hub. Node ${process.version}; median (lowest to highest) of ${starts} starts.`);
  printLoad();
  const nothing: number[] = [];
  const fresh: number[] = [];
  const existing: number[] = [];
  const fromSource: number[] = [];
  const used = join(folder, "used");
  const afterEvents = await fillAndMeasure(built, used);
  for (let round = 0; round < starts; round++) {
    nothing.push(await timeNothing());
    fresh.push(await timeStart(built, join(folder, `fresh-${round}`)));
    existing.push(await timeStart(built, used));
    fromSource.push(await timeStart(source, join(folder, `source-${round}`)));
  }
  console.log(`\nFrom being started to the first answer of /health that says ready`);
  printTimes("node -e 0, from start to end", nothing);
  printTimes("built hub, fresh ledger", fresh, 600);
  printTimes(`built hub, ledger of ${number(Number(values.events))} events`, existing, 600);
  printTimes("hub from source, fresh ledger", fromSource);
  console.log(`  built hub / node -e 0: ${number(median(fresh) / median(nothing), 1)} times as long`);

  console.log(`\nResident memory`);
  const idleNode = await idleNodeMegabytes();
  printMemory(`an idle node, after ${IDLE_MS / 1000} s`, idleNode);
  const idle = await idleMegabytes(built, join(folder, "idle"));
  printMemory(`built hub, fresh ledger, after ${IDLE_MS / 1000} s`, idle, 100);
  printMemory(
    `built hub, ledger of ${number(Number(values.events))} events, after ${IDLE_MS / 1000} s`,
    await idleMegabytes(built, used),
    100,
  );
  printMemory(`built hub, ${SETTLED_MS / 1000} s after having taken ${number(Number(values.events))} events`, afterEvents);
  printMemory(`hub from source, after ${IDLE_MS / 1000} s`, await idleMegabytes(source, join(folder, "idle-source")), 200);
  console.log(`  built hub / idle node: ${number(idle / idleNode, 1)} times as much`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

interface Started {
  readonly child: ChildProcess;
  readonly port: number;
  readonly readyMs: number;
}

async function start(command: string, home: string): Promise<Started> {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, [command, "start", "--port", String(port), "--no-open"], {
    env: { ...process.env, EARSHOT_HOME: home, NODE_OPTIONS: "" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  while (!(await isReady(port))) {
    if (child.exitCode !== null) throw new Error(`The hub ended before it was ready: ${said}`);
    await pause(5);
  }
  return { child, port, readyMs: performance.now() - began };
}

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = get({ host: "127.0.0.1", port, path: "/health", agent: false }, (response) => {
      let body = "";
      response.on("data", (chunk: Buffer) => {
        body += chunk.toString();
      });
      response.on("end", () => resolve(response.statusCode === 200 && body.includes('"ready":true')));
    });
    asked.on("error", () => resolve(false)); // nobody listens yet
  });
}

async function stop({ child }: Started): Promise<void> {
  child.kill("SIGTERM");
  if (child.exitCode === null) await once(child, "exit");
}

async function timeStart(command: string, home: string): Promise<number> {
  const started = await start(command, home);
  await stop(started);
  return started.readyMs;
}

async function timeNothing(): Promise<number> {
  const began = performance.now();
  await once(spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }), "exit");
  return performance.now() - began;
}

async function idleMegabytes(command: string, home: string): Promise<number> {
  const started = await start(command, home);
  await pause(IDLE_MS);
  const megabytes = residentMegabytes(started.child.pid ?? 0);
  await stop(started);
  return megabytes;
}

async function idleNodeMegabytes(): Promise<number> {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "ignore" });
  await pause(IDLE_MS);
  const megabytes = residentMegabytes(child.pid ?? 0);
  child.kill();
  return megabytes;
}

/** Fills a ledger with single events, as agents send them, and returns the memory some time later. */
async function fillAndMeasure(command: string, home: string): Promise<number> {
  const started = await start(command, home);
  const events = new EventSource();
  const each = Math.ceil(Number(values.events) / 16);
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      const connection = await Connection.open(started.port);
      for (const request of toRequests(events.take(each), { port: started.port, path: "/v1/events" })) {
        await new Promise((resolve, reject) => connection.send(request, resolve, reject));
      }
      connection.close();
    }),
  );
  await pause(SETTLED_MS);
  const megabytes = residentMegabytes(started.child.pid ?? 0);
  await stop(started);
  return megabytes;
}

function printTimes(what: string, times: readonly number[], atMostMs?: number): void {
  console.log(`  ${what.padEnd(52)} ${spread(times).padStart(22)} ms${aim(median(times), atMostMs, "ms")}`);
}

function printMemory(what: string, megabytes: number, atMost?: number): void {
  console.log(`  ${what.padEnd(60)} ${number(megabytes).padStart(6)} MB${aim(megabytes, atMost, "MB")}`);
}

function aim(value: number, atMost: number | undefined, unit: string): string {
  if (atMost === undefined) return "";
  return `   aimed at: at most ${atMost} ${unit}${value > atMost ? "  ← above the aim" : ""}`;
}
