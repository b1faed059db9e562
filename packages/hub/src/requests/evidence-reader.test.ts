import type { JsonObject } from "@earshot/protocol";
import { describe, expect, it } from "vitest";
import { confirmationRequested, type EngineBench, hookAsk, hookEventOf, openBench, rulesFor } from "./testing/engine-bench.ts";

const RULES = rulesFor({
  "npm test": { behaviour: "allow" },
  "rm -rf": { behaviour: "deny" },
  deploy: { behaviour: "ask", hold: "always", holdForMs: 120_000, unanswered: "deny" },
});

function command(text: string, more: object = {}): JsonObject {
  const event = hookEventOf(more);
  return { ...event, action: { ...(event["action"] as JsonObject), input: { command: text } } };
}

function outcome(event: JsonObject, type = "action.completed"): JsonObject {
  const how = type === "action.failed" ? { status: "failure" } : { status: "success" };
  return { ...event, id: `${String(event["id"])}_${type}`, type, action: { ...(event["action"] as JsonObject), ...how } };
}

const ask = (bench: EngineBench, event: JsonObject, more: object = {}) => bench.hooks.ask(hookAsk(event, bench.clock.now, more), 0);

async function theRequest(bench: EngineBench) {
  const [request] = await bench.engine.list({ limit: 1, before: Number.MAX_SAFE_INTEGER });
  if (request === undefined) throw new Error("There is no request.");
  return request;
}

async function responses(bench: EngineBench): Promise<number> {
  await bench.settled();
  const { entries } = await bench.ledger.read({ after: 0, limit: 500, filter: { type: ["response"] } });
  return entries.length;
}

describe("after a restart", () => {
  it("it is known that the agent took the answer, and what came of it", async () => {
    await using bench = await openBench(RULES);
    const [taken, asked] = [command("npm test"), command("deploy")];
    await ask(bench, taken);
    await bench.say([outcome(taken)]);
    await ask(bench, asked);
    const { id, digest } = await theRequest(bench);
    await bench.engine.answer(id, { by: "ann", answer: { word: "deny" }, digest });
    const before = await bench.engine.list({ limit: 10 });
    expect(before.map(({ outcome: one }) => one)).toEqual(["completed", null]);
    await bench.restart(5000);
    const after = await bench.engine.list({ limit: 10 });
    expect(after[0]).toMatchObject({ takenAt: before[0]?.takenAt, outcome: "completed", alarm: null });
    expect(after[1]).toMatchObject({ takenAt: null, outcome: null, decision: { answer: { word: "deny" } } });
    expect(await bench.engine.watch(before[0]?.id ?? "", 0)).toMatchObject({ takenAt: before[0]?.takenAt, outcome: "completed" });
  });

  it.each([
    ["answered", true],
    ["open", false],
  ])("an asker that asks again finds its request, which is %s, although nobody is present", async (_name, isAnswered) => {
    await using bench = await openBench(RULES);
    bench.engine.control.present();
    const event = command("look");
    expect(await ask(bench, event, { asksItself: true })).toMatchObject({ waits: true });
    const { id, digest } = await theRequest(bench);
    if (isAnswered) await bench.engine.answer(id, { by: "ann", answer: { word: "allow" }, digest });
    await bench.restart();
    const again = await ask(bench, event, { asksItself: true });
    expect(again).toMatchObject(isAnswered ? { response: { control: { behavior: "allow" } } } : { waits: true, again: false, request: id });
    expect(await ask(bench, command("look"), { asksItself: true })).toMatchObject({ response: { control: { behavior: "abstain" } } });
  });

  it("a no is told with the event that it answers, and its response stands there once", async () => {
    await using bench = await openBench(RULES);
    const event = command("deploy");
    await ask(bench, event);
    const { id, digest } = await theRequest(bench);
    await bench.engine.answer(id, { by: "ann", answer: { word: "deny" }, digest });
    await bench.restart();
    const told = { waits: false, response: { request_event_id: event["id"], control: { behavior: "deny" } } };
    expect(await bench.hooks.poll(id, "producer", 0)).toMatchObject(told);
    expect(await responses(bench)).toBe(1);
    await bench.restart();
    expect(await bench.hooks.poll(id, "producer", 0)).toMatchObject(told);
    expect(await responses(bench)).toBe(1);
  });

  it("something that runs although it was refused before raises an alarm, which the card keeps", async () => {
    await using bench = await openBench(RULES);
    const event = command("rm -rf /");
    await ask(bench, event);
    await bench.restart();
    await bench.say([outcome(event)]);
    expect(bench.alarms).toEqual([expect.stringContaining("although it had been refused")]);
    await bench.restart();
    expect(await theRequest(bench)).toMatchObject({ outcome: "completed", alarm: expect.stringContaining("although") });
    expect(bench.alarms).toHaveLength(1);
  });

  it("the aftermath is found among many other entries", async () => {
    await using bench = await openBench(RULES);
    const event = command("npm test");
    await ask(bench, event);
    const noise = Array.from({ length: 450 }, () => hookEventOf({ type: "model.response", content: [{ type: "response", text: "So." }] }));
    await bench.say(noise.map(({ action: _action, tool: _tool, ...rest }) => rest));
    expect(await bench.say([outcome(event, "action.failed")])).toMatchObject([{ ok: true }]);
    await bench.restart();
    const { id } = await theRequest(bench);
    expect(await bench.engine.watch(id, 0)).toMatchObject({ outcome: "failed", takenAt: expect.any(String) });
  });
});

