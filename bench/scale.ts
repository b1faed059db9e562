import { parseArgs } from "node:util";
import { number, percentile } from "./ingest/figures.ts";

/**
 * Simulates arrivals of 100 to 1,000,000 agents at hubs that append to one or more databases, from measured costs: how many databases
 * and hubs each number of agents needs. The defaults are those of `docs/operations.md`; pass others after `npm run bench:cluster`.
 */
const { values } = parseArgs({
  options: {
    /** Events per second of one agent, on average; an agent is busy a fifth of the time. */
    "events-per-agent": { type: "string", default: "0.2" },
    /** Milliseconds of one commit, and of one event in it, under the append lock. */
    "commit-ms": { type: "string", default: "69" },
    "event-ms": { type: "string", default: "0.315" },
    /** Microseconds of a hub's processor per event taken in, and per event and listener (docs/adr/0017). */
    "intake-us": { type: "string", default: "150" },
    "listener-us": { type: "string", default: "3.3" },
    /** A person watches through one listener, which gets a tenth of a team's events. */
    "agents-per-listener": { type: "string", default: "10" },
    "team-size": { type: "string", default: "100" },
    seconds: { type: "string", default: "60" },
  },
});
const [eventsPerAgent, commitMs, eventMs] = [values["events-per-agent"], values["commit-ms"], values["event-ms"]].map(Number) as [
  number,
  number,
  number,
];
const [intakeUs, listenerUs] = [Number(values["intake-us"]), Number(values["listener-us"])];
const [agentsPerListener, teamSize] = [Number(values["agents-per-listener"]), Number(values["team-size"])];
const MAX_BATCH = 1000;
const MAX_P99_MS = 1000;
const MAX_SHARDS = 256;
/** Of one core, so that a hub that fails can be replaced by the others. */
const MAX_HUB_SHARE = 0.6;

interface Load {
  readonly p99Ms: number;
  readonly commitsPerSecond: number;
}

/** Of what one append lock can take, so that bursts and a failover have room. */
const MAX_APPEND_SHARE = 0.6;
/** A tenth of the time events arrive at five times the mean rate. */
const BURST = { share: 0.1, factor: 5, everyMs: 5000 };
const limit = 1000 / (commitMs / MAX_BATCH + eventMs);

console.log("    agents   events/s   databases   used   commits/s each   append p99   cores of hubs");
for (const agents of [100, 1000, 10_000, 100_000, 1_000_000]) {
  const perSecond = agents * eventsPerAgent;
  let shards = 1;
  let load = simulate(perSecond);
  while ((load.p99Ms > MAX_P99_MS || perSecond / shards > MAX_APPEND_SHARE * limit) && shards < MAX_SHARDS) {
    shards *= 2;
    load = simulate(perSecond / shards);
  }
  // A listener gets the events of its team.
  const heardPerSecond = (agents / agentsPerListener) * Math.min(agents, teamSize) * eventsPerAgent;
  const hubs = Math.max(1, Math.ceil((perSecond * intakeUs + heardPerSecond * listenerUs) / 1e6 / MAX_HUB_SHARE));
  const cells = [
    number(agents),
    number(perSecond),
    number(shards),
    `${number((100 * perSecond) / shards / limit)} %`,
    number(load.commitsPerSecond),
  ];
  const widths = [10, 11, 12, 7, 17];
  const row = cells.map((cell, index) => cell.padStart(widths[index] ?? 0)).join("");
  console.log(`${row}${`${number(load.p99Ms)} ms`.padStart(13)}${number(hubs).padStart(16)}`);
}
console.log(`One database takes at most ${number(limit)} events/s, which is ${number(limit / eventsPerAgent)} agents at full load.`);

/** One append lock: events that arrive during a commit share the next one. */
function simulate(perSecond: number): Load {
  const random = createRandom();
  const endMs = Number(values.seconds) * 1000;
  const waitedMs: number[] = [];
  const waiting: number[] = [];
  const calmFactor = (1 - BURST.share * BURST.factor) / (1 - BURST.share);
  let [nowMs, commits, nextMs] = [0, 0, 0];
  const arriveUntil = (ms: number) => {
    while (nextMs <= ms) {
      waiting.push(nextMs);
      const isBurst = nextMs % BURST.everyMs < BURST.share * BURST.everyMs;
      nextMs += (-Math.log(1 - random()) * 1000) / (perSecond * (isBurst ? BURST.factor : calmFactor));
    }
  };
  while (nowMs < endMs) {
    arriveUntil(nowMs);
    if (waiting.length === 0) {
      nowMs = nextMs;
      continue;
    }
    const batch = waiting.splice(0, MAX_BATCH);
    nowMs += commitMs + batch.length * eventMs;
    commits++;
    for (const at of batch) waitedMs.push(nowMs - at);
    if (waiting.length > 50 * MAX_BATCH) break; // it only grows
  }
  const p99Ms = percentile(Float64Array.from(waitedMs).sort(), 0.99);
  return { p99Ms, commitsPerSecond: (1000 * commits) / nowMs };
}

/** A repeatable random generator (mulberry32). */
function createRandom(): () => number {
  let state = 1;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
