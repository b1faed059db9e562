import type { HubProcess } from "../hub/hub-process.ts";

type Body = Readonly<Record<string, unknown>>;

/** A hub's answers without anything that depends on arrival time. */
export interface Picture {
  /** Each session by id with its story, calls and conformance. */
  readonly sessions: Readonly<Record<string, unknown>>;
  readonly refused: readonly unknown[];
  readonly alerts: readonly unknown[];
  readonly requests: number;
}

/** By the hub's clock. */
const TIMES = new Set(["receivedAt", "startedAt", "lastHeardAt", "endedAt", "at", "waitingSince"]);
const PAGE = 200;

export async function pictureOf(hub: HubProcess): Promise<Picture> {
  await caughtUp(hub);
  const sessions: Record<string, unknown> = {};
  for (const session of await allOf(hub, "/api/sessions")) {
    // By the hub's clock if the events have no times.
    const { durationMs: _duration, ...known } = session;
    const { key, id, protocol } = known as { readonly key: number; readonly id: string; readonly protocol: string };
    const part = async (name: string) => timeless(await allOf(hub, `/api/sessions/${key}/${name}`));
    sessions[`${protocol} ${id} ${key}`] = {
      session: timeless(known),
      story: await part("story"),
      calls: await part("calls"),
      grade: timeless(await json(hub, `/api/sessions/${key}/grade`)),
      exported: await (await hub.get(`/api/export?${new URLSearchParams({ session: id, protocol })}`)).text(),
    };
  }
  const { refused = [] } = (await json(hub, "/api/refused")) as { refused?: readonly unknown[] };
  const { open } = (await json(hub, "/api/requests?state=open")) as { open: number };
  return {
    sessions,
    refused: timeless(refused) as readonly unknown[],
    alerts: timeless(await allOf(hub, "/api/alerts")) as readonly unknown[],
    requests: open,
  };
}

/** Waits until the views include everything stored. */
export async function caughtUp(hub: HubProcess): Promise<void> {
  for (;;) {
    const metrics = await (await hub.get("/metrics")).text();
    if (/^earshot_views_lag_positions 0$/m.test(metrics)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function json(hub: HubProcess, path: string): Promise<Body> {
  const response = await hub.get(path);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Body;
}

async function allOf(hub: HubProcess, path: string): Promise<readonly Body[]> {
  const all: Body[] = [];
  for (let next: unknown = ""; next !== undefined && next !== null; ) {
    const query = new URLSearchParams({ limit: String(PAGE), ...(next === "" ? {} : { after: String(next) }) });
    const page = await json(hub, `${path}?${query}`);
    all.push(...(page["items"] as readonly Body[]));
    next = page["next"];
  }
  return all;
}

function timeless(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(timeless);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name, member]) => !(TIMES.has(name) && typeof member === "number"));
  return Object.fromEntries(kept.map(([name, member]) => [name, timeless(member)]));
}
