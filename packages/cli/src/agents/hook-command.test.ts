import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { agentCards } from "@earshot/agents/files";
import { describe, expect, it } from "vitest";
import { projectCommand, runsLauncher, userCommand } from "./hook-command.ts";
import { launcherPath, settingsFile } from "./place.ts";
import { targetsFor } from "./plan.ts";
import { neutralOf } from "./registrations.ts";
import { temporaryPlace } from "./testing/temporary-place.ts";

const line = (launcher: string) => ({ launcher, agent: "claude", hook: "PreToolUse", seconds: 60, watchOnly: false });

/** Home folders with hostile names. */
const NAMES = [
  "home",
  "a home",
  "it's",
  'say "hi"',
  "$HOME",
  "`id`",
  "back\\slash",
  "semi;colon & more",
  "ünï 😀",
  "-dash",
  "#hash",
  "100%",
];

describe("the registered line", () => {
  it("is the launcher, the agent, the hook, and how long the agent waits", () => {
    expect(userCommand(line("/h/.earshot/bin/earshot-hook"))).toBe("/h/.earshot/bin/earshot-hook claude PreToolUse 60");
    expect(userCommand({ ...line("/h/.earshot/bin/earshot-hook"), watchOnly: true })).toBe(
      "/h/.earshot/bin/earshot-hook claude PreToolUse 60 observe",
    );
    expect(userCommand(line("C:\\Users\\Ana B\\.earshot\\bin\\earshot-hook.cmd"), "win32")).toBe(
      '"C:/Users/Ana B/.earshot/bin/earshot-hook.cmd" claude PreToolUse 60',
    );
  });

  it.each(NAMES)("runs the launcher in a home called %s, in both scopes", (name) => {
    using place = temporaryPlace("user", name);
    const launcher = launcherPath(place);
    mkdirSync(dirname(launcher), { recursive: true });
    writeFileSync(launcher, '#!/bin/sh\nprintf "%s|" "$@"\ncat\n');
    chmodSync(launcher, 0o700);
    for (const command of [userCommand(line(launcher)), projectCommand(line(launcher), place.userHome, {})]) {
      expect(
        execFileSync("/bin/sh", ["-c", command], { input: "said", encoding: "utf8", env: { HOME: place.userHome, PATH: "/bin:/usr/bin" } }),
      ).toBe("claude|PreToolUse|60|said");
      expect(runsLauncher(command)).toBe(true);
    }
  });

  it("is not mistaken for somebody else's", () => {
    for (const other of ["bin/earshot-hooks x", "earshot hook claude", "/x/bin/earshot-hooker"]) expect(runsLauncher(other)).toBe(false);
  });
});

describe("a project's line, on a machine without Earshot", () => {
  it.each(agentCards().filter(({ project }) => project?.format.kind === "json" || project?.format.kind === "scripts"))(
    "$slug: gives the answer that changes nothing, and ends with 0",
    (card) => {
      using place = temporaryPlace("project");
      const command = projectCommand({ ...line(launcherPath(place)), agent: card.slug }, place.userHome, neutralOf(card));
      const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", command], {
        input: "{}",
        encoding: "utf8",
        env: { HOME: "/nonexistent", PATH: "/bin:/usr/bin" },
      });
      const neutral = neutralOf(card);
      expect([status, stdout.trim(), stderr]).toEqual([0, neutral === undefined ? "" : JSON.stringify(neutral), ""]);
    },
  );

  it("holds no path of its author", () => {
    for (const card of agentCards().filter(({ project }) => project !== undefined)) {
      using place = temporaryPlace("project", "ana");
      for (const { part } of targetsFor(card, place, { version: "9.9.9" })) {
        const added = part.add("");
        expect([card.slug, added.ok && added.text.includes(join("ana", ".earshot"))]).toEqual([card.slug, false]);
      }
      expect(settingsFile(card, place)?.path.startsWith(place.project)).toBe(true);
    }
  });
});
