import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Child } from "./child.ts";
import { type LoopResult, runClosedLoop } from "./closed-loop.ts";
import { toRequests } from "./connection.ts";
import type { EventSource } from "./events.ts";
import { median, medianRatio, number, ratioLine, spread } from "./figures.ts";
import { printAnswers } from "./singles.ts";

const BATCH = 500;
const EVENTS = 40_000;
const CONNECTIONS = 2;

const LAYOUTS = {
  NDJSON: { type: "application/x-ndjson", join: (bodies: readonly Buffer[]) => glue(bodies, "", "\n", "\n") },
  "JSON array": { type: "application/json", join: (bodies: readonly Buffer[]) => glue(bodies, "[", ",", "]") },
} as const;
type Layout = keyof typeof LAYOUTS;

interface RawResult {
  readonly perSecond: number;
  /** Processor time per row. */
  readonly microseconds: number;
}

export interface BatchOptions {
  readonly hub: Child;
  readonly home: string;
  readonly folder: string;
  readonly events: EventSource;
  readonly rounds: number;
}

/** Compares batches of 500 events with plain inserts of the very rows they became. */
export async function measureBatches({ hub, home, folder, events, rounds }: BatchOptions): Promise<void> {
  const ours: Record<Layout, number[]> = { NDJSON: [], "JSON array": [] };
  const cpu: Record<Layout, number[]> = { NDJSON: [], "JSON array": [] };
  const raw: RawResult[] = [];
  const runs: LoopResult[] = [];
  for (const layout of ["NDJSON", "JSON array"] as const) await post(layout, hub, events); // warms up
  for (let round = 0; round < rounds; round++) {
    for (const layout of ["NDJSON", "JSON array"] as const) {
      const result = await post(layout, hub, events);
      ours[layout].push(result.perSecond * BATCH);
      cpu[layout].push(result.serverMicroseconds / BATCH);
      runs.push(result);
    }
    raw.push(insertRaw(join(home, "ledger.db"), join(folder, `raw-${round}`)));
  }
  console.log(`\nBatches of ${BATCH}, ${CONNECTIONS} connections; events per second, ${rounds} rounds`);
  console.log(
    `  ${"raw inserts of the same rows, FULL, 500 a commit".padEnd(46)} ${spread(raw.map(({ perSecond }) => perSecond)).padStart(26)}, ${number(median(raw.map(({ microseconds }) => microseconds)), 1)} µs of processor time each`,
  );
  for (const layout of ["NDJSON", "JSON array"] as const) {
    const each = number(median(cpu[layout]), 1);
    console.log(`  ${`earshot, ${layout}`.padEnd(46)} ${spread(ours[layout]).padStart(26)}, ${each} µs of processor time each`);
    const ratio = medianRatio(
      ours[layout],
      raw.map(({ perSecond }) => perSecond),
    );
    const byTime = medianRatio(
      raw.map(({ microseconds }) => microseconds),
      cpu[layout],
    );
    console.log(ratioLine(`${layout} / raw inserts`, ratio, { cpu: byTime, bar: { atLeast: 0.35 } }));
  }
  printAnswers(runs);
}

function post(layout: Layout, hub: Child, events: EventSource): Promise<LoopResult> {
  const { type, join: glueTogether } = LAYOUTS[layout];
  const requests = Array.from({ length: CONNECTIONS }, () => {
    const bodies = events.take(EVENTS / CONNECTIONS);
    const batches = Array.from({ length: bodies.length / BATCH }, (_, index) =>
      glueTogether(bodies.slice(index * BATCH, (index + 1) * BATCH)),
    );
    return toRequests(batches, { port: hub.port, path: "/v1/events", type });
  });
  return runClosedLoop({ server: hub, requests, seconds: 60, repeat: false });
}

/** Runs in its own process, like the hub: reads the last rows of the ledger, then inserts them into a new file. */
function insertRaw(ledger: string, target: string): RawResult {
  const script = new URL("./raw-inserts.ts", import.meta.url).pathname;
  const args = [script, ledger, target, String(EVENTS), String(BATCH)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })) as RawResult;
}

function glue(bodies: readonly Buffer[], open: string, between: string, close: string): Buffer {
  return Buffer.from(open + bodies.map((body) => body.toString()).join(between) + close);
}
