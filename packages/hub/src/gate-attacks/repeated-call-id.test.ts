import { describe, expect, it } from "vitest";
import { readHookResume } from "../hooks/hook-protocol.ts";
import { hookEventOf, rulesFor } from "../requests/testing/engine-bench.ts";
import { bashPayload, openGate, replyTextOf, shellSamples } from "./testing/gate.ts";

const RULES = rulesFor({
  "rm -rf": { behaviour: "deny", message: "DENIED-BY-RULE" },
  deploy: { behaviour: "ask", hold: "always", unanswered: "deny" },
  "git push": { behaviour: "ask", hold: "always", unanswered: "deny" },
  "npm test": { behaviour: "allow" },
});

const SAMPLES = shellSamples();

describe("one call id, two inputs", () => {
  it("covers every agent that has a gate for commands", () => {
    expect(new Set(SAMPLES.map(({ agent }) => agent)).size).toBeGreaterThanOrEqual(20);
  });

  it.each(SAMPLES.map((sample) => [`${sample.agent} ${sample.name}`, sample] as const))(
    "%s: an allowed command does not allow a denied one",
    async (_name, { agent, hook, payload }) => {
      await using gate = await openGate(RULES);
      const options = { registered: agent, hook };
      expect(replyTextOf(await gate.ask(payload("npm test") as object, options))).not.toContain("DENIED-BY-RULE");
      expect(replyTextOf(await gate.ask(payload("rm -rf /") as object, options))).toContain("DENIED-BY-RULE");
    },
  );

  it("an approval of one command is not an approval of another", async () => {
    await using gate = await openGate(RULES);
    const first = await gate.ask(bashPayload("deploy staging"));
    if (!first.waits) throw new Error("It waits.");
    const [request] = await gate.bench.engine.list({ limit: 5 });
    await gate.bench.engine.answer(first.request, { by: "Ana", answer: { word: "allow" }, digest: request?.digest ?? "" });
    const second = await gate.ask(bashPayload("deploy production"));
    expect(second).toMatchObject({ waits: true });
    expect(second.request).not.toBe(first.request);
  });

  it("an approval is used up when the call has ended", async () => {
    await using gate = await openGate(RULES);
    const first = await gate.ask(bashPayload("git push"));
    if (!first.waits) throw new Error("It waits.");
    const [request] = await gate.bench.engine.list({ limit: 5 });
    await gate.bench.engine.answer(first.request, { by: "Ana", answer: { word: "allow" }, digest: request?.digest ?? "" });
    await gate.ask(bashPayload("git push", { hook_event_name: "PostToolUse", tool_response: {} }));
    expect(await gate.ask(bashPayload("git push"))).toMatchObject({ waits: true });
  });

  it("an approval of one turn is not used in the next one", async () => {
    await using gate = await openGate(RULES);
    const first = await gate.ask(bashPayload("git push", { prompt_id: "p1" }));
    if (!first.waits) throw new Error("It waits.");
    const [request] = await gate.bench.engine.list({ limit: 5 });
    await gate.bench.engine.answer(first.request, { by: "Ana", answer: { word: "allow" }, digest: request?.digest ?? "" });
    expect(await gate.ask(bashPayload("git push", { prompt_id: "p2" }))).toMatchObject({ waits: true });
  });

  it("is an alert, once for a session, and both inputs are stored", async () => {
    await using gate = await openGate(RULES);
    await gate.ask(bashPayload("ls"));
    expect(gate.bench.alarms).toEqual([]);
    await gate.ask(bashPayload("rm -rf /"));
    await gate.ask(bashPayload("rm -rf ~"));
    expect(gate.bench.alarms).toEqual([expect.stringContaining("call id")]);
    await gate.bench.settled();
    const { entries } = await gate.bench.ledger.read({ after: 0, limit: 50 });
    const inputs = entries.filter(({ type }) => type === "action.requested").map(({ text }) => JSON.parse(text).action.input.command);
    expect(inputs).toEqual(["ls", "rm -rf /", "rm -rf ~"]);
  });

  it("a denied command that runs under the id of an allowed one is an alert about the denied one", async () => {
    await using gate = await openGate(RULES);
    await gate.ask(bashPayload("npm test"));
    const denied = await gate.ask(bashPayload("rm -rf /"));
    await gate.ask(bashPayload("rm -rf /", { hook_event_name: "PostToolUse", tool_response: {} }));
    await gate.bench.settled();
    expect(gate.bench.alarms).toContainEqual(expect.stringContaining(String(denied.request)));
  });

  it("hooks of one call still share a question: two registrations, and a retry without a token", async () => {
    await using gate = await openGate(RULES);
    const first = await gate.ask(bashPayload("deploy staging"));
    const retry = await gate.ask(bashPayload("deploy staging"));
    expect(retry.waits && first.waits && retry.request).toBe(first.request);
    expect(gate.bench.alarms).toEqual([]);
  });

  it("an event posted in AEP with the action id of another is a question of its own", async () => {
    await using gate = await openGate(RULES);
    const event = (id: string, command: string) => ({
      ...hookEventOf({ id }),
      action: { type: "tool_call", id: "call_0", input: { command } },
    });
    expect(replyTextOf(await gate.ask(event("evt_n1", "npm test"), { registered: "aep" }))).toContain('"allow"');
    expect(replyTextOf(await gate.ask(event("evt_n2", "rm -rf /"), { registered: "aep" }))).toContain("DENIED-BY-RULE");
  });
});

describe("a resume token", () => {
  async function approved(command: string) {
    const gate = await openGate(RULES);
    const waiting = await gate.ask(bashPayload(command));
    if (!waiting.waits) throw new Error("It waits.");
    const [request] = await gate.bench.engine.list({ limit: 5 });
    await gate.bench.engine.answer(waiting.request, { by: "Ana", answer: { word: "allow" }, digest: request?.digest ?? "" });
    return { gate, resume: readHookResume(waiting.resume) };
  }

  it.each([
    ["another command", bashPayload("rm -rf /")],
    ["another call", bashPayload("rm -rf /", { tool_use_id: "call_9" })],
    ["another session", bashPayload("rm -rf /", { session_id: "s2" })],
    ["another tool with the same input", bashPayload("deploy staging", { tool_name: "Shell" })],
    ["the same input in another session", bashPayload("deploy staging", { session_id: "s2" })],
  ])("does not answer %s", async (_what, payload) => {
    const { gate, resume } = await approved("deploy staging");
    await using _open = gate;
    expect(replyTextOf(await gate.ask(payload, { resume }))).not.toContain('"allow"');
    expect(gate.bench.alarms[0]).toContain("token of another question");
  });

  it("does not answer another command after a restart of the hub", async () => {
    const { gate, resume } = await approved("deploy staging");
    await using _open = gate;
    await gate.bench.restart(1000);
    expect(replyTextOf(await gate.ask(bashPayload("rm -rf /"), { resume }))).toContain("DENIED-BY-RULE");
    expect(replyTextOf(await gate.ask(bashPayload("deploy staging"), { resume }))).toContain('"allow"');
  });

  it("answers the call it was given for", async () => {
    const { gate, resume } = await approved("deploy staging");
    await using _open = gate;
    expect(replyTextOf(await gate.ask(bashPayload("deploy staging"), { resume }))).toContain('"allow"');
  });
});
