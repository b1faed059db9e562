import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hubHomeOf } from "@earshot/hub/home";
import { afterAll, describe, expect, it } from "vitest";
import { type LauncherOptions, launcherPlaces, launcherText, windowsLauncherText } from "./launcher-text.ts";

const folder = mkdtempSync(join(tmpdir(), "earshot-launcher-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SHELLS = ["/bin/sh", "/bin/bash", "/usr/bin/dash"].filter((shell) => spawnSync(shell, ["-c", "exit 0"]).status === 0);

/** A program in place of Node that prints its input, or fails. */
function place(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
  return path;
}

async function options(more: Partial<LauncherOptions> = {}): Promise<LauncherOptions> {
  const home = hubHomeOf({ EARSHOT_HOME: join(folder, "it's a $(folder)") });
  return { ...(await launcherPlaces(home)), ...more };
}

function run(text: string, words: readonly string[], input: string, shell = "/bin/sh") {
  const path = join(folder, "launcher");
  writeFileSync(path, text, { mode: 0o700 });
  const { status, stdout, stderr } = spawnSync(shell, [path, ...words], { input, encoding: "utf8", env: { PATH: "/nowhere" } });
  return { status, stdout, stderr };
}

describe("the launcher", () => {
  it.each(SHELLS)("is a script that %s reads, whatever the folders are called", async (shell) => {
    const text = launcherText(await options({ shell }));
    const path = join(folder, "syntax");
    writeFileSync(path, text);
    expect(spawnSync(shell, ["-n", path], { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  });

  it.each(SHELLS)("hands everything over when there is no hub, and prints what it is told, in %s", async (shell) => {
    mkdirSync(join(folder, "it's a $(folder)"), { recursive: true });
    const node = place("node", 'printf "earshot answer 2 err\\n%s|" "$@" "$EARSHOT_HOME" "$HOME" "$(env | wc -l)"; cat');
    const ended = run(
      launcherText(await options({ node, shell, userHome: "/home/ana" })),
      ["claude", "PreToolUse", "600"],
      '{"a":"$HOME `x` \\\\n"}',
      shell,
    );
    expect(ended).toMatchObject({ status: 2, stdout: "" });
    expect(ended.stderr).toContain("hook");
    expect(ended.stderr).toContain("it's a $(folder)");
    expect(ended.stderr).toContain('{"a":"$HOME `x` \\\\n"}');
  });

  it.each([
    ["crashes", "kill -s SEGV $$"],
    ["ends with 2", "exit 2"],
    ["prints garbage", 'echo \'{"permission":"allow"}\''],
    ["says something that is no answer", "echo 'earshot answer 7 out'"],
    ["is not there", undefined],
  ])("answers neutrally when Node %s", async (_what, script) => {
    const node = script === undefined ? join(folder, "none") : place("broken-node", script);
    for (const shell of SHELLS) {
      const text = launcherText(await options({ node, shell }));
      expect(run(text, ["claude", "PreToolUse", "600"], "{}", shell)).toEqual({ status: 0, stdout: "", stderr: "" });
      expect(run(text, ["gemini", "BeforeTool", "600"], "{}", shell)).toEqual({ status: 0, stdout: "{}\n", stderr: "" });
    }
  });

  it("never fails because of its words", async () => {
    const text = launcherText(await options({ node: join(folder, "none") }));
    for (const words of [
      [],
      ["../x"],
      ["claude; exit 3"],
      ["claude", "$(exit 4)", "x", "y", "z"],
      ["claude", "PreToolUse", "99999999999999"],
      ["-h"],
    ]) {
      expect([words, run(text, words, "{}")]).toEqual([words, { status: 0, stdout: "", stderr: "" }]);
    }
  });

  it("works where there is neither curl nor timeout", async () => {
    const node = place("plain-node", "echo 'earshot answer 0 out'; cat");
    for (const missing of [{ timeout: "" }, { timeout: "", perl: "" }]) {
      const text = launcherText(await options({ node, curl: "", ...missing }));
      expect(run(text, ["claude", "PreToolUse", "600"], '{"x":1}')).toEqual({ status: 0, stdout: '{"x":1}\n', stderr: "" });
    }
  });

  it("has everything baked in, on Windows too", async () => {
    const text = windowsLauncherText(await options({ home: "C:\\Users\\ana\\.earshot", node: "C:\\node.exe", earshot: "C:\\e.cjs" }));
    expect(text.split("\r\n")).toEqual(
      expect.arrayContaining(['set "EARSHOT_HOME=C:\\Users\\ana\\.earshot"', '"C:\\node.exe" --disable-sigusr1 "C:\\e.cjs" hook %*']),
    );
  });
});
