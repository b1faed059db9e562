import { describe, expect, it } from "vitest";
import { ALL_HOSTS, type AnyHost } from "../packages/cli/src/agents/testing/hosts/play-host.ts";
import { pause } from "./durability/kills.ts";
import { COMES_TO } from "./hook/comes-to.ts";
import { type HookBench, openHookBench, sessionOf } from "./hook/hook-bench.ts";

const RULES = `
rules:
  - { name: may, match: { command: "echo may*" }, answer: allow }
  - { name: never, match: { command: "echo never*" }, answer: deny, message: Not here. }
  - { name: agent-asks, match: { command: "echo ask*" }, answer: ask, hold: never }
  - { name: change, match: { command: "echo change*" }, answer: allow, updatedInput: { command: echo changed } }
  - { name: late, match: { command: "echo late*" }, answer: ask, hold: always, holdFor: 10s, unanswered: deny }
  - { name: held, match: { command: "echo hold*" }, answer: ask, hold: always }
`;

const DEEP = ["claude", "codex", "cursor", "gemini", "github", "opencode", "qwen"];

describe("a simulated host per agent, as their documents describe them", () => {
  it("obeys what the rules and a person say, also when time runs out", async () => {
    await using bench = await openHookBench({ policy: RULES });
    for (const host of ALL_HOSTS) {
      const told = async (command: string) => (await bench.call(host, command)).tool;
      expect([host.name, await told("ls")]).toEqual([host.name, "left"]);
      expect([host.name, await told("echo may")]).toEqual([host.name, COMES_TO[host.name]?.allow]);
      const denied = await bench.call(host, "echo never");
      expect([host.name, denied.tool]).toEqual([host.name, "blocked"]);
      expect([host.name, denied.message]).toEqual([host.name, expect.stringContaining("Not here.")]);
      expect([host.name, await told("echo ask")]).toEqual([host.name, COMES_TO[host.name]?.ask]);
      const changed = await bench.call(host, "echo change");
      // An agent that takes no changed input gets a refusal: the original input must not run.
      if (changed.tool === "blocked") expect([host.name, changed.message]).toEqual([host.name, expect.stringContaining("echo changed")]);
      else expect([host.name, changed.input]).toEqual([host.name, { command: "echo changed" }]);
    }
    for (const host of ALL_HOSTS) await heldAndAnswered(bench, host);
    expect(await Promise.all(await holdAll(bench, "echo late"))).toEqual(ALL_HOSTS.map(({ name }) => [name, "blocked"]));
  });

  it("hears the answer of a person although the hub was killed meanwhile", async () => {
    await using bench = await openHookBench({ policy: RULES });
    // They differ in output, not in waiting: the most thoroughly tested ones stand for all.
    const hosts = ALL_HOSTS.filter(({ agent }) => DEEP.includes(agent));
    const waiting = await holdAll(bench, "echo hold on", hosts);
    await bench.hub().kill("SIGKILL");
    bench.forbidStarting();
    await bench.start();
    for (const host of hosts) await bench.answer({ answer: "deny", message: "Not now." }, sessionOf(host));
    expect(await Promise.all(waiting)).toEqual(hosts.map(({ name }) => [name, "blocked"]));
  });

  it("holds what is dangerous also for an agent that asks all the same", async () => {
    await using bench = await openHookBench({ policy: "extends: [fewer-prompts, guard]\n" });
    await bench.showPresence();
    for (const host of ALL_HOSTS.filter(({ agent }) => ["gemini", "windsurf", "cline"].includes(agent))) {
      const held = bench.call(host, "git reset --hard");
      await bench.answer({ answer: "deny", message: "Not now." }, sessionOf(host));
      expect([host.name, (await held).tool]).toEqual([host.name, "blocked"]);
    }
  });

  it("answers a question of the agent with the words of a person", async () => {
    await using bench = await openHookBench({ policy: "rules: []\n" });
    await bench.showPresence();
    const input = { questions: [{ question: "Which rounding?", options: [{ label: "Half up" }, { label: "Half even" }] }] };
    const asked = {
      session_id: "s1",
      hook_event_name: "PreToolUse",
      cwd: bench.folder,
      tool_name: "AskUserQuestion",
      tool_input: input,
      tool_use_id: "q1",
    };
    const running = bench.run(["claude", "PreToolUse", "600"], JSON.stringify(asked));
    await bench.answer({ answer: "respond", response: "Half even" });
    expect(JSON.parse((await running).stdout)).toMatchObject({
      hookSpecificOutput: { permissionDecision: "allow", updatedInput: { ...input, answers: { "Which rounding?": "Half even" } } },
    });
  });
});

/** All wait at the same time, started one after the other. */
async function holdAll(
  bench: HookBench,
  command: string,
  hosts: readonly AnyHost[] = ALL_HOSTS,
): Promise<readonly Promise<readonly [string, string]>[]> {
  const waiting: Promise<readonly [string, string]>[] = [];
  for (const host of hosts) {
    waiting.push(bench.call(host, command).then(({ tool }) => [host.name, tool] as const));
    while (!(await bench.requests()).some((one) => one["session"] === sessionOf(host))) await pause(30);
  }
  return waiting;
}

async function heldAndAnswered(bench: HookBench, host: AnyHost): Promise<void> {
  const denied = bench.call(host, "echo hold this");
  await bench.answer({ answer: "deny", message: "No, Ana says." }, sessionOf(host));
  const { tool, message } = await denied;
  expect([host.name, tool]).toEqual([host.name, "blocked"]);
  expect([host.name, message]).toEqual([host.name, expect.stringContaining("No, Ana says.")]);
  const allowed = bench.call(host, "echo hold that");
  await bench.answer({ answer: "allow" }, sessionOf(host));
  expect([host.name, (await allowed).tool]).toEqual([host.name, COMES_TO[host.name]?.allow]);
}
