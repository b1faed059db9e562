import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claudeHost } from "../packages/cli/src/agents/host/claude-host.ts";
import { openMachine, registeredLine } from "./init/machine.ts";

/** What a container is to a hook: another root, in which only what was mounted is there. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc", "/dev"].filter((path) => existsSync(path));

function whyNot(): string | undefined {
  if (process.platform !== "linux") return "this is not Linux";
  const tried = spawnSync("unshare", ["--mount", "--propagation", "private", "true"]);
  if (tried.status !== 0) return "this user may not make a mount namespace";
  return existsSync("/usr/bin/curl") ? undefined : "there is no /usr/bin/curl";
}

const reason = whyNot();
if (reason !== undefined) process.stderr.write(`SKIPPED: the socket in a container, since ${reason}.\n`);

describe.skipIf(reason !== undefined)("a container with the hub's socket and the launcher mounted where they are outside", () => {
  it("asks the hub outside, and has nothing else of Earshot's", async () => {
    await using machine = openMachine();
    machine.write(
      ".earshot/policy.yaml",
      'rules:\n  - { name: never, match: { command: "echo never*" }, answer: deny, message: Not here. }\n',
    );
    expect(machine.earshot("init", "--agent", "claude").code).toBe(0);
    await machine.startHub();
    const root = mkdtempSync(join(tmpdir(), "es-root-"));
    try {
      const earshot = join(machine.home, ".earshot");
      const mounts = [...SYSTEM, join(earshot, "run"), join(earshot, "bin")];
      for (const path of mounts) mkdirSync(join(root, path), { recursive: true });
      mkdirSync(join(root, "tmp"), { recursive: true });
      const { command } = registeredLine(machine.read(".claude/settings.json"), "PreToolUse", "Bash");
      writeFileSync(join(root, "tmp/hook.sh"), `${command}\n`);
      const script = `${mounts.map((path) => `mount --bind "${path}" "${root}${path}"`).join(" && ")} && ls -A "${root}${earshot}" >&2 && exec chroot "${root}" /bin/sh /tmp/hook.sh`;
      const ask = (typed: string) => {
        const input = JSON.stringify(claudeHost.payload({ session: "s1", id: typed, command: typed, cwd: "/work" }));
        return spawnSync("unshare", ["--mount", "--propagation", "private", "/bin/sh", "-c", script], {
          input,
          encoding: "utf8",
          env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
        });
      };
      const denied = ask("echo never");
      expect(denied.stderr.trim().split("\n")).toEqual(["bin", "run"]);
      expect(
        claudeHost.judge({ kind: "ended", code: denied.status ?? 1, stdout: denied.stdout, stderr: "" }, { failsClosed: true }),
      ).toMatchObject({
        effect: "blocked",
        message: expect.stringContaining("Not here."),
      });
      expect(ask("echo fine").stdout.trim()).toBe("");
      expect(machine.earshot("sessions", "--json").out).toContain('"s1"');
    } finally {
      // Mounts belong to the namespace and end with it. If they did not, removing would reach through them.
      if (!readFileSync("/proc/mounts", "utf8").includes(root)) rmSync(root, { recursive: true, force: true });
    }
  });
});
