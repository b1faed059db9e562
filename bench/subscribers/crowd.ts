import { monitorEventLoopDelay } from "node:perf_hooks";
import { CLASSES } from "./classes.ts";
import { openStream } from "./stream.ts";
import { moment } from "./talk.ts";
import { type Noticed, TermWatch } from "./term-watch.ts";

/** What the crowd is told to do. `bare` listens to a server that sends everything to everybody. */
export type Order =
  | { readonly do: "join"; readonly server: "hub" | "bare"; readonly port: number; readonly token: string; readonly count: number }
  | { readonly do: "measure" }
  | { readonly do: "report" };

export type Report = {
  readonly closed: number;
  /** How late this process itself was, whatever the server did. */
  readonly ownDelayMs: number;
} & (
  | { readonly kind: "hub"; readonly classes: readonly { readonly name: string; readonly noticed: readonly Noticed[] }[] }
  | { readonly kind: "bare"; readonly frames: number; readonly criticalMs: readonly number[] }
);

let closed = 0;
const delay = monitorEventLoopDelay({ resolution: 5 });
const members: { readonly name: string; readonly watch: TermWatch }[] = [];
const bare = { frames: 0, criticalMs: [] as number[], measureFrom: Number.POSITIVE_INFINITY };

process.on("message", (order: Order) => {
  if (order.do === "join") void join(order).then(() => process.send?.("joined"), fail);
  else if (order.do === "measure") {
    delay.enable();
    bare.measureFrom = moment();
    for (const { watch } of members) watch.measure(bare.measureFrom);
  } else process.send?.(report(), () => process.exit());
});

async function join({ server, port, token, count }: Extract<Order, { do: "join" }>): Promise<void> {
  const onClose = () => {
    closed++;
  };
  if (server === "bare") {
    const open = () => openStream({ port, path: "/events", token, heard: hearBare, closed: onClose });
    await Promise.all(Array.from({ length: count }, open));
    return;
  }
  for (const one of CLASSES) {
    await Promise.all(
      Array.from({ length: one.count }, async (_, index) => {
        const watch = new TermWatch(one);
        members.push({ name: one.name, watch });
        const path = await subscribe(port, token, { subscriber_id: `${one.name} ${index}`, capabilities: one.capabilities });
        await openStream({ port, path, token, heard: (data, hasId) => watch.hear(JSON.parse(data), hasId), closed: onClose });
      }),
    );
  }
}

async function subscribe(port: number, token: string, request: Readonly<Record<string, unknown>>): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/aaep/v1/subscriptions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ type: "subscription.request", aaep_version: "1.0.0", ...request }),
  });
  const answer = await response.text();
  const location = response.headers.get("location");
  if (response.status !== 201 || location === null) throw new Error(`Not accepted: ${response.status} ${answer.slice(0, 300)}`);
  return location;
}

function hearBare(data: string): void {
  bare.frames++;
  const at = data.indexOf('"correlation_id":"sent ');
  if (at < 0) return;
  const sent = Number.parseFloat(data.slice(at + 23));
  if (sent >= bare.measureFrom) bare.criticalMs.push(moment() - sent);
}

function report(): Report {
  const ownDelayMs = delay.percentile(99) / 1e6;
  if (members.length === 0) return { kind: "bare", closed, ownDelayMs, frames: bare.frames, criticalMs: bare.criticalMs };
  const classes = CLASSES.map(({ name }) => ({
    name,
    noticed: members.filter((one) => one.name === name).map(({ watch }) => watch.result()),
  }));
  return { kind: "hub", closed, ownDelayMs, classes };
}

function fail(error: unknown): void {
  console.error(error);
  process.exit(1);
}
