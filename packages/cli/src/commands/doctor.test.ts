import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { VERSION } from "@earshot/terminal/version";
import { describe, expect, it } from "vitest";
import { readPrograms } from "../agents/doctor/doctor-sources.ts";
import type { DoctorSources } from "../agents/doctor/examine.ts";
import type { DoctorFinding } from "../agents/doctor/finding.ts";
import { commandIo } from "../agents/testing/command-io.ts";
import { type TemporaryInstallation, temporaryInstallation } from "../agents/testing/temporary-installation.ts";
import { doctorCommand } from "./doctor.ts";
import { initCommand } from "./init.ts";

const NOW = Date.parse("2026-11-15T12:00:00Z");
const running = { url: "http://127.0.0.1:4747", pid: 42, version: VERSION, startedAt: "", startedWith: [] };
const TOKEN = "a".repeat(43);

const well: DoctorSources = {
  hub: async () => ({ running, isOurs: true, clock: { hub: NOW, here: NOW } }),
  heardAt: async () => NOW + 1000,
  programs: () => [],
};

async function examined(machine: TemporaryInstallation, senses: DoctorSources = well) {
  const io = commandIo();
  const code = await doctorCommand(["--json"], io, machine, senses);
  const findings = JSON.parse(io.heard.out) as readonly DoctorFinding[];
  return { code, findings, kinds: findings.filter(({ level }) => level !== "fine").map(({ kind }) => kind) };
}

async function healthy(...agents: readonly string[]): Promise<TemporaryInstallation> {
  const machine = temporaryInstallation();
  await initCommand(["--agent", agents.length === 0 ? "claude" : agents.join(",")], commandIo(), machine);
  for (const name of ["viewer.token", "producer.token"]) machine.write(`.earshot/${name}`, TOKEN);
  machine.write(".earshot/run/hub.sock", "");
  return machine;
}

