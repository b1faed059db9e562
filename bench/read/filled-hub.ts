import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Child, startHub } from "../ingest/child.ts";
import { Connection, toRequests } from "../ingest/connection.ts";
import { number } from "../ingest/figures.ts";
import type { History } from "./history.ts";

export interface FilledHub extends AsyncDisposable {
  readonly events: number;
  /** The answer of a route, parsed, and how long it took. */
  get(path: string): Promise<{ readonly value: Readonly<Record<string, unknown>>; readonly ms: number; readonly bytes: number }>;
}

const BATCH = 1000;
const SAID_EVERY_MS = 15_000;
/** A connection that is not used for longer may have been closed by the hub. */
const IDLE_MS = 1000;

/** A real hub in a process of its own that was told so many events, and whose views have seen them all. */
export async function startFilledHub(folder: string, events: number, history: History): Promise<FilledHub> {
  const home = join(folder, `home-${events}`);
  const hub = await startHub(home);
  const token = readFileSync(join(home, "viewer.token"), "utf8").trim();
  await fill(hub, events, history);
  let connection = await Connection.open(hub.port);
  let askedAt = performance.now();
  const get: FilledHub["get"] = async (path) => {
    if (performance.now() - askedAt > IDLE_MS) {
      connection.close();
      connection = await Connection.open(hub.port);
    }
    const began = performance.now();
    askedAt = began;
    const { status, body } = await ask(connection, path, hub.port, token);
    const ms = performance.now() - began;
    if (status !== 200) throw new Error(`${path} was answered with ${status}: ${body.slice(0, 400)}`);
    return { value: JSON.parse(body) as Readonly<Record<string, unknown>>, ms, bytes: body.length };
  };
  await waitForViews(get, events);
  return {
    events,
    get,
    async [Symbol.asyncDispose]() {
      connection.close();
      await hub.stop();
    },
  };
}

async function fill(hub: Child, events: number, history: History): Promise<void> {
  const connection = await Connection.open(hub.port);
  const began = performance.now();
  let saidAt = began;
  for (let sent = 0; sent < events; sent += BATCH) {
    const batch = history.take(Math.min(BATCH, events - sent));
    const [request = Buffer.alloc(0)] = toRequests([batch], { port: hub.port, path: "/v1/events", type: "application/x-ndjson" });
    const { status, body } = await new Promise<{ status: number; body: string }>((resolve, reject) =>
      connection.send(request, resolve, reject),
    );
    if (status !== 200 || !body.includes('"refused":0')) throw new Error(`A batch was answered with ${status}: ${body.slice(0, 400)}`);
    if (performance.now() - saidAt > SAID_EVERY_MS) {
      saidAt = performance.now();
      console.log(`  … ${number(sent)} of ${number(events)} events stored`);
    }
  }
  connection.close();
  const seconds = (performance.now() - began) / 1000;
  console.log(`  ${number(events)} events stored in ${number(seconds)} s, ${number(events / seconds)} in a second`);
}

async function waitForViews(get: FilledHub["get"], events: number): Promise<void> {
  const began = performance.now();
  let saidAt = began;
  for (;;) {
    const { behind } = (await get("/api/sessions?limit=1")).value;
    if (behind === undefined) break;
    if (performance.now() - saidAt > SAID_EVERY_MS) {
      saidAt = performance.now();
      console.log(`  … the views are ${number(Number(behind))} events behind`);
    }
    await pause(200);
  }
  const seconds = (performance.now() - began) / 1000;
  console.log(`  the views of ${number(events)} events stood ${number(seconds, 1)} s later`);
}

function ask(connection: Connection, path: string, port: number, token: string): Promise<{ status: number; body: string }> {
  const head = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  return new Promise((resolve, reject) => connection.send(Buffer.from(head), resolve, reject));
}
