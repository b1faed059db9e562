import { describe, expect, it } from "vitest";
import { confirmationEvent } from "../../../aaep/src/subscriber/testing/events.ts";
import { type LiveProducer, openLiveProducer } from "../../../aaep/src/subscriber/testing/live-producer.ts";
import { until } from "../../../aaep/src/subscriber/testing/until.ts";
import { receive } from "../intake/receive.ts";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import type { RequestState } from "../request.ts";
import { type EngineBench, openBench } from "../requests/testing/engine-bench.ts";
import { AttachedProducers } from "./attachments.ts";

/** Attachments with a short grace period, on an engine with a manual clock. */
function attachTo(bench: EngineBench, path: string): AttachedProducers {
  return new AttachedProducers({
    path,
    ledger: bench.ledger,
    engine: bench.engine,
    receive: (pieces, name) => receive(pieces, { name, verified: true, protocol: "aaep" }, bench.engine.intake),
    version: "0.0.0",
    ownAddresses: () => [],
    eventBytes: 1 << 20,
    graceMs: 1500, // longer than it takes to try again a few times
    clock: {
      monotonic: () => performance.now(),
      now: () => bench.clock.now,
      random: () => 0,
      after: (ms, call) => {
        const timer = setTimeout(call, ms);
        return () => clearTimeout(timer);
      },
    },
    onFailure: (error) => bench.failures.push(error),
  });
}

async function eventually<Value>(read: () => Promise<Value>, holds: (value: Value) => unknown): Promise<Value> {
  const end = performance.now() + 30_000;
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    if (performance.now() > end) throw new Error(`In vain: ${JSON.stringify(value)}`);
    await new Promise((done) => setTimeout(done, 10));
  }
}

describe("a producer that goes away while it asks", () => {
  const asks = async (bench: EngineBench, live: LiveProducer) => {
    live.say(confirmationEvent("rpl_1", { timestamp: new Date(bench.clock.now).toISOString(), risk_level: "high" }));
    const requests = (state: RequestState) => bench.ledger.requests({ state, limit: 10 });
    const [request] = await eventually(
      () => requests("open"),
      (all) => all.length === 1,
    );
    const id = request?.id ?? "";
    await eventually(
      () => bench.engine.find(id),
      ({ machine }) => machine.phase === "waiting",
    );
    return { id, digest: request?.digest ?? "", phase: async () => (await bench.engine.find(id)).machine.phase };
  };

  it("waits no more until it comes back, and can be answered then", async () => {
    using folder = temporaryTestFolder();
    await using bench = await openBench();
    await using live = await openLiveProducer();
    await using attachments = attachTo(bench, folder.file("attachments.json"));
    await attachments.attach({ url: live.url }, "Ana");
    const { id, digest, phase } = await asks(bench, live);
    const answer = { by: "Ana", answer: { word: "accept" }, digest } as const;
    live.shut(true);
    live.cut();
    await eventually(phase, (one) => one === "unattended");
    await expect(bench.engine.answer(id, answer)).rejects.toMatchObject({ problem: { code: "NOBODY_WAITS" } });
    live.shut(false);
    await eventually(phase, (one) => one === "waiting");
    await bench.engine.answer(id, answer);
    await until(() => live.replies.length === 1, "the reply");
    expect(live.replies[0]).toMatchObject({ decision: "accept" });
    expect(bench.failures).toEqual([]);
  });

  it("and does not come back in time: nobody hears a default", async () => {
    using folder = temporaryTestFolder();
    await using bench = await openBench();
    await using live = await openLiveProducer();
    await using attachments = attachTo(bench, folder.file("attachments.json"));
    await attachments.attach({ url: live.url }, "Ana");
    const { phase } = await asks(bench, live);
    live.shut(true);
    live.cut();
    await eventually(phase, (one) => one === "unattended");
    await bench.pass(301_000);
    await eventually(phase, (one) => one === "orphaned");
    live.shut(false);
    await eventually(
      async () => attachments.list()[0]?.state,
      (state) => state === "open",
    );
    expect(live.replies).toEqual([]);
  });

  it("is told in time what a rule of the person says, with the name of the rule", async () => {
    using folder = temporaryTestFolder();
    const rules = { judge: () => ({ behaviour: "deny", rule: { name: "no drops" }, message: "Never on Fridays." }) } as never;
    await using bench = await openBench(rules);
    await using live = await openLiveProducer();
    await using attachments = attachTo(bench, folder.file("attachments.json"));
    await attachments.attach({ url: live.url }, "Ana");
    live.say(confirmationEvent("rpl_1", { timestamp: new Date(bench.clock.now).toISOString() }));
    await until(() => live.replies.length === 1, "the reply");
    expect(live.replies[0]).toMatchObject({
      decision: "reject",
      decided_by: "auto:policy:no drops",
      decision_rationale: "Never on Fridays.",
    });
  });
});
