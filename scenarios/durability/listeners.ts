import { readFileSync } from "node:fs";
import { type HubProcess, type HubProcessOptions, startHub } from "../hub/hub-process.ts";
import { pause } from "./kills.ts";
import { SseReader } from "./sse-reader.ts";

export interface ListenersOptions {
  readonly stuck: number;
  readonly healthy: number;
  readonly eventsPerSecond: number;
  readonly seconds: number;
  readonly hub?: Pick<HubProcessOptions, "bin" | "args" | "nodeArguments">;
  /** Whether stuck listeners try to catch up; a negative control skips that. */
  readonly resumes?: boolean;
}

export interface ListenersReport {
  readonly events: number;
  readonly growthMegabytes: number;
  readonly healthyP99Ms: number;
  /** Descriptions of missed and repeated events. */
  readonly faults: readonly string[];
  /** Number of stuck listeners that the hub closed. */
  readonly closed: number;
}

const BATCH_MS = 10;
/** Large enough that the kernel's buffers hold less than a stuck listener is owed. */
const FILLER = "x".repeat(2500);

const WARM_UP_EVENTS = 8000;
const WARM_UP_BATCH = 500;

/** Some listeners read, many are connected and never read, and events are sent at a steady rate. */
export async function listenMany(options: ListenersOptions): Promise<ListenersReport> {
  await using hub = await startHub(options.hub ?? {});
  const port = Number(new URL(hub.url).port);
  const headers = options.hub === undefined ? hub.viewer() : {};
  // Warm-up: compiled code, threads and caches are not growth. No listener is connected yet.
  const warmUp = options.hub === undefined ? WARM_UP_EVENTS : 0;
  for (let said = 0; said < warmUp; said += WARM_UP_BATCH) {
    await post(hub, Array.from({ length: WARM_UP_BATCH }, (_, index) => event(said + index, "before")).join("\n"));
  }
  const delays: number[] = [];
  const faults: string[] = [];
  const create = (name: string, measures: boolean) => {
    let before = warmUp;
    const onEvent = (position: number, data: string) => {
      if (position !== before + 1) faults.push(`${name} heard ${position} after ${before}.`);
      before = position;
      if (measures) delays.push(clock() - Number(/sent (\d+(?:\.\d+)?)/.exec(data)?.[1]));
    };
    return new SseReader({ port, headers, onEvent }, warmUp);
  };
  const stuck = Array.from({ length: options.stuck }, (_, index) => create(`stuck ${index}`, false));
  const healthy = Array.from({ length: options.healthy }, (_, index) => create(`healthy ${index}`, true));
  try {
    await Promise.all(stuck.map((reader) => reader.open({ reads: false })));
    await Promise.all(healthy.map((reader) => reader.open({ reads: true })));
    const before = residentMegabytes(hub);
    let most = before;
    const sampling = setInterval(() => {
      most = Math.max(most, residentMegabytes(hub));
    }, 100);
    const events = await speakSteadily(hub, options);
    await Promise.all(healthy.map((reader) => reader.readUpTo(warmUp + events)));
    clearInterval(sampling);
    most = Math.max(most, residentMegabytes(hub));
    if (options.resumes !== false) await catchUp(stuck, warmUp + events, faults);
    delays.sort((a, b) => a - b);
    return {
      events,
      growthMegabytes: Math.round(most - before),
      healthyP99Ms: Math.round(delays[Math.floor(delays.length * 0.99)] ?? 0),
      faults: faults.slice(0, 10),
      closed: stuck.filter(({ farewell }) => farewell !== undefined).length,
    };
  } finally {
    for (const reader of [...stuck, ...healthy]) reader.close();
  }
}

/** Half of them continue reading; the others reconnect with their position. */
async function catchUp(stuck: readonly SseReader[], events: number, faults: string[]): Promise<void> {
  await Promise.all(
    stuck.map(async (reader, index) => {
      reader.read();
      if (index % 2 === 0) {
        await pause(20);
        reader.close();
      }
      await reader.readUpTo(events);
      if (reader.last !== events) faults.push(`stuck ${index} ended at ${reader.last}, not at ${events}.`);
    }),
  );
}

async function speakSteadily(hub: HubProcess, { eventsPerSecond, seconds }: ListenersOptions): Promise<number> {
  const total = eventsPerSecond * seconds;
  const began = performance.now();
  let said = 0;
  const answers: Promise<void>[] = [];
  while (said < total) {
    const due = Math.min(total, Math.floor(((performance.now() - began) * eventsPerSecond) / 1000));
    if (due > said) {
      const lines = Array.from({ length: due - said }, (_, index) => event(said + index));
      said = due;
      answers.push(post(hub, lines.join("\n")));
    }
    await pause(BATCH_MS);
  }
  await Promise.all(answers);
  return total;
}

async function post(hub: HubProcess, body: string): Promise<void> {
  const response = await hub.post("/v1/events", body, "application/x-ndjson");
  await response.text();
  if (response.status !== 200) throw new Error(`An honest sender was answered ${response.status}.`);
}

function event(number: number, session = "steady"): string {
  const [session_id, sequence] = [`${session}-${number % 20}`, Math.floor(number / 20) + 1];
  const payload = { content: `sent ${clock()} ${FILLER}` };
  const timestamp = new Date().toISOString();
  return JSON.stringify({ spec: "aop/1.0", session_id, agent_id: "a", sequence, timestamp, type: "cognition.thought", payload });
}

function clock(): number {
  return performance.timeOrigin + performance.now();
}

export function residentMegabytes({ child }: HubProcess): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024;
}
