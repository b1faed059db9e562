import { AgentFiles } from "@earshot/agents/files";
import type { JsonObject } from "@earshot/protocol";
import { describe, expect, it } from "vitest";
import { bashHookCall, bashPayload } from "../gate-attacks/testing/gate.ts";
import type { PersonRules } from "../policy/rules.ts";
import { type EngineBench, openBench, rulesFor } from "../requests/testing/engine-bench.ts";
import { type HookResume, readHookResume, writeHookResume } from "./hook-protocol.ts";
import { NativeHooks, type NativeReply } from "./native-hooks.ts";

const RULES = rulesFor({
  "rm -rf": { behaviour: "deny", message: "Not here." },
  deploy: { behaviour: "ask", hold: "always", holdForMs: 120_000, unanswered: "deny" },
});

function open(bench: EngineBench): NativeHooks {
  return new NativeHooks(new AgentFiles(), bench.hooks);
}

const cursor = (command: string): object => ({
  conversation_id: "c1",
  generation_id: "g",
  cursor_version: "2",
  workspace_roots: ["/w"],
  hook_event_name: "preToolUse",
  tool_name: "Shell",
  tool_input: { command },
  tool_use_id: "t",
  cwd: "/w",
});

async function stored(bench: EngineBench): Promise<readonly string[]> {
  await bench.settled();
  const { entries } = await bench.ledger.read({ after: 0, limit: 100 });
  return entries.filter(({ kind }) => kind === "event").map(({ type, agent }) => `${agent} ${type}`);
}

function saidBy(reply: NativeReply): JsonObject {
  if (reply.waits) throw new Error("It waits.");
  return reply.rendering.stdout === "" ? {} : (JSON.parse(reply.rendering.stdout) as JsonObject);
}

async function saidAfter(native: NativeHooks, token: string): Promise<JsonObject> {
  const reply = await native.wait(token, "producer", 0);
  if (reply === undefined) throw new Error("The payload is needed again.");
  return saidBy(reply);
}

describe("an agent that wants to ask by itself", () => {
  const permission = (name: string, more: object = {}) =>
    bashPayload("make release", { hook_event_name: name, tool_use_id: undefined, ...more });

  it("is held beside its own dialog, whatever the presence, and the card is closed when that is answered", async () => {
    await using bench = await openBench(RULES);
    const native = open(bench);
    await native.ask(bashHookCall(bashPayload("make release")), 0);
    const reply = await native.ask(bashHookCall(permission("PermissionRequest")), 0);
    expect(reply).toMatchObject({ waits: true });
    expect(await bench.engine.list({ state: "open", limit: 5 })).toMatchObject([{ state: "open" }]);
    await native.ask(bashHookCall(bashPayload("make release", { hook_event_name: "PostToolUse", tool_response: { stdout: "done" } })), 0);
    await bench.settled();
    const [view] = await bench.engine.list({ limit: 5 });
    expect(view).toMatchObject({ state: "withdrawn", decision: { reason: expect.stringContaining("at the agent's own dialog") } });
  });

  it("is left to itself where it waits for its hook first and nobody looks", async () => {
    await using bench = await openBench(RULES);
    const codex = permission("PermissionRequest", { turn_id: "t1", model: "gpt-5.5", permission_mode: "default" });
    expect(await open(bench).ask(bashHookCall(codex, { registered: "codex" }), 0)).toMatchObject({ waits: false, request: null });
    expect(await bench.engine.list({ limit: 5 })).toEqual([]);
  });
});

describe("an agent that asks all the same when it hears a yes", () => {
  const DANGEROUS = "git reset --hard";
  const ask = { behaviour: "ask", hold: "when-someone-listens", holdForMs: 120_000, unanswered: "ask" } as const;
  const of = (name: string): PersonRules => rulesFor({ [DANGEROUS]: { ...ask, rule: { name } } });
  const HOOKS: readonly (readonly [string, object])[] = [
    [
      "gemini",
      { session_id: "g", cwd: "/w", hook_event_name: "BeforeTool", tool_name: "run_shell_command", tool_input: { command: DANGEROUS } },
    ],
    ["windsurf", { trajectory_id: "w", agent_action_name: "pre_run_command", tool_info: { command_line: DANGEROUS, cwd: "/w" } }],
    [
      "cline",
      {
        taskId: "c",
        clineVersion: "4",
        hookName: "tool_call",
        tool_call: { id: "1", name: "run_commands", input: { commands: [DANGEROUS] } },
      },
    ],
  ];

  it.each(HOOKS)("%s: is never held by a preset rule, whatever the presence", async (registered, payload) => {
    await using bench = await openBench(of("guard/destructive"));
    bench.engine.control.present();
    expect((await open(bench).ask(bashHookCall(payload, { registered }), 0)).waits).toBe(false);
    expect(await bench.engine.list({ state: "open", limit: 5 })).toEqual([]);
    expect((await open(bench).ask(bashHookCall(bashPayload(DANGEROUS)), 0)).waits).toBe(true);
  });

  it.each(HOOKS)("%s: is held by a rule of a person's own", async (registered, payload) => {
    await using bench = await openBench(of("destructive"));
    bench.engine.control.present();
    expect((await open(bench).ask(bashHookCall(payload, { registered }), 0)).waits).toBe(true);
  });
});

