import { describe, expect, it } from "vitest";
import { type HookBench, openHookBench } from "./hook/hook-bench.ts";
import { HOSTS, type SimulatedHost } from "./hook/simulated-hosts.ts";

const RULES = `
rules:
  - { name: may, match: { command: "echo may*" }, answer: allow }
  - { name: never, match: { command: "echo never*" }, answer: deny, message: Not here. }
  - { name: agent-asks, match: { command: "echo ask*" }, answer: ask, hold: never }
  - { name: change, match: { command: "echo change*" }, answer: allow, updatedInput: { command: echo changed } }
  - { name: late, match: { command: "echo late*" }, answer: ask, hold: always, holdFor: 10s, unanswered: deny }
  - { name: held, match: { command: "echo hold*" }, answer: ask, hold: always }
`;

const sessionOf = (host: SimulatedHost) => `${host.agent}-${host.hook}`;

describe("a simulated host per agent, as their documents describe them", () => {
  it("obeys what the rules and a person say, also when time runs out", async () => {
    await using bench = await openHookBench({ policy: RULES });
    for (const host of HOSTS) {
      const told = async (command: string) => (await bench.call(host, command)).tool;
      expect([host.name, await told("ls")]).toEqual([host.name, host.agent === "opencode" ? "left" : "left"]);
      expect([host.name, await told("echo may")]).toEqual([host.name, host.granted]);
      const denied = await bench.call(host, "echo never");
      expect([host.name, denied.tool]).toEqual([host.name, "blocked"]);
      expect(denied.ended.stdout).toContain("Not here.");
      expect([host.name, await told("echo ask")]).toEqual([host.name, host.asked]);
      const changed = await bench.call(host, "echo change");
      // Who takes no changed input is refused: the original never runs instead.
      if (changed.tool === "blocked") expect(changed.ended.stdout).toContain("echo changed");
      else expect([host.name, changed.input]).toEqual([host.name, { command: "echo changed" }]);
    }
    await Promise.all(HOSTS.map((host) => heldAndAnswered(bench, host)));
    const late = await Promise.all(HOSTS.map(async (host) => [host.name, (await bench.call(host, "echo late")).tool] as const));
    expect(late).toEqual(HOSTS.map(({ name }) => [name, "blocked"]));
  });

  it("hears the answer of a person although the hub was killed meanwhile", async () => {
    await using bench = await openHookBench({ policy: RULES });
    const waiting = HOSTS.map(async (host) => [host.name, (await bench.call(host, "echo hold on")).tool] as const);
    while ((await bench.requests()).length < HOSTS.length) await new Promise((resolve) => setTimeout(resolve, 30));
    await bench.hub().kill("SIGKILL");
    bench.forbidStarting();
    await bench.start();
    for (const host of HOSTS) await bench.answer({ answer: "deny", message: "Not now." }, sessionOf(host));
    expect(await Promise.all(waiting)).toEqual(HOSTS.map(({ name }) => [name, "blocked"]));
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

async function heldAndAnswered(bench: HookBench, host: SimulatedHost): Promise<void> {
  const denied = bench.call(host, "echo hold this");
  await bench.answer({ answer: "deny", message: "No, Ana says." }, sessionOf(host));
  const { tool, ended } = await denied;
  expect([host.name, tool]).toEqual([host.name, "blocked"]);
  expect(ended.stdout).toContain("No, Ana says.");
  const allowed = bench.call(host, "echo hold that");
  await bench.answer({ answer: "allow" }, sessionOf(host));
  expect([host.name, (await allowed).tool]).toEqual([host.name, host.granted]);
}
