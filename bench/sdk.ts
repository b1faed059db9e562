import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startHub } from "./ingest/child.ts";
import { median, number } from "./ingest/figures.ts";
import type { Cost, Task } from "./sdk/speaker.ts";

/**
 * Prints what a call of the SDK costs the agent that makes it, beside a function that does nothing, in the same run: with
 * a hub that answers, with none, and with something in its place that takes connections and never answers.
 */
const { values } = parseArgs({
  options: { calls: { type: "string", default: "10000" }, rounds: { type: "string", default: "3" } },
});
const folder = mkdtempSync(join(tmpdir(), "earshot-bench-sdk-"));
const hole = createServer(() => {}).listen(0, "127.0.0.1");
await once(hole, "listening");
const address = hole.address();
const holePort = typeof address === "object" && address !== null ? address.port : 0;

try {
  await using hub = await startHub(join(folder, "home"));
  const places = [
    { name: "hub up", url: `http://127.0.0.1:${hub.port}`, waitMs: 10_000 },
    { name: "hub down", url: "http://127.0.0.1:9", waitMs: 500 },
    { name: "hub black-holed", url: `http://127.0.0.1:${holePort}`, waitMs: 500 },
  ];
  console.log(
    `${number(Number(values.calls))} calls, 10 in a row about every millisecond; median of ${values.rounds} rounds. ` +
      `Node ${process.version}, ${availableParallelism()} cores, SDK and hub from source.`,
  );
  for (const call of ["thought", "tool"] as const) {
    const rounds = Array.from({ length: Number(values.rounds) }, (_, round) => round);
    console.log(
      `\nsession.${call.padEnd(12)}   µs per call   beyond a no-op    99 of 100 below  processor µs per event    delivered   on disk   dropped`,
    );
    for (const { name, url, waitMs } of places) {
      const costs: Cost[] = [];
      for (const round of rounds)
        costs.push(await measure({ call, url, waitMs, calls: Number(values.calls), home: join(folder, `${name}-${call}-${round}`) }));
      const cost = median(costs.map(({ callMicroseconds }) => callMicroseconds));
      const noop = median(costs.map(({ noopMicroseconds }) => noopMicroseconds));
      const cells = [
        number(cost, 2).padStart(14),
        `+${number(cost - noop, 2)}`.padStart(17),
        number(median(costs.map(({ slowMicroseconds }) => slowMicroseconds)), 2).padStart(18),
        number(median(costs.map(({ cpuMicroseconds }) => cpuMicroseconds)), 1).padStart(25),
        ...(["delivered", "waiting", "dropped"] as const).map((what) => number(median(costs.map((one) => one[what]))).padStart(10)),
      ];
      console.log(`  ${name.padEnd(18)}${cells.join("")}`);
    }
  }
} finally {
  hole.close();
  rmSync(folder, { recursive: true, force: true });
}

/** In a process of its own, so that no measurement warms up another. */
async function measure(task: Task): Promise<Cost> {
  const child = fork(new URL("./sdk/speaker.ts", import.meta.url), [JSON.stringify(task)], {
    execArgv: ["--conditions=earshot-source"],
    env: { ...process.env, EARSHOT_HOME: task.home, EARSHOT_URL: "" },
  });
  const [cost] = (await once(child, "message")) as [Cost];
  await once(child, "exit");
  return cost;
}
