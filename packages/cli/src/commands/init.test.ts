import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compareLooseness, EMPTY_POLICY, PRESET_CHOICES, presetText, readPolicy } from "@earshot/policy";
import type { CommandIo } from "@earshot/terminal/io";
import { describe, expect, it } from "vitest";
import type { Installation } from "../agents/installation.ts";
import { commandIo } from "../agents/testing/command-io.ts";
import { temporaryInstallation } from "../agents/testing/temporary-installation.ts";
import { initCommand } from "./init.ts";

const remove = (argv: readonly string[], io: CommandIo, machine: Installation) => initCommand(["--undo", ...argv], io, machine);

describe("earshot init", () => {
  it("finds agents by their programs and folders, shows every line, and writes them", async () => {
    using machine = temporaryInstallation();
    const path = machine.write(".claude/settings.json", '{\n  "model": "x"\n}\n');
    machine.program("codex", "0.160.1");
    const io = commandIo();
    expect(await initCommand([], io, machine)).toBe(0);
    expect(io.heard.out).toContain(`Claude Code (${join(machine.userHome, ".claude")})\n  ${path}\n`);
    expect(io.heard.out).toContain(
      `Codex CLI (${join(machine.root, "programs/codex")})\n  ${join(machine.userHome, ".codex/hooks.json")} (new)\n`,
    );
    for (const line of readFileSync(path, "utf8")
      .split("\n")
      .filter((one) => one.includes("earshot-hook")))
      expect(io.heard.out).toContain(`+ ${line}`);
    expect(io.heard.out).not.toMatch(/Gemini|Cursor/);
    expect(io.heard.out).toContain("trust the hooks of Earshot when it asks");
    const launcher = join(machine.userHome, ".earshot/bin/earshot-hook");
    expect(statSync(launcher).mode & 0o777).toBe(0o700);
    expect(readFileSync(path, "utf8")).toContain(`${launcher} claude PreToolUse 86400`);
  });

  it("asks nothing without a person, and begins with guard", async () => {
    using machine = temporaryInstallation();
    machine.write(".claude/x", "");
    const io = commandIo();
    expect(await initCommand([], io, machine)).toBe(0);
    expect(readFileSync(join(machine.userHome, ".earshot/policy.yaml"), "utf8")).toContain("extends: guard\n");
    expect(io.heard.err).toBe("");
  });

  it("offers the presets by number, and asks before it writes", async () => {
    using machine = temporaryInstallation();
    machine.write(".claude/x", "");
    const io = commandIo(["7", "2", "y"]);
    expect(await initCommand([], io, machine)).toBe(0);
    expect(io.heard.err).toContain("  1  guard: ");
    expect(io.heard.err).toContain("1 to 4, please.");
    expect(readFileSync(join(machine.userHome, ".earshot/policy.yaml"), "utf8")).toContain("extends: [fewer-prompts, guard]\n");
    expect(io.heard.out).toContain("earshot policy accept");
  });

  it.each([["1", "n"], ["", ""], []])("writes nothing when the person does not say yes (%s, %s)", async (...lines) => {
    using machine = temporaryInstallation();
    machine.write(".claude/settings.json", "{}");
    const before = machine.snapshot();
    const io = commandIo(lines.filter((line) => line !== undefined));
    expect(await initCommand([], io, machine)).toBe(1);
    expect(machine.snapshot()).toEqual(before);
    expect(existsSync(join(machine.userHome, ".earshot"))).toBe(false);
    expect(io.heard.out).toContain("Nothing was written.");
  });

  it("touches nothing with --dry-run, not even Earshot's folder", async () => {
    using machine = temporaryInstallation();
    for (const folder of [
      ".claude",
      ".codex",
      ".cursor",
      ".qwen",
      ".config/opencode",
      ".hermes",
      ".kimi-code",
      ".augment",
      ".config/goose",
    ])
      machine.write(`${folder}/x`, "");
    const before = machine.snapshot();
    const io = commandIo(["1", "y"]);
    expect(await initCommand(["--dry-run", "--http"], io, machine)).toBe(0);
    expect(machine.snapshot()).toEqual(before);
    expect(existsSync(join(machine.userHome, ".earshot"))).toBe(false);
    expect(io.heard.out).toContain("pre_tool_call: # earshot");
    expect(io.heard.out).toContain("Nothing was written.");
  });

  it("is done once, however often it is done", async () => {
    using machine = temporaryInstallation();
    machine.write(".claude/settings.json", "{}");
    machine.write(".gemini/settings.json", "{}");
    await initCommand([], commandIo(), machine);
    const after = machine.snapshot();
    const io = commandIo();
    expect(await initCommand([], io, machine)).toBe(0);
    expect(machine.snapshot()).toEqual(after);
    expect(io.heard.out).toContain("Everything was there already.");
    expect(readdirSync(join(machine.userHome, ".earshot/backups"))).toHaveLength(2);
  });

  it("leaves a file alone that it cannot read, says so, and goes on with the others", async () => {
    using machine = temporaryInstallation();
    const bad = machine.write(".claude/settings.json", "{ nope");
    machine.write(".codex/x", "");
    const io = commandIo();
    expect(await initCommand([], io, machine)).toBe(1);
    expect(io.heard.out).toContain(`${bad}: left alone, since it is not JSON: an unknown word or character at line 1, column 3`);
    expect(readFileSync(bad, "utf8")).toBe("{ nope");
    expect(existsSync(join(machine.userHome, ".codex/hooks.json"))).toBe(true);
  });

  it("keeps rules that are there", async () => {
    using machine = temporaryInstallation();
    machine.write(".claude/x", "");
    machine.write(".earshot/policy.yaml", "rules: []\n");
    const io = commandIo();
    await initCommand(["--preset", "watch-only"], io, machine);
    expect(readFileSync(join(machine.userHome, ".earshot/policy.yaml"), "utf8")).toBe("rules: []\n");
    expect(io.heard.out).toContain("watch-only was not written");
  });

  it("takes an agent by name, and a project in place of the user", async () => {
    using machine = temporaryInstallation();
    const io = commandIo();
    expect(await initCommand(["--agent", "cursor", "--agent", "vscode", "--scope", "project"], io, machine)).toBe(0);
    expect(readdirSync(machine.project).sort()).toEqual([".cursor", ".github"]);
    expect(readdirSync(machine.userHome)).toEqual([".earshot"]);
    await expect(initCommand(["--agent", "nobody"], io, machine)).rejects.toMatchObject({ problem: { code: "WRONG_USAGE" } });
    await expect(initCommand(["--agent", "claud"], io, machine)).rejects.toMatchObject({ problem: { hint: "Did you mean claude?" } });
    await expect(initCommand(["--agent", "kiro"], io, machine)).rejects.toMatchObject({
      problem: { hint: "earshot init --agent kiro --scope project" },
    });
    await expect(initCommand(["--scope", "world"], io, machine)).rejects.toMatchObject({ problem: { code: "WRONG_USAGE" } });
    await expect(initCommand(["--preset", "gard"], io, machine)).rejects.toMatchObject({ problem: { hint: "Did you mean guard?" } });
  });

  it("writes fewer hooks for a Claude Code that would not understand them, and says so", async () => {
    using machine = temporaryInstallation();
    machine.program("claude", "2.1.100");
    const io = commandIo();
    await initCommand([], io, machine);
    expect(io.heard.out).toContain("Claude Code 2.1.100");
    expect(io.heard.out).toContain("Only the oldest hooks");
    expect(readFileSync(join(machine.userHome, ".claude/settings.json"), "utf8")).not.toContain("PermissionRequest");
    machine.program("claude", "2.1.300");
    await initCommand([], commandIo(), machine);
    expect(readFileSync(join(machine.userHome, ".claude/settings.json"), "utf8")).toContain("PermissionRequest");
    await remove([], commandIo(), machine);
    expect(readdirSync(machine.userHome)).toEqual([".earshot"]);
  });

  it("says that there is no agent, where there is none", async () => {
    using machine = temporaryInstallation();
    const io = commandIo();
    expect(await initCommand([], io, machine)).toBe(1);
    expect(io.heard.out).toContain("No coding agent was found");
    expect(await initCommand(["--help"], io, machine)).toBe(0);
  });
});

