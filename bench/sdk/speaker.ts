import { setTimeout as pause } from "node:timers/promises";
import { aop } from "@earshot/sdk";
import { percentile } from "../ingest/figures.ts";

/** An agent that does nothing but speak, and measures what that costs it. */
export interface Task {
  readonly call: "thought" | "tool";
  readonly url: string;
  readonly calls: number;
  readonly home: string;
  /** How long to wait for delivery at the end: where nobody answers, there is nothing to wait for. */
  readonly waitMs: number;
}

export interface Cost {
  readonly callMicroseconds: number;
  readonly noopMicroseconds: number;
  /** What 99 of 100 turns stay below, per call. */
  readonly slowMicroseconds: number;
  /** Of the whole process, delivery and disk included, beyond what the no-op needs. */
  readonly cpuMicroseconds: number;
  readonly emitted: number;
  readonly delivered: number;
  readonly dropped: number;
  readonly waiting: number;
}

const IN_A_TURN = 10;
const WARM_UP = 2000;
const TEXT = "The test fails only on Fridays. Is there a date in the fixture, or a time zone in the assertion? Look at the fixture first.";
const INPUT = { path: "src/fixtures/orders.json", query: "date", limit: 20, flags: ["case-sensitive"] };

const task = JSON.parse(process.argv[2] ?? "{}") as Task;
const agent = aop({ agentId: "bench-agent", url: task.url });
const session = agent.session({ goal: "Measure." });
const nothing = { thought: (_text: string) => {}, tool: async (_name: string, _input: unknown, work: () => number) => work() };
const once = (speaker: Pick<typeof session, "thought" | "tool"> | typeof nothing) =>
  task.call === "thought" ? speaker.thought(TEXT) : speaker.tool("read_file", INPUT, () => 1);

await repeat(() => once(nothing), WARM_UP);
await repeat(() => once(session), WARM_UP);
const noop = await repeat(() => once(nothing), task.calls);
const spoken = await repeat(() => once(session), task.calls);
session.end();
const cpuStart = process.cpuUsage();
await agent.flush(task.waitMs);
const after = process.cpuUsage(cpuStart);
const events = task.calls * (task.call === "tool" ? 2 : 1);
const { emitted, delivered, dropped, waiting } = agent.counts();
const cost: Cost = {
  callMicroseconds: percentile(spoken.turns, 0.5),
  noopMicroseconds: percentile(noop.turns, 0.5),
  slowMicroseconds: percentile(spoken.turns, 0.99),
  cpuMicroseconds: (spoken.cpu + after.user + after.system - noop.cpu) / events,
  emitted,
  delivered,
  dropped,
  waiting,
};
process.send?.(cost);
await agent.close();
process.disconnect();

/** Time inside the calls alone, per turn: what the SDK does between the turns shows in the processor's time. */
async function repeat(call: () => unknown, times: number): Promise<{ readonly turns: Float64Array; readonly cpu: number }> {
  const turns = new Float64Array(times / IN_A_TURN);
  const start = process.cpuUsage();
  for (let index = 0; index < turns.length; index++) {
    const begin = performance.now();
    for (let round = 0; round < IN_A_TURN; round++) {
      const answer = call();
      if (answer instanceof Promise) await answer;
    }
    turns[index] = ((performance.now() - begin) * 1000) / IN_A_TURN;
    await pause(1);
  }
  const { user, system } = process.cpuUsage(start);
  return { turns: turns.sort(), cpu: user + system };
}
