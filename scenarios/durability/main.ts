import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { broken } from "./broken.ts";
import { type KillReport, killOverAndOver } from "./kills.ts";
import { listenMany } from "./listeners.ts";
import { sendLongBody } from "./long-body.ts";
import { isRemovalRecorded, killAt } from "./points.ts";
import { POINTS } from "./trap.ts";

/**
 * Everything at full length, each with its negative control: `node tools/install.cjs scenarios/durability/main.ts --help`. Uses its own
 * hubs on loopback in temporary folders, and stops by itself.
 */
const HELP = `Usage: node tools/install.cjs scenarios/durability/main.ts [options]

  --kills N        kill -9 at random instants (default 200)
  --speakers N     how many speak at once (default 32)
  --rounds N       how often each named point is killed at (default 20)
  --seed N         another course of events
  --gigabyte       one body of a gigabyte, and nothing else
  --only WHAT      kills, points, listeners, gigabyte, or control
`;

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "200" },
    speakers: { type: "string", default: "32" },
    rounds: { type: "string", default: "20" },
    seed: { type: "string", default: String(Date.now() % 100_000) },
    only: { type: "string" },
    gigabyte: { type: "boolean" },
    help: { type: "boolean" },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);
const seed = Number(values.seed);
const MANY_LISTENERS = { stuck: 100, healthy: 5, eventsPerSecond: 2000, seconds: 10 };
const NAIVE = { bin: resolve("scenarios/durability/naive-hub.ts") };
let isGood = true;

if (values.help === true) say(HELP);
else {
  say(`Seed ${seed}.`);
  if (runs("kills")) await kills();
  if (runs("points")) await points();
  if (runs("listeners")) await listeners();
  if (runs("gigabyte")) await gigabyte();
  if (runs("control")) await controls();
  process.exitCode = isGood ? 0 : 1;
}

function runs(what: string): boolean {
  const only = values.gigabyte === true ? "gigabyte" : values.only;
  return only === undefined || only === what;
}

async function kills(): Promise<void> {
  const report = await killOverAndOver({ kills: Number(values.kills), speakers: Number(values.speakers), seed, log: say });
  say(`${report.lost} of ${report.acknowledged} acknowledged lost over ${report.kills} kills with ${values.speakers} speakers.`);
  say(
    `${report.misplaced} misplaced, ${report.duplicated} duplicated, ${report.unknown} unknown, ${report.misheard} misheard by a listener; ${report.resent} sent again, of which ${report.recognised} had been stored.`,
  );
  say(`The chain ${report.verification["ok"] === true ? "verifies" : "DOES NOT VERIFY"}: ${JSON.stringify(report.verification)}`);
  tell(report);
  isGood &&= isClean(report);
}

async function points(): Promise<void> {
  for (const point of POINTS) {
    let acknowledged = 0;
    let good = 0;
    for (let round = 0; round < Number(values.rounds); round++) {
      const report = await killAt(point, seed + round);
      acknowledged += report.acknowledged;
      const isAsItShould = isRemovalRecorded(point) === (report.doomedLeft === 0);
      const isRight =
        report.lost + report.misplaced + report.duplicated + report.complaints.length === 0 && report.verification["ok"] === true;
      if (isRight && isAsItShould) good++;
      else tell(report);
    }
    say(`Killed ${point}: ${good} of ${values.rounds} rounds good, ${acknowledged} acknowledged.`);
    isGood &&= good === Number(values.rounds);
  }
}

async function listeners(): Promise<void> {
  const report = await listenMany(MANY_LISTENERS);
  say(
    `100 stuck and 5 healthy listeners, ${report.events} events at 2,000 a second: memory grew by ${report.growthMegabytes} MiB, healthy p99 ${report.healthyP99Ms} ms, ${report.closed} stuck ones were closed, ${report.faults.length} gaps or repeats.`,
  );
  for (const fault of report.faults) say(`  ${fault}`);
  isGood &&= report.faults.length === 0 && report.growthMegabytes <= 150;
}

async function gigabyte(): Promise<void> {
  const report = await sendLongBody(1024);
  say(
    `A body of ${report.bodyMegabytes} MiB: ${report.stored} of ${report.events} events stored, memory grew by ${report.growthMegabytes} MiB.`,
  );
  isGood &&= report.stored === report.events;
}

async function controls(): Promise<void> {
  const common = { kills: 20, speakers: 8, seed, stopsAtFirstFault: true };
  const early = await killOverAndOver({ ...common, hub: broken("answers early") });
  say(
    `Control, a hub that answers early: ${early.lost} of ${early.acknowledged} acknowledged lost over ${early.kills} kills (must not be 0).`,
  );
  const forgetful = await killOverAndOver({ ...common, hub: broken("forgets ids") });
  say(`Control, a hub that forgets ids: ${forgetful.duplicated} duplicated over ${forgetful.kills} kills (must not be 0).`);
  const misquoting = await killOverAndOver({ ...common, kills: 2, hub: broken("misquotes") });
  say(`Control, a hub that misquotes: ${misquoting.misheard} misheard by a listener (must not be 0).`);
  const naive = await listenMany({ ...MANY_LISTENERS, healthy: 1, seconds: 3, resumes: false, hub: NAIVE });
  say(
    `Control, a hub that writes to listeners whether they read or not: memory grew by ${naive.growthMegabytes} MiB in 3 s (must be more than 150).`,
  );
  isGood &&= early.lost > 0 && forgetful.duplicated > 0 && misquoting.misheard > 0 && naive.growthMegabytes > 150;
}

function tell({ examples, complaints }: Pick<KillReport, "examples" | "complaints">): void {
  for (const line of [...examples, ...complaints.slice(0, 5)]) say(`  ${line}`);
}

function isClean({ lost, misplaced, duplicated, unknown, misheard, complaints, verification }: KillReport): boolean {
  return lost + misplaced + duplicated + unknown + misheard + complaints.length === 0 && verification["ok"] === true;
}
