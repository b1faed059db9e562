import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hubHomeOf } from "@earshot/hub/home";
import { describe, expect, it } from "vitest";
import { launcherFor } from "../agents/install-launcher.ts";
import { lookAtGates } from "../agents/look-at-gates.ts";
import { commandIo } from "../agents/testing/command-io.ts";
import { type TemporaryInstallation, temporaryInstallation } from "../agents/testing/temporary-installation.ts";
import { initCommand } from "../commands/init.ts";

async function registered(agent = "claude"): Promise<TemporaryInstallation> {
  const installation = temporaryInstallation();
  await initCommand(["--agent", agent, "--yes"], commandIo(), installation);
  return installation;
}

async function look(installation: TemporaryInstallation, cwd = installation.project): Promise<readonly string[]> {
  const launcher = await launcherFor(installation.env, installation.platform);
  return lookAtGates(installation, launcher, [{ agent: "claude", cwd }]).map(({ reason }) => reason);
}

const ATTACKS: readonly (readonly [string, (one: TemporaryInstallation) => void, RegExp])[] = [
  ["the launcher loses its x", (one) => chmodSync(launcherOf(one), 0o600), /not executable/],
  ["the launcher is removed", (one) => rmSync(launcherOf(one)), /missing/],
  ["the launcher is changed", (one) => writeFileSync(launcherOf(one), "#!/bin/sh\nexit 0\n"), /was changed/],
  ["the hooks are removed", (one) => one.write(".claude/settings.json", "{}"), /are gone/],
  [
    "one hook is changed",
    (one) => one.write(".claude/settings.json", settingsOf(one).replaceAll("claude PreToolUse 86400", "claude PreToolUse 86400 observe")),
    /not as this version/,
  ],
  [
    "all hooks are switched off for the user",
    (one) => switchOff(join(one.userHome, ".claude/settings.json"), settingsOf(one)),
    /disableAllHooks/,
  ],
  ["in the user's local settings", (one) => switchOff(join(one.userHome, ".claude/settings.local.json")), /disableAllHooks/],
  ["in the project", (one) => switchOff(join(one.project, ".claude/settings.json")), /disableAllHooks/],
  ["in the project's local settings", (one) => switchOff(join(one.project, ".claude/settings.local.json")), /disableAllHooks/],
];

function launcherOf({ env }: TemporaryInstallation): string {
  return join(hubHomeOf(env).bin, "earshot-hook");
}

function settingsOf({ userHome }: TemporaryInstallation): string {
  return readFileSync(join(userHome, ".claude/settings.json"), "utf8");
}

function switchOff(path: string, before = "{}"): void {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, JSON.stringify({ ...(JSON.parse(before) as object), disableAllHooks: true }));
}

describe("a gate that is opened from outside", () => {
  it("is none after init", async () => {
    using installation = await registered();
    expect(await look(installation)).toEqual([]);
  });

  it.each(ATTACKS)("%s", async (_what, attack, reason) => {
    using installation = await registered();
    attack(installation);
    expect(await look(installation)).toEqual([expect.stringMatching(reason)]);
  });

  it("counts in a folder below the one that switches hooks off", async () => {
    using installation = await registered();
    const below = join(installation.project, "packages", "web");
    mkdirSync(below, { recursive: true });
    switchOff(join(installation.project, ".claude/settings.local.json"));
    expect(await look(installation, below)).toContainEqual(expect.stringContaining("disableAllHooks"));
  });

  it("Codex that has its hooks off", async () => {
    using installation = await registered("codex");
    installation.write(".codex/config.toml", "[features]\nhooks = false\n");
    expect(await look(installation)).toContainEqual(expect.stringContaining("switches hooks off"));
  });
});
