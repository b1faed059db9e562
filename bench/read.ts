import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { median, medianRatio, number, percentile, printLoad } from "./ingest/figures.ts";
import { type FilledHub, startFilledHub } from "./read/filled-hub.ts";
import { History } from "./read/history.ts";
import { QUESTIONS, type Question } from "./read/questions.ts";

/**
 * Prints how long people wait for what happened when little is stored and when much is, and how the one grows to the other.
 * Real hubs, each with a history of its own that begins alike, are asked the same questions over HTTP, in turns.
 */
const { values } = parseArgs({
  options: {
    events: { type: "string", default: "10000,1000000" },
    rounds: { type: "string", default: "5" },
    answers: { type: "string", default: "50" },
  },
});
const sizes = values.events.split(",").map(Number);
const rounds = Number(values.rounds);
const answers = Number(values.answers);
const WARM_UP_ANSWERS = 10;
const folder = mkdtempSync(join(tmpdir(), "earshot-bench-read-"));

/** Of one question in one round, for each hub. */
interface Measured {
  readonly p50: number;
  readonly p99: number;
  readonly items: number;
}

try {
  await using stack = new AsyncDisposableStack();
  console.log(`Reading from hubs from source. Node ${process.version}, ${availableParallelism()} cores, files in ${tmpdir()}.`);
  printLoad();
  const hubs: FilledHub[] = [];
  for (const size of sizes) hubs.push(stack.use(await startFilledHub(folder, size, new History())));
  console.log(
    `\nMilliseconds to an answer, p50 (p99): of ${rounds} rounds the median, each of ${answers} answers from each hub in turns; ` +
      "growth within a round, then its median.",
  );
  const measured = QUESTIONS.map((): (readonly Measured[])[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, question] of QUESTIONS.entries()) measured[index]?.push(await measure(question, hubs));
  }
  for (const [index, question] of QUESTIONS.entries()) print(question, measured[index] ?? []);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure({ paths }: Question, hubs: readonly FilledHub[]): Promise<readonly Measured[]> {
  const history = new History();
  const asked = await Promise.all(hubs.map((hub) => paths(hub, history)));
  const times = hubs.map((): number[] => []);
  const items = hubs.map(() => 0);
  for (let answer = -WARM_UP_ANSWERS; answer < answers; answer++) {
    for (const [index, hub] of hubs.entries()) {
      const all = asked[index] ?? [];
      const { value, ms } = await hub.get(all[(answer + WARM_UP_ANSWERS) % all.length] ?? "");
      if (answer < 0) continue;
      times[index]?.push(ms);
      items[index] = (items[index] ?? 0) + countOf(value);
    }
  }
  return times.map((all, index) => {
    const ordered = Float64Array.from(all).sort();
    return { p50: percentile(ordered, 0.5), p99: percentile(ordered, 0.99), items: (items[index] ?? 0) / answers };
  });
}

/** Pages, trees and tables: an answer with nothing in it would be quick, and say nothing. */
function countOf(value: Readonly<Record<string, unknown>>): number {
  const list = value["items"] ?? value["nodes"] ?? value["lines"];
  return Array.isArray(list) ? list.length : 0;
}

function print({ name, atMost }: Question, measured: readonly (readonly Measured[])[]): void {
  const of = (hub: number, pick: (one: Measured) => number) => measured.flatMap((round) => round.slice(hub).slice(0, 1).map(pick));
  const shown = sizes.map((size, hub) => {
    const middle = (pick: (one: Measured) => number) => median(of(hub, pick));
    const [p50, p99, items] = [middle((one) => one.p50), middle((one) => one.p99), middle((one) => one.items)];
    return `${number(p50, 2)} (${number(p99, 1)}) at ${number(size)}, ${number(items, 1)} items`;
  });
  const last = sizes.length - 1;
  const ratio = medianRatio(
    of(last, ({ p50 }) => p50),
    of(0, ({ p50 }) => p50),
  );
  const aim = atMost === undefined ? "no bar" : `aimed at: at most ${atMost}${ratio <= atMost ? "" : "  ← above the aim"}`;
  console.log(`  ${name}\n    ${shown.join("; ")}\n    grows by ${number(ratio, 2)}   ${aim}`);
}
