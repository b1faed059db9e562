import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkPaths, type Launch, writeLaunchAgent, writeLogonTask, writeSystemdUnit } from "./service-texts.ts";

const plain: Launch = { node: "/usr/bin/node", command: "/opt/earshot/bin/earshot.cjs", home: undefined, output: "/h/hub-output.log" };
/** Every character with a special meaning in one of the formats. */
const ODD = `/home/a b/it's "so" & <x> 100%h $HOME \\n ünï→`;
const odd: Launch = { node: `${ODD}/node`, command: `${ODD}/earshot.cjs`, home: `${ODD}/home`, output: `${ODD}/out` };

describe("the unit for systemd", () => {
  it("runs the hub without a browser, and again when it fails", () => {
    const unit = writeSystemdUnit(plain);
    expect(unit).toContain(
      '\nExecStart=/usr/bin/env "/usr/bin/node" "--disable-sigusr1" "/opt/earshot/bin/earshot.cjs" "start" "--no-open"\n',
    );
    expect(unit).toContain("\nRestart=on-failure\n");
    expect(unit).not.toContain("Environment=");
  });

  it("writes paths so that systemd reads them as they are", () => {
    const unit = writeSystemdUnit(odd);
    const escaped = `/home/a b/it's \\"so\\" & <x> 100%%h $$HOME \\\\n ünï→`;
    expect(unit).toContain(`ExecStart=/usr/bin/env "${escaped}/node" "--disable-sigusr1" "${escaped}/earshot.cjs" "start"`);
    expect(unit).toContain(`Environment="EARSHOT_HOME=${escaped.replace("$$", "$")}/home"\n`);
  });

  const analyze = spawnSync("systemd-analyze", ["--version"]).status === 0;
  it.skipIf(!analyze)("is accepted by systemd itself", () => {
    const folder = mkdtempSync(join(tmpdir(), "earshot-unit-"));
    try {
      for (const launch of [plain, odd]) {
        const path = join(folder, "earshot.service");
        writeFileSync(path, writeSystemdUnit(launch));
        const env = { ...process.env, XDG_RUNTIME_DIR: folder }; // it looks for a session, and needs none
        const { status, stderr } = spawnSync("systemd-analyze", ["--user", "--man=no", "verify", path], { encoding: "utf8", env });
        expect([status, stderr]).toEqual([0, ""]);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("the agent for launchd", () => {
  it("holds each word of the command as it is", () => {
    const words = [...writeLaunchAgent(odd).matchAll(/^ {4}<string>(.*)<\/string>$/gm)].map(([, word = ""]) => fromXml(word));
    expect(words).toEqual([odd.node, "--disable-sigusr1", odd.command, "start", "--no-open"]);
    expect(fromXml(writeLaunchAgent(odd))).toContain(`<key>EARSHOT_HOME</key><string>${odd.home}</string>`);
    expect(writeLaunchAgent(plain)).not.toContain("EnvironmentVariables");
    expect(writeLaunchAgent(odd).replaceAll(/&(?:amp|lt|gt|quot|apos);/g, "")).not.toContain("&");
  });
});

describe("the task for Windows", () => {
  const windows: Launch = {
    ...plain,
    node: "C:\\Program Files\\nodejs\\node.exe",
    command: "C:\\Users\\Ünï & Co\\100%\\earshot.cjs",
  };

  it("belongs to the user alone, and has no limits of its own", () => {
    const task = writeLogonTask(windows, "PC & Co\\ünï");
    expect(task.split("<UserId>PC &amp; Co\\ünï</UserId>")).toHaveLength(3);
    expect(task).toContain("<RunLevel>LeastPrivilege</RunLevel>");
    expect(task).toContain("<ExecutionTimeLimit>PT0S</ExecutionTimeLimit>");
  });

  it("quotes words as Windows programs take them apart", () => {
    const [, line = ""] = /<Arguments>(.*)<\/Arguments>/.exec(writeLogonTask(windows, "u")) ?? [];
    expect(fromXml(line)).toBe(
      '--headless "C:\\Program Files\\nodejs\\node.exe" --disable-sigusr1 "C:\\Users\\Ünï & Co\\100%\\earshot.cjs" start --no-open',
    );
    const [, last = ""] = /<Arguments>(.*)<\/Arguments>/.exec(writeLogonTask({ ...windows, command: 'a "b\\' }, "u")) ?? [];
    expect(fromXml(last)).toContain('"a \\"b\\\\" start');
  });
});

describe("a path", () => {
  it("with a line break is refused: it could say something else in the file", () => {
    expect(() => checkPaths({ ...plain, home: "/h\nExecStart=/bin/evil" })).toThrow("control character");
    expect(() => checkPaths(odd)).not.toThrow();
  });
});

function fromXml(text: string): string {
  const characters: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
  return text.replaceAll(/&(\w+);/g, (_match, name: string) => characters[name] ?? "?");
}
