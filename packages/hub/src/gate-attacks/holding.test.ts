import { describe, expect, it } from "vitest";
import { rulesFor } from "../requests/testing/engine-bench.ts";
import { bashPayload, openGate, replyTextOf, type TestGate } from "./testing/gate.ts";

const RULES = rulesFor({
  "sudo rm": { behaviour: "ask", rule: { name: "guard/destructive" }, judged: { risk: "high", dangers: ["removes"] } },
  "git push": { behaviour: "ask" },
});

async function newsOf(gate: TestGate, what: string): Promise<readonly string[]> {
  await gate.bench.settled();
  return gate.bench.engine.news
    .after(0)
    .news.filter((one) => one.what === what)
    .map(({ text }) => text);
}

describe("five idle minutes", () => {
  it("do not open the gate for what is dangerous", async () => {
    await using gate = await openGate(RULES);
    gate.bench.approvers.exist = true;
    gate.bench.engine.control.present();
    await gate.bench.pass(5 * 60_000 + 1);
    expect((await gate.ask(bashPayload("sudo rm -rf /"))).waits).toBe(true);
  });

  it("leave the rest to the agent, on record, with the reason and what came of it", async () => {
    await using gate = await openGate(RULES);
    gate.bench.approvers.exist = true;
    expect(replyTextOf(await gate.ask(bashPayload("git push")))).toContain('"ask"');
    const [left] = await gate.bench.engine.list({ limit: 1 });
    expect(left).toMatchObject({
      state: "defaulted",
      decision: { answer: { word: "ask" }, reason: expect.stringContaining("no approver was active") },
    });
    await gate.ask(bashPayload("git push", { hook_event_name: "PermissionRequest", tool_use_id: undefined }));
    await gate.ask(bashPayload("git push", { hook_event_name: "PostToolUse", tool_response: {} }));
    await gate.bench.settled();
    expect((await gate.bench.engine.list({ limit: 1 }))[0]).toMatchObject({ outcome: "completed", alarm: null });
    expect(await newsOf(gate, "decided")).toContainEqual(expect.stringContaining("Left to the agent"));
  });

  it("are announced when they begin to count and when somebody is back, and stand in the view", async () => {
    await using gate = await openGate(RULES);
    const { engine, approvers } = gate.bench;
    const holds = () => engine.control.view().holding.holds;
    engine.tick();
    expect(holds()).toBe("nothing");
    approvers.exist = true;
    engine.control.present();
    await gate.bench.pass(1000);
    expect(holds()).toBe("everything");
    await gate.bench.pass(5 * 60_000);
    expect(holds()).toBe("dangerous");
    await engine.control.setAway(true, "Ana");
    await gate.bench.pass(1000);
    expect(holds()).toBe("everything");
    await engine.control.pause(60_000, "Ana", "A demo.");
    await gate.bench.pass(1000);
    expect(engine.control.view().holding).toMatchObject({ holds: "nothing", change: expect.stringContaining("pause") });
    const told = (await newsOf(gate, "control")).filter((text) => /wait|held/.test(text));
    expect(told).toEqual([
      expect.stringContaining("an approver is here"),
      expect.stringContaining("Only what is dangerous waits"),
      expect.stringContaining("away: questions wait"),
      expect.stringContaining("can be reached"),
      expect.stringContaining("is paused"),
    ]);
  });

  it("an expiry is announced, and its card says what happened next", async () => {
    await using gate = await openGate(RULES);
    gate.bench.approvers.exist = true;
    expect((await gate.ask(bashPayload("sudo rm -rf /"))).waits).toBe(true);
    for (let minute = 0; minute < 11; minute++) {
      const [open] = await gate.bench.engine.list({ limit: 1 });
      if (open !== undefined) void gate.bench.engine.poll(open.id, "producer", 0);
      for (let part = 0; part < 8; part++) {
        if (open !== undefined) await gate.bench.engine.poll(open.id, "producer", 0);
        await gate.bench.pass(7500);
      }
    }
    expect(await newsOf(gate, "last-call")).toHaveLength(1);
    expect(await newsOf(gate, "decided")).toHaveLength(1);
    await gate.ask(bashPayload("sudo rm -rf /", { hook_event_name: "PostToolUse", tool_response: {} }));
    await gate.bench.settled();
    expect((await gate.bench.engine.list({ limit: 1 }))[0]).toMatchObject({ state: "defaulted", outcome: "completed" });
  });
});

describe("a gate that does not hold", () => {
  const FAULT = { agent: "claude", name: "Claude Code", reason: "Its hooks are switched off.", advice: "Switch them on." };

  it("is an alarm once, stands in the view, and is announced when it is mended", async () => {
    await using gate = await openGate(RULES);
    const { control } = gate.bench.engine;
    let faults = [FAULT];
    const alarms: string[] = [];
    const check = () => {
      for (const { reason } of control.setFaults(faults)) alarms.push(reason);
    };
    check();
    check();
    expect(alarms).toEqual([FAULT.reason]);
    expect(await newsOf(gate, "alarm")).toEqual(["Claude Code is not gated: Its hooks are switched off."]);
    expect(control.view().notGated).toEqual([FAULT]);
    faults = [];
    check();
    expect(control.view().notGated).toEqual([]);
    expect(await newsOf(gate, "control")).toContain("Claude Code is gated again.");
  });

  it("is noticed in a session that tells what it ran and never asks", async () => {
    await using gate = await openGate(RULES);
    gate.bench.unreadable.answer = "ask";
    for (const id of ["call_0", "call_1"]) {
      await gate.ask(bashPayload("ls", { hook_event_name: "PostToolUse", tool_response: {}, tool_use_id: id }), { observes: true });
    }
    await gate.bench.settled();
    expect(gate.bench.alarms).toEqual([expect.stringContaining("not gated")]);
  });

  it("is none of the hub's business where no rule restricts anything", async () => {
    await using gate = await openGate(RULES);
    await gate.ask(bashPayload("ls", { hook_event_name: "PostToolUse", tool_response: {} }), { observes: true });
    await gate.bench.settled();
    expect(gate.bench.alarms).toEqual([]);
  });

  it("is noticed by the folders in which agents work", async () => {
    await using gate = await openGate(RULES);
    await gate.ask(bashPayload("ls"));
    expect(gate.folders()).toEqual([{ agent: "claude", cwd: "/work" }]);
  });
});
