import { describe, expect, it } from "vitest";
import { rulesFor } from "../requests/testing/engine-bench.ts";
import { bashPayload, openGate, replyTextOf, type TestGate } from "./testing/gate.ts";

const RULES = rulesFor({
  "git config": { behaviour: "ask", rule: { name: "guard/startup" } },
  later: { behaviour: "defer" },
  "rm -rf": { behaviour: "ask", rule: { name: "guard/destructive" }, judged: { risk: "high", dangers: ["destructive"] } },
  quiet: { behaviour: "ask", hold: "never" },
});
const WRITE = "git config core.hooksPath .hooks";

/** A call in a permission mode of one agent. */
function inMode(command: string, mode: string, more: object = {}) {
  return bashPayload(command, { permission_mode: mode, ...more });
}

async function outcome(gate: TestGate, command: string, more: object = {}): Promise<void> {
  await gate.ask(bashPayload(command, { hook_event_name: "PostToolUse", tool_response: {}, ...more }));
  await gate.bench.settled();
}

describe("an ask that the agent would wave through", () => {
  it.each([
    ["claude", "bypassPermissions"],
    ["claude", "dontAsk"],
    ["claude", "a mode of a later version"],
    ["qwen", "yolo"],
    ["droid", "auto-high"],
  ])("%s in the mode %s is denied, with the reason, where there is nobody to hold it for", async (registered, mode) => {
    await using gate = await openGate(RULES);
    for (const command of [WRITE, "later", "quiet"]) {
      const said = replyTextOf(await gate.ask(inMode(command, mode, { tool_use_id: command }), { registered }));
      expect(said).toContain('"deny"');
      expect(said).not.toContain('"ask"');
      expect(said).toMatch(/Reason":"[A-Z]/);
    }
  });

  it.each([
    ["says that nobody is there", { CLAUDE_CODE_SESSION_ATTENDED: "0" }],
    ["is that of a build service", { CI: "true" }],
  ])("is denied where the environment %s", async (_what, env) => {
    await using gate = await openGate(RULES);
    expect(replyTextOf(await gate.ask(inMode(WRITE, "default"), { env }))).toContain('"deny"');
  });

  it("is held for a person where there is an approver, though nobody was active; then denied", async () => {
    await using gate = await openGate(RULES);
    gate.bench.approvers.exist = true;
    const waiting = await gate.ask(inMode(WRITE, "bypassPermissions"));
    expect(waiting.waits).toBe(true);
    const [request] = await gate.bench.engine.list({ limit: 1 });
    expect(request?.card.terms.silence.answer.word).toBe("deny");
  });

  it.each(["default", "plan", "acceptEdits", "auto"])("is an ask in the mode %s, with a person at the agent", async (mode) => {
    await using gate = await openGate(RULES);
    const env = { CLAUDE_CODE_SESSION_ATTENDED: "1" };
    expect(replyTextOf(await gate.ask(inMode(WRITE, mode), { env }))).toContain('"permissionDecision":"ask"');
  });
});

describe("what runs although it was not allowed", () => {
  it("raises an alert while its request is open", async () => {
    await using gate = await openGate(RULES);
    gate.bench.approvers.exist = true;
    expect((await gate.ask(bashPayload("rm -rf src"))).waits).toBe(true);
    await outcome(gate, "rm -rf src");
    expect(gate.bench.alarms).toEqual([expect.stringContaining("while it waited for an answer")]);
    expect(await gate.bench.engine.list({ limit: 1 })).toMatchObject([
      { state: "withdrawn", outcome: "completed", alarm: expect.any(String) },
    ]);
  });

  it("raises an alert after an ask where the agent showed no question", async () => {
    await using gate = await openGate(RULES);
    expect(replyTextOf(await gate.ask(bashPayload(WRITE)))).toContain('"ask"');
    await outcome(gate, WRITE);
    expect(gate.bench.alarms).toEqual([expect.stringContaining("was told to ask")]);
  });

  it("raises none where the agent did ask", async () => {
    await using gate = await openGate(RULES);
    expect(replyTextOf(await gate.ask(bashPayload(WRITE)))).toContain('"ask"');
    await gate.ask(bashPayload(WRITE, { hook_event_name: "PermissionRequest", tool_use_id: undefined }));
    await outcome(gate, WRITE);
    expect(gate.bench.alarms).toEqual([]);
    const [asked] = await gate.bench.engine.list({ limit: 5 });
    expect(asked).toMatchObject({ state: "defaulted", outcome: "completed" });
  });
});
