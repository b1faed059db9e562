import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Child } from "./child.ts";
import { type LoopResult, runClosedLoop } from "./closed-loop.ts";
import { toRequests } from "./connection.ts";
import { AopTalk, type EventSource } from "./events.ts";
import { median, medianRatio, number, percentile, ratioLine, spread } from "./figures.ts";
import { frameReader, listenLive } from "./listen.ts";
import { OpenLoop } from "./open-loop.ts";
import { bodiesFor, printAnswers } from "./singles.ts";

export interface ListenersOptions {
  readonly hub: Child;
  readonly home: string;
  readonly events: EventSource;
  readonly rounds: number;
  readonly seconds: number;
}

const EVENTS_PER_SECOND = 200;
const CONNECTIONS = 64;
const MANY = 50;

/** Measures the delivery time to listeners and their cost to producers. */
export async function measureListeners(options: ListenersOptions): Promise<void> {
  const { hub, home } = options;
  const token = readFileSync(join(home, "viewer.token"), "utf8").trim();
  const { status, body } = await fetch(`http://127.0.0.1:${hub.port}/api/live`, { headers: { authorization: `Bearer ${token}` } });
  await body?.cancel();
  if (status === 404) {
    console.log("\nListeners are left out: GET /api/live answers 404.");
    return;
  }
  console.log(
    `\nListeners at /api/live, ${EVENTS_PER_SECOND} events a second for ${options.seconds} s, from before the POST to the frame parsed at each listener ` +
      "(all listeners in one process, which parses every frame)",
  );
  for (const listeners of [0, 10, 50, 200]) await measureDelivery(listeners, token, options);
  await compareIngest(token, options);
}

async function measureDelivery(listeners: number, token: string, { hub, events, seconds }: ListenersOptions): Promise<void> {
  const delays: number[] = [];
  const heard = (data: string) => {
    const { event } = JSON.parse(data) as { readonly event: { readonly payload: { readonly metadata?: { readonly sent?: number } } } };
    if (event.payload.metadata?.sent !== undefined) delays.push(performance.now() - event.payload.metadata.sent);
  };
  const all = Array.from({ length: listeners }, () => listenLive({ port: hub.port, token, handle: frameReader(heard) }));
  await Promise.all(all.map(({ joined }) => joined));
  const talks = Array.from({ length: 8 }, () => new AopTalk(events));
  const ending = new AbortController();
  const began = performance.now();
  const loop = new OpenLoop({
    port: hub.port,
    perSecond: EVENTS_PER_SECOND,
    connections: talks.length,
    signal: ending.signal,
    body: (index) => talks[index]?.say({ sent: performance.now() }) ?? Buffer.alloc(0),
  });
  await pause(seconds * 1000);
  ending.abort();
  await loop.ended;
  await pause(300); // what is on its way arrives
  for (const one of all) one.close();
  const posts = loop.between(began, Number.POSITIVE_INFINITY);
  const ordered = Float64Array.from(delays).sort();
  const delivery =
    listeners === 0
      ? ""
      : `, delivery p50 ${number(percentile(ordered, 0.5), 1)} ms, p99 ${number(percentile(ordered, 0.99), 1)} ms, ` +
        `${number(ordered.length)} of ${number(posts.count * listeners)} frames heard`;
  console.log(
    `  ${String(listeners).padStart(3)} listeners: POST p50 ${number(posts.p50Ms, 1)} ms, p99 ${number(posts.p99Ms, 1)} ms${delivery}`,
  );
}

/** Uses the hub's full intake rate; the listeners read in a process of their own and discard everything. */
async function compareIngest(token: string, { hub, events, rounds, seconds }: ListenersOptions): Promise<void> {
  const runs: Record<"alone" | "heard", LoopResult[]> = { alone: [], heard: [] };
  let drained = 0;
  for (let round = 0; round < rounds; round++) {
    for (const which of ["alone", "heard"] as const) {
      const bodies = bodiesFor(events, "all", { rounds, seconds, connections: CONNECTIONS });
      const requests = bodies.map((own) => toRequests(own, { port: hub.port, path: "/v1/events" }));
      const drain = which === "heard" ? await startDrain(hub.port, token) : undefined;
      runs[which].push(await runClosedLoop({ server: hub, requests, seconds, repeat: false }));
      if (drain !== undefined) drained += await stopDrain(drain);
    }
  }
  const rates = (which: "alone" | "heard") => runs[which].map(({ perSecond }) => perSecond);
  const cpu = (which: "alone" | "heard") => number(median(runs[which].map(({ serverMicroseconds }) => serverMicroseconds)));
  console.log(`\nIngest at ${CONNECTIONS} connections with and without ${MANY} listeners that read everything in another process`);
  console.log(`  without   ${spread(rates("alone"))} events per second, ${cpu("alone")} µs of the hub's processor time each`);
  console.log(`  with ${MANY}   ${spread(rates("heard"))} events per second, ${cpu("heard")} µs; ${number(drained / 1e6)} MB heard`);
  console.log(ratioLine(`with ${MANY} listeners / without`, medianRatio(rates("heard"), rates("alone")), { bar: { atLeast: 0.8 } }));
  printAnswers([...runs.alone, ...runs.heard]);
}

async function startDrain(port: number, token: string): Promise<ChildProcess> {
  const script = new URL("./drain-listeners.ts", import.meta.url).pathname;
  const child = fork(script, [String(port), String(MANY)], { execArgv: [] });
  child.send(token);
  await once(child, "message");
  return child;
}

async function stopDrain(child: ChildProcess): Promise<number> {
  child.send("stop");
  const [{ bytes, closed }] = (await once(child, "message")) as [{ readonly bytes: number; readonly closed: number }];
  if (closed > 0) console.log(`  ${closed} of ${MANY} listeners were closed by the hub before the end.`);
  return bytes;
}