describe("a hook of a coding agent", () => {
  it("is answered as its sender reads it, whatever the registration", async () => {
    await using bench = await openBench(RULES);
    const native = open(bench);
    expect(saidBy(await native.ask(bashHookCall(bashPayload("rm -rf /")), 0))).toMatchObject({
      hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "Not here." },
    });
    expect(saidBy(await native.ask(bashHookCall(cursor("rm -rf /")), 0))).toMatchObject({ permission: "deny", agent_message: "Not here." });
    expect(await stored(bench)).toEqual(["claude action.requested", "cursor action.requested"]);
  });

  it("that runs twice for one call is one request, and both runs hear the answer", async () => {
    await using bench = await openBench(RULES);
    const native = open(bench);
    // Cursor runs its own hooks and those registered for Claude Code.
    const runs = ["cursor", "claude"].map((registered) => bashHookCall(cursor("deploy"), { registered }));
    const [one, two] = await Promise.all(runs.map((run) => native.ask(run, 0)));
    if (one?.waits !== true || two?.waits !== true) throw new Error("Both wait.");
    expect(two.request).toBe(one.request);
    expect(await stored(bench)).toEqual(["cursor action.requested"]);
    const [request] = await bench.engine.list({ limit: 5 });
    await bench.engine.answer(one.request, { by: "Ana", answer: { word: "deny", message: "No." }, digest: request?.digest ?? "" });
    for (const { resume } of [one, two]) expect(await saidAfter(native, resume)).toMatchObject({ permission: "deny" });
  });

  it("waits with its token alone, which nobody else's credential and no other token stands for", async () => {
    await using bench = await openBench(RULES);
    const native = open(bench);
    const [one, other] = [await native.ask(bashHookCall(bashPayload("deploy")), 0), await native.ask(bashHookCall(cursor("deploy")), 0)];
    if (!one.waits || !other.waits) throw new Error("Both wait.");
    expect(await native.wait(one.resume, "producer", 0)).toEqual(one);
    const [request] = await bench.engine.list({ limit: 5, session: "s1" });
    await bench.engine.answer(one.request, { by: "Ana", answer: { word: "allow" }, digest: request?.digest ?? "" });
    for (const _ of ["first", "lost on the way, and asked for again"]) {
      expect(await saidAfter(native, one.resume)).toMatchObject({ hookSpecificOutput: { permissionDecision: "allow" } });
    }
    expect(await native.wait(other.resume, "producer", 0)).toEqual(other);
    expect(await native.wait(one.resume, "another producer", 0)).toBeUndefined();
    const forged = writeHookResume({ ...(readHookResume(one.resume) as HookResume), at: 1 });
    for (const token of ["", "nonsense", forged]) expect(await native.wait(token, "producer", 0)).toBeUndefined();
  });

  it("goes on waiting after a restart, with the same request", async () => {
    await using bench = await openBench(RULES);
    const first = await open(bench).ask(bashHookCall(bashPayload("deploy")), 0);
    if (!first.waits) throw new Error("It waits.");
    await bench.restart(1000);
    const native = open(bench);
    expect(await native.wait(first.resume, "producer", 0)).toBeUndefined(); // the payload was in memory alone
    const again = bashHookCall(bashPayload("deploy"), { resume: readHookResume(first.resume) });
    const second = await native.ask(again, 0);
    expect(second).toEqual(first);
    expect(await native.wait(first.resume, "producer", 0)).toEqual(first);
    const [request] = await bench.engine.list({ limit: 5 });
    await bench.engine.answer(first.request, { by: "Ana", answer: { word: "allow" }, digest: request?.digest ?? "" });
    expect(await saidAfter(native, first.resume)).toMatchObject({ hookSpecificOutput: { permissionDecision: "allow" } });
    expect(saidBy(await native.ask(again, 0))).toMatchObject({ hookSpecificOutput: { permissionDecision: "allow" } });
    expect(await stored(bench)).toEqual(["claude action.requested"]);
  });

  it("that only watches is stored and told nothing, whatever rules say", async () => {
    await using bench = await openBench(RULES);
    expect(saidBy(await open(bench).ask(bashHookCall(bashPayload("rm -rf /"), { observes: true }), 0))).toEqual({});
    expect(await stored(bench)).toEqual(["claude action.requested"]);
  });

  it("stores everything that a payload says", async () => {
    await using bench = await openBench(RULES);
    const native = open(bench);
    await native.ask(
      bashHookCall({ session_id: "s1", hook_event_name: "Stop", stop_hook_active: false, last_assistant_message: "Done." }),
      0,
    );
    await native.ask(bashHookCall({ session_id: "s1", hook_event_name: "SessionStart", source: "startup" }), 0);
    expect(await stored(bench)).toEqual(["claude model.response", "claude agent.stop", "claude session.start"]);
  });

  it("sends an agent back at most three times in a turn", async () => {
    await using bench = await openBench(rulesFor({ "": { behaviour: "block", message: "The tests fail." } }));
    const native = open(bench);
    const said: unknown[] = [];
    for (const isActive of [false, true, true, true, true]) {
      const stop = { session_id: "s1", hook_event_name: "Stop", stop_hook_active: isActive, prompt_id: `p${said.length}` };
      said.push(saidBy(await native.ask(bashHookCall(stop), 0))["decision"]);
    }
    expect(said).toEqual(["block", "block", "block", undefined, undefined]);
  });

  it("records what an agent could not be told", async () => {
    await using bench = await openBench(rulesFor({ deploy: { behaviour: "ask", hold: "never" } }));
    const codex = { ...bashPayload("deploy"), model: "gpt", turn_id: "t1" };
    expect(saidBy(await open(bench).ask(bashHookCall(codex, { registered: "codex" }), 0))).toMatchObject({
      hookSpecificOutput: { permissionDecision: "deny" },
    });
    await bench.settled();
    const { entries } = await bench.ledger.read({ after: 0, limit: 100 });
    expect(entries.some(({ kind }) => kind === "message")).toBe(true);
  });

  it("may hand over a whole file: the rules see all of it, and the record has its beginning", async () => {
    await using bench = await openBench(RULES);
    const large = bashPayload(`${"#".repeat(2_000_000)}\nrm -rf /`);
    expect(saidBy(await open(bench).ask(bashHookCall(large), 0))).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
    const { entries } = await bench.ledger.read({ after: 0, limit: 10 });
    expect(entries[0]?.text.length).toBeLessThan(10_000);
    expect(entries[0]?.text).toContain("x-truncated");
  });

  it("is refused when nobody could be answered", async () => {
    await using bench = await openBench(RULES);
    const native = open(bench);
    for (const ask of [
      bashHookCall("no json"),
      bashHookCall("[]"),
      bashHookCall("{}", { registered: "nobody" }),
      bashHookCall("{}", { registered: "../x" }),
    ]) {
      await expect(native.ask(ask, 0)).rejects.toThrow();
    }
    expect(saidBy(await native.ask(bashHookCall("{}"), 0))).toEqual({});
  });

  it("of somebody who speaks AEP is answered in AEP", async () => {
    await using bench = await openBench(RULES);
    const event = {
      aep_version: "0.1",
      id: "evt_x1",
      type: "action.requested",
      time: "2026-07-01T09:00:00.000Z",
      agent: { slug: "mine" },
      session: { id: "s" },
      action: { type: "tool_call", id: "a", input: { command: "rm -rf /" } },
      tool: { name: "sh", type: "native" },
    };
    const native = open(bench);
    expect(saidBy(await native.ask(bashHookCall(event, { registered: "aep" }), 0))).toMatchObject({
      request_event_id: "evt_x1",
      control: { behavior: "deny" },
    });
    expect(
      saidBy(
        await native.ask(
          bashHookCall({ ...event, id: "evt_x2", action: { ...event.action, id: "b", input: { command: "ls" } } }, { registered: "aep" }),
          0,
        ),
      ),
    ).toMatchObject({ control: { behavior: "abstain" } });
  });
});