describe("the presets that init offers", () => {
  it.each(PRESET_CHOICES)("$name can be read", (preset) => {
    expect(readPolicy({ text: presetText(preset), file: "policy.yaml", kind: "user" })).toMatchObject({ ok: true, troubles: [] });
  });

  it("need nobody's consent only where they let nothing more through", () => {
    const loosens = PRESET_CHOICES.map((preset) => {
      const reading = readPolicy({ text: presetText(preset), file: "policy.yaml", kind: "user" });
      return reading.ok && compareLooseness(EMPTY_POLICY, reading.policy).loosens;
    });
    expect(loosens).toEqual([false, true, false, true]);
  });
});

describe("earshot init --undo", () => {
  it("puts everything back, byte for byte", async () => {
    using machine = temporaryInstallation();
    machine.write(".claude/settings.json", '\uFEFF{ "a": 1 } // mine\r\n');
    machine.write(".config/crush/crush.json", "{}");
    for (const folder of [
      ".cursor",
      ".hermes",
      ".qwen",
      ".kimi-code",
      ".config/opencode",
      ".augment",
      ".config/amp",
      "Documents/Cline",
      ".factory",
    ])
      machine.write(`${folder}/x`, "");
    const before = machine.snapshot();
    await initCommand([], commandIo(), machine);
    await initCommand(["--scope", "project"], commandIo(), machine);
    expect(machine.snapshot()).not.toEqual(before);
    const io = commandIo();
    expect(await remove(["--dry-run"], io, machine)).toBe(0);
    expect(io.heard.out).toContain("Nothing was removed.");
    expect(machine.snapshot()).not.toEqual(before);
    expect(await remove([], io, machine)).toBe(0);
    expect(machine.snapshot()).toEqual(before);
    expect(await remove([], io, machine)).toBe(0);
    expect(io.heard.out).toContain("No agent's settings contain entries of Earshot.");
  });

  it("takes one agent or one scope, also in a project elsewhere", async () => {
    using machine = temporaryInstallation();
    await initCommand(["--agent", "claude,codex"], commandIo(), machine);
    await initCommand(["--agent", "claude", "--scope", "project"], commandIo(), machine);
    const elsewhere = { ...machine, project: join(machine.root, "programs") };
    await remove(["--agent", "claude", "--scope", "user"], commandIo(), elsewhere);
    expect([
      existsSync(join(machine.userHome, ".claude")),
      existsSync(join(machine.userHome, ".codex/hooks.json")),
      existsSync(join(machine.project, ".claude")),
    ]).toEqual([false, true, true]);
    await remove([], commandIo(), elsewhere);
    expect([existsSync(join(machine.userHome, ".codex")), existsSync(join(machine.project, ".claude"))]).toEqual([false, false]);
  });

  it("finds its entries also when nothing is remembered", async () => {
    using machine = temporaryInstallation();
    const path = machine.write(".claude/settings.json", '{\n  "a": 1\n}\n');
    await initCommand([], commandIo(), machine);
    writeFileSync(join(machine.userHome, ".earshot/registered.json"), "damaged");
    const io = commandIo();
    expect(await remove([], io, machine)).toBe(0);
    expect(readFileSync(path, "utf8")).toBe('{\n  "a": 1\n}\n');
    expect(io.heard.out).toContain("only Earshot's entries are removed");
  });
});
