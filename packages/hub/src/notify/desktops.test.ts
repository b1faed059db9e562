import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import { type DesktopNotifier, findDesktop } from "./desktops.ts";

const folder = temporaryTestFolder();
let count = 0;

/** A folder for PATH with programs that record their arguments as JSON lines and print an answer. */
function programs(answers: Readonly<Record<string, string>>): {
  readonly path: string;
  readonly ran: () => readonly (readonly string[])[];
} {
  const path = folder.file(`bin-${++count}`);
  const record = join(path, "ran");
  mkdirSync(path);
  writeFileSync(record, "");
  for (const [name, answer] of Object.entries(answers)) {
    const script = `#!${process.execPath}
const words = process.argv.slice(2);
require("node:fs").appendFileSync(${JSON.stringify(record)}, JSON.stringify([${JSON.stringify(name)}, ...words]) + "\\n");
${answer}`;
    writeFileSync(join(path, name), script);
    chmodSync(join(path, name), 0o755);
  }
  return {
    path,
    ran: () =>
      readFileSync(record, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as readonly string[]),
  };
}

function desktopIn(path: string, platform: NodeJS.Platform = "linux"): DesktopNotifier {
  const found = findDesktop({ PATH: path, DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/bus" }, platform);
  if ("why" in found) throw new Error(found.why);
  return found.desktop;
}

const HOSTILE = { title: 'x"; rm -rf / #\\ $(id) `id`', body: "-u 'two words'", isUrgent: true };

describe.skipIf(process.platform === "win32")("a desktop", () => {
  it("is told through notify-send, which puts a word in the place of what was answered", async () => {
    const { path, ran } = programs({ "notify-send": 'console.log("7")' });
    const desktop = desktopIn(path);
    expect(await desktop.show(HOSTILE)).toBe("7");
    await desktop.withdraw("7");
    expect(ran()).toEqual([
      ["notify-send", "--app-name=Earshot", "--urgency=critical", "--icon=dialog-warning", "--print-id", "--", HOSTILE.title, HOSTILE.body],
      [
        ...["notify-send", "--app-name=Earshot", "--urgency=low", "--icon=dialog-information", "--replace-id=7", "--expire-time=1"],
        ...["--", "Earshot", "Answered."],
      ],
    ]);
  });

  it("is told by an older notify-send, which cannot say what to take back", async () => {
    const { path, ran } = programs({
      "notify-send": 'if (words.includes("--print-id")) { console.error("Unknown option --print-id"); process.exit(1); }',
    });
    const desktop = desktopIn(path);
    expect(await desktop.show(HOSTILE)).toBeUndefined();
    expect(await desktop.show(HOSTILE)).toBeUndefined();
    expect(ran().map((words) => words.includes("--print-id"))).toEqual([true, false, false]);
  });

  it("says what was complained about", async () => {
    const { path } = programs({ "notify-send": 'console.error("Error: no such service"); process.exit(1);' });
    await expect(desktopIn(path).show(HOSTILE)).rejects.toThrow("no such service");
  });

  it("is told through osascript on a Mac, with words that are no script", async () => {
    const { path, ran } = programs({ osascript: "" });
    const desktop = desktopIn(path, "darwin");
    expect(await desktop.show(HOSTILE)).toBeUndefined();
    expect(desktop.withdraws).toBe(false);
    expect(ran()[0]?.slice(-2)).toEqual([HOSTILE.title, HOSTILE.body]);
    expect(ran()[0]?.slice(0, -2).join(" ")).not.toContain("rm -rf");
  });

  it("is not there without a session, or without a program", () => {
    const { path } = programs({});
    expect(findDesktop({ PATH: path }, "linux")).toEqual({ why: expect.stringContaining("no session bus") });
    expect(findDesktop({ PATH: path, DBUS_SESSION_BUS_ADDRESS: "x" }, "linux")).toEqual({ why: expect.stringContaining("no notify-send") });
    expect(findDesktop({ PATH: `${path}${delimiter}`, SystemRoot: path }, "win32")).toEqual({ why: expect.stringContaining("PowerShell") });
  });

  it("has a session bus where its socket is", () => {
    const { path } = programs({ "notify-send": "" });
    const runtime = folder.file(`run-${++count}`);
    mkdirSync(runtime);
    writeFileSync(join(runtime, "bus"), "");
    expect(findDesktop({ PATH: path, XDG_RUNTIME_DIR: runtime }, "linux")).toHaveProperty("desktop");
  });
});