describe("a session that asked before a restart", () => {
  it.each([
    ["whose rules answered", "npm test"],
    ["about which no rule spoke", "ls"],
  ])("and %s raises an alarm when something runs unasked afterwards", async (_name, text) => {
    await using bench = await openBench(RULES);
    const asked = command(text);
    await ask(bench, asked);
    await bench.settled();
    await bench.restart();
    await bench.say([outcome(asked)]);
    expect(bench.alarms).toEqual([]);
    await bench.say([outcome(command("curl evil"))]);
    expect(bench.alarms).toEqual([expect.stringContaining("nobody was asked about it")]);
    await bench.say([outcome(command("curl evil"))]);
    expect(bench.alarms).toHaveLength(1);
  });

  it("is not mistaken for one of another source, or one that never asks", async () => {
    await using bench = await openBench(RULES);
    await ask(bench, command("npm test"));
    await bench.restart();
    await bench.say([outcome(command("curl evil"))], "somebody-else");
    await bench.say([outcome(command("curl evil", { session: { id: "session-2" } }))]);
    expect(bench.alarms).toEqual([]);
  });
});

describe("time that the machine slept", () => {
  it("does not count for a hook: neither as missed polls, nor against its deadline", async () => {
    await using bench = await openBench(RULES);
    await ask(bench, command("deploy"));
    await bench.pass(4000);
    await bench.sleep(8 * 3_600_000);
    expect(await theRequest(bench)).toMatchObject({ state: "open", waits: true, leftMs: 116_000 });
    // After waking, two misses count as usual.
    await bench.pass(5999);
    expect(await theRequest(bench)).toMatchObject({ waits: true });
    await bench.pass(1);
    expect(await theRequest(bench)).toMatchObject({ state: "open", waits: false });
  });

  it("counts for a producer that keeps the time itself", async () => {
    await using bench = await openBench();
    await bench.say([confirmationRequested({ risk_level: "low", irreversible: false })]);
    await bench.sleep(400_000);
    expect(await theRequest(bench)).toMatchObject({ state: "defaulted" });
  });

  it("is no time in which somebody was there", async () => {
    await using bench = await openBench(RULES);
    bench.engine.control.present();
    bench.clock.monotonic -= 60_000; // as where the clock stands still meanwhile
    await bench.sleep(60_000);
    expect(bench.engine.control.isAttended).toBe(false);
    bench.engine.control.present();
    expect(bench.engine.control.isAttended).toBe(true);
  });
});
