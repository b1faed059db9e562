import { appendFileSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandIo } from "../agents/testing/command-io.ts";
import { type TemporaryInstallation, temporaryInstallation } from "../agents/testing/temporary-installation.ts";
import { initCommand } from "./init.ts";
import { type UninstallPorts, uninstallCommand } from "./uninstall.ts";

const HUB = { url: "http://127.0.0.1:1", pid: 42, version: "0.1.0", startedAt: "", startedWith: [] };

function ports(done: string[]): UninstallPorts {
  return {
    service: { file: "/x/earshot.service", remove: () => done.push("service") },
    running: async () => HUB,
    stop: async ({ pid }) => {
      done.push(`stopped ${pid}`);
    },
  };
}

async function installed(machine: TemporaryInstallation): Promise<void> {
  machine.write(".claude/settings.json", '{"a":1}');
  await initCommand([], commandIo(), machine);
  for (const path of [
    "ledger.db",
    "ledger.db-wal",
    "views.db",
    "viewer.token",
    "producer.token",
    "access.json",
    "run/hub.sock",
    "spool/hooks/1",
    "mine.txt",
  ])
    machine.write(`.earshot/${path}`, "x");
}

describe("earshot uninstall", () => {
  it("lists and removes each part, and keeps what was recorded", async () => {
    using machine = temporaryInstallation();
    await installed(machine);
    const done: string[] = [];
    const io = commandIo();
    expect(await uninstallCommand(["--yes"], io, machine, ports(done))).toBe(0);
    expect(done).toEqual(["service", "stopped 42"]);
    const home = join(machine.userHome, ".earshot");
    expect(readdirSync(home).sort()).toEqual([
      "access.json",
      "backups",
      "ledger.db",
      "ledger.db-wal",
      "mine.txt",
      "policy.yaml",
      "views.db",
    ]);
    for (const gone of ["bin: the launcher", "run: the socket", "viewer.token: ", "producer.token: ", "spool: "])
      expect(io.heard.out).toContain(`${home}/${gone}`);
    expect(io.heard.out).toContain(`Stays: ${home}/ledger.db\n`);
    expect(machine.snapshot()[join(machine.userHome, ".claude/settings.json")]).toBe('{"a":1}');
  });

  it("removes data only with --purge, and nothing that is not Earshot's", async () => {
    using machine = temporaryInstallation();
    await installed(machine);
    const io = commandIo();
    expect(await uninstallCommand(["--purge", "--yes"], io, machine, ports([]))).toBe(0);
    expect(readdirSync(join(machine.userHome, ".earshot"))).toEqual(["mine.txt"]);
  });

  it("asks, and does nothing where nobody can be asked or the answer is no", async () => {
    using machine = temporaryInstallation();
    await installed(machine);
    const before = readdirSync(join(machine.userHome, ".earshot"), { recursive: true });
    const done: string[] = [];
    await expect(uninstallCommand([], commandIo(), machine, ports(done))).rejects.toMatchObject({ problem: { code: "WRONG_USAGE" } });
    expect(await uninstallCommand(["--purge"], commandIo(["no"]), machine, ports(done))).toBe(1);
    expect(await uninstallCommand(["--purge", "--dry-run"], commandIo(), machine, ports(done))).toBe(0);
    expect([done, readdirSync(join(machine.userHome, ".earshot"), { recursive: true })]).toEqual([[], before]);
  });

  it("keeps the launcher while hooks could not be taken out", async () => {
    using machine = temporaryInstallation();
    await installed(machine);
    appendFileSync(join(machine.userHome, ".claude/settings.json"), "{ broken");
    const done: string[] = [];
    expect(await uninstallCommand(["--yes"], commandIo(), machine, ports(done))).toBe(1);
    expect([existsSync(join(machine.userHome, ".earshot/bin/earshot-hook")), done]).toEqual([true, []]);
  });
});