describe("earshot doctor", () => {
  it("finds nothing where all is well, and says so", async () => {
    using machine = await healthy("claude", "cursor", "opencode", "cline", "kimi", "hermes", "auggie", "goose");
    expect(await examined(machine)).toMatchObject({ code: 0, kinds: [] });
    const io = commandIo();
    await doctorCommand([], io, machine, well);
    expect(io.heard.out).toMatch(/^ok The hub answers/);
    expect(io.heard.out).toMatch(/All is well\.\n$/);
  });

  it.each<[string, string, (machine: TemporaryInstallation) => void]>([
    ["the launcher is gone", "launcher-missing", ({ userHome }) => rmSync(join(userHome, ".earshot/bin/earshot-hook"))],
    [
      "the launcher may not be run",
      "launcher-not-executable",
      ({ userHome }) => chmodSync(join(userHome, ".earshot/bin/earshot-hook"), 0o600),
    ],
    [
      "the launcher is another version's",
      "launcher-outdated",
      ({ userHome }) => writeFileSync(join(userHome, ".earshot/bin/earshot-hook"), "#!/bin/sh\n", { mode: 0o700 }),
    ],
    ["the hooks were taken out", "settings-edited", ({ userHome }) => writeFileSync(join(userHome, ".claude/settings.json"), "{}")],
    ["the file is gone", "settings-edited", ({ userHome }) => rmSync(join(userHome, ".claude/settings.json"))],
    ["a hook was edited", "settings-edited", ({ userHome }) => edit(userHome, (text) => text.replace('"timeout": 86400', '"timeout": 1'))],
    [
      "a hook was taken out",
      "settings-edited",
      ({ userHome }) => edit(userHome, (text) => text.replace("claude SessionEnd", "claude SessionStart")),
    ],
    [
      "the file cannot be read",
      "settings-unreadable",
      ({ userHome }) => writeFileSync(join(userHome, ".claude/settings.json"), Buffer.from([0xff])),
    ],
    ["hooks are switched off", "hooks-off", ({ userHome }) => edit(userHome, (text) => text.replace("{", '{ "disableAllHooks": true,'))],
    ["a credential is missing", "token-missing", ({ userHome }) => rmSync(join(userHome, ".earshot/producer.token"))],
  ])("finds that %s", async (_what, kind, breaks) => {
    using machine = await healthy();
    breaks(machine);
    const { code, findings, kinds } = await examined(machine);
    expect([code, kinds]).toEqual([1, [kind]]);
    expect(findings.find((finding) => finding.kind === kind)?.advice).toMatch(/\w/);
  });

  it.each<[string, string, Partial<DoctorSources>]>([
    ["no hub answers", "hub-unreachable", { hub: async () => ({ running: undefined, isOurs: false }), heardAt: async () => NOW }],
    ["something else answers", "hub-foreign", { hub: async () => ({ running, isOurs: false }) }],
    ["the hub is older", "version-drift", { hub: async () => ({ running: { ...running, version: "0.0.1" }, isOurs: true }) }],
    ["the hub is newer", "version-drift", { hub: async () => ({ running: { ...running, version: "99.0.0" }, isOurs: true }) }],
    ["the hub's clock is ahead", "clock-skew", { hub: async () => ({ running, isOurs: true, clock: { hub: NOW + 60_000, here: NOW } }) }],
    ["the hub's clock is behind", "clock-skew", { hub: async () => ({ running, isOurs: true, clock: { hub: NOW - 60_000, here: NOW } }) }],
  ])("finds that %s", async (_what, kind, senses) => {
    using machine = await healthy();
    const { code, kinds } = await examined(machine, { ...well, ...senses });
    expect([code, kinds]).toEqual([1, kind === "hub-unreachable" ? [kind, "not-heard"] : [kind]]);
  });

  it("finds an agent that runs since before its hooks were registered", async () => {
    using machine = await healthy("gemini", "claude");
    const programs = (age: string) =>
      readPrograms(`  7 ${age} /usr/bin/node /usr/local/bin/gemini --x\n  8 ${age} claude\n  9 ${age} vim gemini\n`, NOW);
    expect(
      (await examined(machine, { ...well, programs: () => programs("01:30") })).findings.filter(({ kind }) => kind === "needs-restart"),
    ).toMatchObject([
      {
        agent: "Gemini CLI",
        message: "It runs since before its hooks were registered (process 7).",
        advice: "Restart Gemini CLI if it runs.",
      },
    ]);
    expect((await examined(machine, { ...well, programs: () => programs("00:00") })).kinds).toEqual([]);
  });

  it("finds hooks that Codex was not told to trust", async () => {
    using machine = await healthy("codex");
    expect((await examined(machine)).kinds).toEqual(["not-trusted"]);
    const hooks = join(machine.userHome, ".codex/hooks.json");
    machine.write(".codex/config.toml", `model = "x"\n[hooks.state."${hooks}:pre_tool_use:0:0"]\ntrusted_hash = "sha256:1"\n`);
    expect((await examined(machine)).kinds).toEqual([]);
    writeFileSync(hooks, `\uFEFF${readFileSync(hooks, "utf8")}`);
    expect((await examined(machine)).kinds).toEqual(["byte-order-mark"]);
  });

  it("finds that Codex or Gemini CLI were told to run no hooks", async () => {
    using machine = await healthy("codex", "gemini");
    const hooks = join(machine.userHome, ".codex/hooks.json");
    machine.write(
      ".codex/config.toml",
      `[features]\nx = true\nhooks = false\n[hooks.state.'${hooks}:pre_tool_use:0:0']\ntrusted_hash = "sha256:1"\n`,
    );
    const gemini = join(machine.userHome, ".gemini/settings.json");
    writeFileSync(gemini, readFileSync(gemini, "utf8").replace("{", '{ "hooksConfig": { "disabled": ["earshot"] },'));
    expect((await examined(machine)).findings.filter(({ level }) => level === "trouble")).toMatchObject([
      { kind: "hooks-off", agent: "Codex CLI" },
      { kind: "hooks-off", agent: "Gemini CLI" },
    ]);
  });

  it("tells what it has not heard yet, and what may be the reason", async () => {
    using machine = await healthy("github");
    const { code, findings } = await examined(machine, { ...well, heardAt: async () => undefined });
    expect(code).toBe(0);
    expect(findings.find(({ kind }) => kind === "not-heard")?.advice).toContain("only in a folder that you trust");
  });

  it("finds nothing wrong with hooks for a version that it cannot see any more", async () => {
    using machine = temporaryInstallation();
    const claude = join(machine.userHome, "bin/claude");
    machine.write("bin/claude", "#!/bin/sh\necho 2.1.325\n");
    chmodSync(claude, 0o755);
    const withIt = { ...machine, env: { ...machine.env, PATH: `${join(machine.userHome, "bin")}:/usr/bin:/bin` } };
    await initCommand(["--agent", "claude"], commandIo(), withIt);
    for (const name of ["viewer.token", "producer.token"]) machine.write(`.earshot/${name}`, TOKEN);
    machine.write(".earshot/run/hub.sock", "");
    expect(readFileSync(join(machine.userHome, ".claude/settings.json"), "utf8")).toContain("PostModelSwitch");
    rmSync(claude);
    expect((await examined(machine)).kinds).toEqual([]);
  });

  it("finds others that decide at the same hooks", async () => {
    using machine = await healthy();
    edit(machine.userHome, (text) => {
      const settings = JSON.parse(text) as { hooks: { PreToolUse: unknown[]; Stop: unknown[] } };
      settings.hooks.PreToolUse.unshift({ matcher: "Bash", hooks: [{ type: "command", command: "mine" }] });
      settings.hooks.Stop.unshift({ hooks: [{ type: "command", command: "mine" }] });
      return JSON.stringify(settings);
    });
    const { findings } = await examined(machine);
    expect(findings.filter(({ level }) => level !== "fine")).toMatchObject([
      { kind: "other-hooks", message: expect.stringContaining("1 other hook in") },
    ]);
  });

  it("finds an agent that is registered twice, and one that is not registered", async () => {
    using machine = await healthy();
    await initCommand(["--agent", "claude", "--scope", "project"], commandIo(), machine);
    mkdirSync(join(machine.userHome, ".qwen"));
    expect((await examined(machine)).kinds).toEqual(["not-registered", "registered-twice"]);
  });

  it("states the limits of HTTP", async () => {
    using machine = await healthy();
    await initCommand(["--agent", "claude", "--http"], commandIo(), machine);
    expect((await examined(machine)).findings).toContainEqual(expect.objectContaining({ kind: "over-http", level: "note" }));
  });
});

function edit(userHome: string, change: (text: string) => string): void {
  const path = join(userHome, ".claude/settings.json");
  writeFileSync(path, change(readFileSync(path, "utf8")));
}

describe("the programs that run", () => {
  it("are read with their age", () => {
    const read = readPrograms("  1 2-03:04:05 /sbin/init x\n 22    01:02 node a.js b\nnonsense\n", NOW);
    expect(read).toEqual([
      { pid: 1, words: ["/sbin/init", "x"], startedAt: NOW - (((2 * 24 + 3) * 60 + 4) * 60 + 5) * 1000 },
      { pid: 22, words: ["node", "a.js", "b"], startedAt: NOW - 62_000 },
    ]);
  });
});
