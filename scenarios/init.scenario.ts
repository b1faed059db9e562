import { chmodSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { namedCards } from "../packages/cli/src/agents/installation.ts";
import { runLine } from "../packages/cli/src/agents/run-line.ts";
import { breakGates } from "../packages/cli/src/agents/testing/break-gates.ts";
import { claudeHost, codexHost, qwenHost, vscodeHost } from "../packages/cli/src/agents/testing/hosts/claude-hosts.ts";
import type { SimulatedHost } from "../packages/cli/src/agents/testing/hosts/host.ts";
import { copilotHost, cursorHost, geminiHost } from "../packages/cli/src/agents/testing/hosts/own-format-hosts.ts";
import { PLUGIN_HOSTS } from "../packages/cli/src/agents/testing/hosts/plugin-hosts.ts";
import { type Machine, openMachine, registeredLine } from "./init/machine.ts";

/** The most thoroughly tested agents with their settings file and shell tool. */
const AGENTS: readonly (readonly [SimulatedHost, string, string])[] = [
  [claudeHost, ".claude/settings.json", "Bash"],
  [codexHost, ".codex/hooks.json", "Bash"],
  [cursorHost, ".cursor/hooks.json", "Shell"],
  [geminiHost, ".gemini/settings.json", "run_shell_command"],
  [copilotHost, ".copilot/hooks/earshot.json", "bash"],
  [vscodeHost, ".copilot/hooks/earshot.json", "run_in_terminal"],
  [qwenHost, ".qwen/settings.json", "run_shell_command"],
];
const PLUGIN = ".config/opencode/plugins/earshot.js";
const RULES = 'extends: guard\nrules:\n  - { name: never, match: { command: "echo never*" }, answer: deny, message: Not here. }\n';

function prepare(machine: Machine): void {
  machine.write(".claude/settings.json", '// mine\n{\n\t"model": "x",\n\t"hooks": { "Stop": [ { "hooks": [] } ] }\n}\n');
  machine.write(".gemini/settings.json", '\uFEFF{ "theme": "dark" }\r\n');
  machine.write(".cursor/hooks.json", '{"version":1,"hooks":{}}');
  for (const folder of [".codex", ".copilot", ".qwen", ".config/opencode"]) machine.write(`${folder}/mine`, "");
  machine.write(".earshot/policy.yaml", RULES);
}

async function play(
  machine: Machine,
  host: SimulatedHost,
  { file, tool, command }: { readonly file: string; readonly tool: string; readonly command: string },
) {
  const line = registeredLine(
    machine
      .read(file)
      .replace(/^\uFEFF/, "")
      .replace(/^\/\/.*/, ""),
    host.hook,
    tool,
  );
  const call = { session: `s-${host.name}`, id: `c-${command}`, command, cwd: machine.project };
  const run = await runLine(line.command, host.payload(call), { cwd: machine.project, env: machine.env, timeoutMs: 60_000 });
  return host.judge(run, line);
}

describe("earshot init, on a machine with agents", () => {
  it("has their own settings gate what they do, tells that all is well, and leaves no trace", async () => {
    await using machine = openMachine("it's ana");
    prepare(machine);
    const before = machine.snapshot();
    expect(machine.earshot("init")).toMatchObject({ code: 0, err: "" });
    const installed = machine.snapshot();
    await machine.startHub();
    for (const [host, file, tool] of AGENTS) {
      expect([host.name, await play(machine, host, { file, tool, command: "echo never" })]).toMatchObject([
        host.name,
        { effect: "blocked", message: expect.stringContaining("Not here.") },
      ]);
      expect([host.name, (await play(machine, host, { file, tool, command: "echo fine" })).effect]).toEqual([host.name, "ran"]);
    }
    const opencode = PLUGIN_HOSTS.find(({ agent }) => agent === "opencode");
    const call = { session: "s-opencode", id: "c1", command: "echo never", cwd: machine.project };
    expect(await opencode?.run(join(machine.home, PLUGIN), call, 60_000)).toMatchObject({
      effect: "blocked",
      message: expect.stringContaining("Not here."),
    });
    expect((await opencode?.run(join(machine.home, PLUGIN), { ...call, id: "c2", command: "echo fine" }, 60_000))?.effect).toBe("ran");
    expect(machine.earshot("init").out).toContain("Everything was there already.");
    expect(machine.snapshot()).toEqual(installed);

    const findings = JSON.parse(machine.earshot("doctor", "--json").out) as readonly { kind: string; level: string; agent?: string }[];
    expect(findings.filter(({ level }) => level === "trouble").map(({ kind }) => kind)).toEqual(["not-trusted"]);
    const heard = findings.filter(({ kind }) => kind === "heard").map(({ agent }) => agent);
    expect(heard).toEqual(["Claude Code", "Codex CLI", "Cursor", "Gemini CLI", "GitHub Copilot CLI and VS Code", "OpenCode", "Qwen Code"]);

    expect(machine.earshot("init", "--undo").code).toBe(0);
    expect(machine.snapshot()).toEqual(before);
    const purged = machine.earshot("uninstall", "--purge", "--yes");
    expect([purged.code, purged.err]).toEqual([0, ""]);
    const folder = join(machine.home, ".earshot");
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });

  it("writes hooks into a project that do nothing where Earshot is not", async () => {
    await using machine = openMachine();
    expect(machine.earshot("init", "--scope", "project", "--agent", "claude,gemini,cursor").code).toBe(0);
    machine.write("../project/.claude/x", "");
    const stranger = { ...machine.env, HOME: "/nonexistent" };
    for (const [host, file, tool] of AGENTS.filter(([{ agent }]) => ["claude", "gemini", "cursor"].includes(agent))) {
      const { command, failsClosed } = registeredLine(machine.read(`../project/${file}`), host.hook, tool);
      const payload = host.payload({ session: "s", id: "c", command: "rm -rf /", cwd: machine.project });
      const run = await runLine(command, payload, { cwd: machine.project, env: stranger, timeoutMs: 60_000 });
      expect([host.name, host.judge(run, { failsClosed })]).toMatchObject([host.name, { effect: "ran" }]);
    }
  });

  it("asks no question of a pipe, and gives scripts codes that they can use", async () => {
    await using machine = openMachine();
    expect(machine.earshot("init")).toMatchObject({ code: 1, err: "" });
    machine.write(".claude/settings.json", "{ broken");
    expect(machine.earshot("init").code).toBe(1);
    expect(machine.read(".claude/settings.json")).toBe("{ broken");
    expect(machine.earshot("init", "--agent", "nobody").code).toBe(2);
    expect(machine.earshot("uninstall").code).toBe(2);
    const claude = join(machine.home, "claude");
    writeFileSync(claude, "#!/bin/sh\nsleep 100\n");
    chmodSync(claude, 0o755);
    expect(machine.earshot("doctor").code).toBe(1);
  });
});

describe("earshot doctor --drill", () => {
  it("runs the registered lines with the hub up, hung, stopped and replaced, and every one refuses", async () => {
    await using machine = openMachine("it's ana");
    prepare(machine);
    expect(machine.earshot("init").code).toBe(0);
    const before = machine.snapshot();
    const { code, out, err } = machine.earshot("doctor", "--drill", "--json");
    expect(err).toBe("");
    const results = JSON.parse(out) as readonly {
      agent: string;
      hook: string;
      hub: string;
      refuses: boolean;
      leaks: boolean;
      stdout: string;
    }[];
    expect(results.filter(({ refuses, leaks }) => !refuses || leaks)).toEqual([]);
    expect(code).toBe(0);
    const seen = Map.groupBy(results, ({ agent }) => agent);
    expect([...seen.keys()].toSorted()).toEqual(["claude", "codex", "cursor", "gemini", "github", "opencode", "qwen"]);
    for (const rows of seen.values()) expect(new Set(rows.map(({ hub }) => hub))).toEqual(new Set(["up", "hung", "stopped", "replaced"]));
    expect(machine.snapshot()).toEqual(before);
    expect(machine.earshot("status").out).toContain("No hub is running");
  });

  it("tells where a broken launcher refuses nothing", async () => {
    await using machine = openMachine();
    machine.write(".claude/mine", "");
    expect(machine.earshot("init").code).toBe(0);
    machine.write(".earshot/bin/earshot-hook", "#!/bin/sh\nexit 0\n");
    const { code, out } = machine.earshot("doctor", "--drill");
    expect(code).toBe(1);
    expect(out).toContain("DOES NOT REFUSE  exit 0, without a word");
    expect(out).toContain("Not denied: Claude Code at PreToolUse with hub up");
  });
});

describe("a gate that is broken on purpose", () => {
  it("lets a simulated agent run only what its documents say it runs then", async () => {
    const table = new Map<string, { [fault: string]: string }>();
    for await (const { host, fault, verdict } of breakGates(namedCards(["claude,codex,opencode"]))) {
      table.set(host, { ...table.get(host), [fault.name]: verdict.effect });
      if (fault.hub !== undefined) expect([host, fault.name, verdict.effect]).toEqual([host, fault.name, "blocked"]);
    }
    expect([...table].map(([host, effects]) => [host, Object.keys(effects).length])).toEqual([
      ["Claude Code", 9],
      ["Codex CLI", 9],
      ["OpenCode", 9],
    ]);
    expect(table.get("Claude Code")).toMatchObject({
      "launcher missing": "blocked",
      "launcher hangs past the deadline": "blocked",
      "launcher prints garbage": "ran",
    });
    expect(table.get("Codex CLI")).toMatchObject({
      "launcher missing": "ran",
      "launcher ends with 2": "ran",
      "launcher hangs past the deadline": "ran",
    });
    expect(table.get("OpenCode")).toMatchObject({
      "launcher missing": "blocked",
      "launcher hangs past the deadline": "blocked",
      "launcher prints garbage": "blocked",
    });
  });
});
