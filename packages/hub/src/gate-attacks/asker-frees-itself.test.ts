import { describe, expect, it } from "vitest";
import { readHookResume } from "../hooks/hook-protocol.ts";
import { MAX_MISSED_POLLS, POLL_INTERVAL_MS } from "../requests/machine-steps.ts";
import { hookAsk, hookEventOf, rulesFor } from "../requests/testing/engine-bench.ts";
import { bashPayload, openGate, replyTextOf, type TestGate } from "./testing/gate.ts";

const RULES = rulesFor({
  deploy: { behaviour: "ask", hold: "always", holdForMs: 60_000, unanswered: "deny" },
  lint: { behaviour: "ask", hold: "always", holdForMs: 60_000, unanswered: "allow" },
});

/** A call held by a rule with `unanswered: deny`; returns a function for its answer. */
async function waiting(gate: TestGate, command = "deploy"): Promise<() => Promise<string>> {
  const reply = await gate.ask(bashPayload(command));
  if (!reply.waits) throw new Error("It waits.");
  return async () => replyTextOf(await gate.ask(bashPayload(command), { resume: readHookResume(reply.resume) }));
}

describe("an asker that ends its own question hears what silence means by the rule", () => {
  it.each<[string, (gate: TestGate) => Promise<unknown>]>([
    ["a SessionEnd hook", (gate) => gate.ask({ session_id: "s1", hook_event_name: "SessionEnd", reason: "other" })],
    [
      "session.end as an event",
      (gate) => gate.bench.say([{ ...hookEventOf(), type: "session.end", session: { id: "s1" }, action: undefined, tool: undefined }]),
    ],
    ["a PostToolUse for the call", (gate) => gate.ask(bashPayload("deploy", { hook_event_name: "PostToolUse", tool_response: {} }))],
    ["a PermissionDenied for the call", (gate) => gate.ask(bashPayload("deploy", { hook_event_name: "PermissionDenied", reason: "no" }))],
    [
      "withdraw",
      async (gate) => {
        const [request] = await gate.bench.engine.list({ limit: 1 });
        await gate.bench.engine.withdraw(request?.id ?? "", { by: "producer", asker: true });
      },
    ],
    [
      "being suspended past its deadline",
      async (gate) => {
        await gate.bench.pass(MAX_MISSED_POLLS * POLL_INTERVAL_MS + 1);
        await gate.bench.pass(60_001);
      },
    ],
  ])("%s", async (_what, free) => {
    await using gate = await openGate(RULES);
    const comeBack = await waiting(gate);
    await free(gate);
    await gate.bench.settled();
    expect(await comeBack()).toContain('"deny"');
  });

  it("never hears a yes, also where silence would be one", async () => {
    await using gate = await openGate(RULES);
    const comeBack = await waiting(gate, "lint");
    await gate.ask({ session_id: "s1", hook_event_name: "SessionEnd", reason: "other" });
    await gate.bench.settled();
    expect(await comeBack()).not.toContain('"allow"');
  });

  it("in AEP as well", async () => {
    await using gate = await openGate(RULES);
    const { bench } = gate;
    const event = hookEventOf({ action: { type: "tool_call", id: "a1", input: { command: "deploy" } } });
    const asked = await bench.hooks.ask(hookAsk(event, bench.clock.now), 0);
    await bench.engine.withdraw(String(asked.request), { by: "producer", asker: true });
    expect(await bench.hooks.poll(String(asked.request), "producer", 0)).toMatchObject({
      waits: false,
      response: { control: { behavior: "deny" } },
    });
  });
});
