import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startCollector } from "./ingest/aop-collector.ts";
import { measureBatches } from "./ingest/batches.ts";
import { type Child, startHub, startServer } from "./ingest/child.ts";
import { runClosedLoop } from "./ingest/closed-loop.ts";
import { toRequests } from "./ingest/connection.ts";
import { EventSource } from "./ingest/events.ts";
import { type Bar, number, printLoad, ratioLine } from "./ingest/figures.ts";
import { measureListeners } from "./ingest/listeners.ts";
import { bodiesFor, type Contestant, compare, meanBytes, measureSingles, printAnswers, printResults } from "./ingest/singles.ts";

/**
 * Prints the hub's intake rate relative to servers that do less, in the same run and with the same load generator. The hub does
 * everything: parsing, checking against the protocol, masking secrets, the hash chain, session states, and a sync to disk before each
 * answer.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "3" },
    connections: { type: "string", default: "1,16,64" },
    only: { type: "string", default: "singles,batches,listeners" },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const parts = values.only.split(",");
const folder = mkdtempSync(join(tmpdir(), "earshot-bench-ingest-"));
const WARM_UP_EVENTS = 256_000;
const ECHO = "node:http echo: parses JSON, keeps nothing";
const BARE = "the same server, one bare row each";
const UNREAD = "the same, and does not parse the JSON";
const ALONE = "one bare row each, with a commit of its own";
const HUB = "earshot";
const HUB_AOP = "earshot, AOP events only";
const COLLECTOR = "the official AOP collector, AOP events only";

try {
  await using stack = new AsyncDisposableStack();
  const home = join(folder, "home");
  const hub = stack.use(await startHub(home));
  const events = new EventSource();
  const plain: Contestant[] = [{ name: HUB, server: hub, path: "/v1/events", protocols: "all", remembers: true }];
  console.log(
    `Ingest of the hub from source. Node ${process.version} for the generator and all servers unless said otherwise; ` +
      `${availableParallelism()} cores; everything on 127.0.0.1, files in ${tmpdir()}.`,
  );
  printLoad();
  await warmUp(hub, events);
  if (parts.includes("singles")) {
    const echo = stack.use(await startServer("echo"));
    const bare = stack.use(await startServer("bare-rows", [join(folder, "together.db"), "together"]));
    const unread = stack.use(await startServer("bare-rows", [join(folder, "unread.db"), "unread"]));
    const alone = stack.use(await startServer("bare-rows", [join(folder, "alone.db"), "alone"]));
    const collector = await startCollector(process.env["AOP_COLLECTOR_DIR"], folder);
    plain.unshift(
      { name: ECHO, server: echo, path: "/v1/events", protocols: "all", remembers: false },
      { name: BARE, server: bare, path: "/v1/events", protocols: "all", remembers: false },
      { name: UNREAD, server: unread, path: "/v1/events", protocols: "all", remembers: false },
    );
    plain.push({ name: ALONE, server: alone, path: "/v1/events", protocols: "all", remembers: false });
    if (collector !== undefined) {
      stack.use(collector);
      plain.push(
        { name: HUB_AOP, server: hub, path: "/events", protocols: "aop", remembers: true },
        { name: COLLECTOR, server: collector, path: "/events", protocols: "aop", remembers: false },
      );
    }
    await compareSingles(plain, events);
  }
  if (parts.includes("batches")) await measureBatches({ hub, home, folder, events, rounds });
  if (parts.includes("listeners")) await measureListeners({ hub, home, events, rounds, seconds });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Aims by number of connections. */
type Bars = Readonly<Record<number, Bar>>;

/** Counted in requests rather than time: compilation depends on the number of calls, and a busy machine makes fewer of them. */
async function warmUp(hub: Child, events: EventSource): Promise<void> {
  const requests = Array.from({ length: 64 }, () => toRequests(events.take(WARM_UP_EVENTS / 64), { port: hub.port, path: "/v1/events" }));
  await runClosedLoop({ server: hub, requests, seconds: 60, repeat: false });
}

async function compareSingles(contestants: readonly Contestant[], events: EventSource): Promise<void> {
  const sample = bodiesFor(events, "all", { rounds, seconds: 1, connections: 16 });
  console.log(
    `\nSingle events, ${number(meanBytes(sample))} bytes on average, no two the same; each connection waits for its answer. ` +
      `Median (lowest to highest) of ${rounds} rounds of ${seconds} s, in turns; ratios within a round, then their median.`,
  );
  await measureSingles(contestants, events, { rounds: 1, seconds: 2, connections: 64 }); // warms up the others, and the generator
  for (const connections of values.connections.split(",").map(Number)) {
    const results = await measureSingles(contestants, events, { rounds, seconds, connections });
    console.log(`\n${connections === 1 ? "1 connection" : `${connections} connections`}`);
    printResults(results);
    const print = (what: string, [ours, theirs]: readonly [string, string], bars: Bars = {}) => {
      const { ratio, cpu } = compare(results, ours, theirs);
      console.log(ratioLine(what, ratio, { cpu, bar: bars[connections] }));
    };
    print("earshot / echo", [HUB, ECHO]);
    print("earshot / bare rows", [HUB, BARE]);
    print("earshot / bare rows, JSON not parsed", [HUB, UNREAD]);
    print("earshot / one commit for each row", [HUB, ALONE]);
    if (results.has(COLLECTOR))
      print("earshot / AOP collector", [HUB_AOP, COLLECTOR], { 1: { atLeast: 0.7 }, 16: { atLeast: 2 }, 64: { atLeast: 3 } });
    printAnswers([...(results.get(HUB) ?? []), ...(results.get(HUB_AOP) ?? [])]);
  }
}
