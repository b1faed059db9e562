import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claudeHost } from "../packages/cli/src/agents/testing/hosts/claude-hosts.ts";
import { CONTAINERS, type Container } from "./container/containers.ts";
import { openMachine, registeredLine } from "./init/machine.ts";

function whyNot(container: Container): string | undefined {
  if (process.platform !== "linux") return "this is not Linux";
  return existsSync("/usr/bin/curl") ? container.whyNot() : "there is no /usr/bin/curl";
}

for (const container of CONTAINERS) {
  const reason = whyNot(container);
  if (reason !== undefined) process.stderr.write(`SKIPPED: the socket in ${container.name}, since ${reason}.\n`);

  describe.skipIf(reason !== undefined)(
    `${container.name}, with the hub's socket, the producer's token and the launcher mounted where they are outside`,
    () => {
      it("asks the hub outside, and has nothing else of Earshot's", async () => {
        await using machine = openMachine();
        machine.write(
          ".earshot/policy.yaml",
          'rules:\n  - { name: never, match: { command: "echo never*" }, answer: deny, message: Not here. }\n',
        );
        expect(machine.earshot("init", "--agent", "claude").code).toBe(0);
        await machine.startHub();
        const earshot = join(machine.home, ".earshot");
        const { command } = registeredLine(machine.read(".claude/settings.json"), "PreToolUse", "Bash");
        const ask = (typed: string) =>
          container.run(
            `ls -A "${earshot}" >&2; ${command}`,
            JSON.stringify(claudeHost.payload({ session: "s1", id: typed, command: typed, cwd: "/work" })),
            [join(earshot, "run"), join(earshot, "bin"), join(earshot, "producer.token")],
          );
        const denied = ask("echo never");
        expect(denied.stderr.trim().split("\n")).toEqual(["bin", "producer.token", "run"]);
        expect(
          claudeHost.judge({ kind: "ended", code: denied.status ?? 1, stdout: denied.stdout, stderr: "" }, { failsClosed: true }),
        ).toMatchObject({
          effect: "blocked",
          message: expect.stringContaining("Not here."),
        });
        expect(ask("echo fine").stdout.trim()).toBe("");
        expect(machine.earshot("sessions", "--json").out).toContain('"s1"');
      });
    },
  );
}
