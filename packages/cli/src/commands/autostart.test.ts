import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import type { CommandIo } from "@earshot/terminal/io";
import { describe, expect, it } from "vitest";
import type { RunningHub } from "../running-hub.ts";
import type { SystemCommandResult } from "../service/install.ts";
import { type LoginService, type ServicePlace, serviceFor } from "../service/service.ts";
import { autostartCommand } from "./autostart.ts";

const HUB: RunningHub = { url: "http://127.0.0.1:4747", pid: 77, version: "1.2.3", startedAt: "", startedWith: [] };

/** A system that records calls and answers as the test says. */
function system(platform: "linux" | "darwin" | "win32") {
  const userHome = mkdtempSync(join(tmpdir(), "earshot-user-"));
  const place: ServicePlace = {
    platform,
    env: { USERNAME: "me", USERDOMAIN: "PC" },
    userHome,
    hubHome: join(userHome, ".earshot"),
    userId: 501,
  };
  const launch = { node: "/usr/bin/node", command: "/opt/earshot.cjs", home: undefined, output: "/o" };
  const wanted = serviceFor(launch, place) as LoginService;
  const state = {
    hub: undefined as RunningHub | undefined,
    servicePid: 0,
    answer: (_words: readonly string[]): SystemCommandResult => ({ status: 0, output: "" }),
  };
  const ran: string[] = [];
  const run = (words: readonly string[]): SystemCommandResult => {
    if (words.includes("--property=MainPID")) return { status: 0, output: `MainPID=${state.servicePid}` };
    if (words.includes("print")) return { status: 0, output: `earshot.hub = {\n\tpid = ${state.servicePid}\n}` };
    ran.push(words.join(" "));
    return state.answer(words);
  };
  let out = "";
  let err = "";
  const io: CommandIo = {
    stdin: Readable.from([]),
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    terminal: { out: false, err: false, colour: false, width: 80 },
  };
  const earshot = async (...words: readonly string[]) => {
    [out, err] = ["", ""];
    ran.length = 0;
    const status = await autostartCommand(words, io, { service: wanted, run, running: async () => state.hub });
    return { status, out, err, ran: [...ran] };
  };
  return { earshot, wanted, state, userHome, [Symbol.dispose]: () => rmSync(userHome, { recursive: true, force: true }) };
}

describe("earshot hub autostart", () => {
  it.each([
    ["linux", ["systemctl --user daemon-reload", "systemctl --user enable earshot.service", "systemctl --user restart earshot.service"]],
    ["darwin", ["launchctl enable gui/501/earshot.hub", "launchctl bootout gui/501/earshot.hub", "launchctl bootstrap gui/501 FILE"]],
    ["win32", ["schtasks /Create /TN Earshot /XML FILE /F", "schtasks /End /TN Earshot", "schtasks /Run /TN Earshot"]],
  ] as const)("is installed on %s with the user's own rights, and removed without a trace", async (platform, commands) => {
    using machine = system(platform);
    const { file, content } = machine.wanted;
    const installed = await machine.earshot("on");
    expect(installed.status).toBe(0);
    expect(installed.ran).toEqual(commands.map((command) => command.replace("FILE", file)));
    expect(readFileSync(file).equals(content)).toBe(true);
    expect(file.startsWith(machine.userHome)).toBe(true);
    const removed = await machine.earshot("off");
    expect([removed.status, existsSync(file)]).toEqual([0, false]);
    expect(await machine.earshot("off")).toMatchObject({ status: 0, out: "Nothing was installed.\n" });
  });

  it("installed twice is installed once: a hub that runs by it is left alone", async () => {
    using machine = system("linux");
    await machine.earshot("on");
    machine.state.hub = HUB;
    machine.state.servicePid = HUB.pid;
    const again = await machine.earshot("on");
    expect(again).toMatchObject({ status: 0, err: "" });
    expect(again.ran).not.toContain("systemctl --user restart earshot.service");
  });

  it("that was made for another version is brought up to date and started again", async () => {
    using machine = system("linux");
    mkdirSync(dirname(machine.wanted.file), { recursive: true });
    writeFileSync(machine.wanted.file, "[Service]\nExecStart=/old/node /old/earshot.cjs\n");
    machine.state.hub = HUB;
    machine.state.servicePid = HUB.pid;
    expect((await machine.earshot()).out).toContain("installed, but for another Node or Earshot");
    const updated = await machine.earshot("on");
    expect(updated.out).toContain("Updated");
    expect(updated.ran).toContain("systemctl --user restart earshot.service");
  });

  it("leaves a hub that was started by hand running, and says how to change over", async () => {
    using machine = system("linux");
    machine.state.hub = HUB;
    const installed = await machine.earshot("on");
    expect(installed.ran).not.toContain("systemctl --user restart earshot.service");
    expect(installed.out).toContain("(process 77) was started by hand and goes on");
    expect(installed.out).toContain("earshot hub stop\n  systemctl --user restart earshot.service");
  });

  it("is written, and the commands are told, where systemctl is missing or there is no session", async () => {
    using machine = system("linux");
    for (const answer of [
      { status: undefined, output: "spawn ENOENT" },
      { status: 1, output: "Failed to connect to bus: No medium found" },
    ]) {
      machine.state.answer = () => answer;
      const installed = await machine.earshot("on");
      expect(installed.status).toBe(1);
      expect(installed.err).toContain("systemctl --user enable earshot.service\n  systemctl --user restart earshot.service\n");
      expect(existsSync(machine.wanted.file)).toBe(true);
      expect((await machine.earshot("off")).status).toBe(0);
      expect(existsSync(machine.wanted.file)).toBe(false);
    }
  });

  it("says what there is: installed or not, which hub runs, where, and in which version", async () => {
    using machine = system("darwin");
    expect((await machine.earshot()).out).toBe("LaunchAgent: not installed\nNo hub is running.\n");
    await machine.earshot("on");
    machine.state.hub = HUB;
    machine.state.servicePid = HUB.pid;
    const told = JSON.parse((await machine.earshot("--json")).out) as object;
    expect(told).toEqual({
      installed: true,
      outdated: false,
      kind: "LaunchAgent",
      file: machine.wanted.file,
      running: { address: HUB.url, version: "1.2.3", pid: 77, byService: true },
    });
  });

  it.each(["linux", "darwin", "win32"] as const)("prints on %s what it would do, and does nothing, with --dry-run", async (platform) => {
    using machine = system(platform);
    const planned = await machine.earshot("on", "--dry-run");
    expect(planned.out).toContain("/opt/earshot.cjs");
    expect(planned.out).toContain("start");
    expect([planned.ran, existsSync(machine.wanted.file)]).toEqual([[], false]);
    expect((await machine.earshot("off", "--dry-run")).ran).toEqual([]);
  });
});
