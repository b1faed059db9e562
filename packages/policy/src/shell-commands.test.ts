import { describe, expect, it } from "vitest";
import { CASE_CWD, CASE_HOME } from "../testing/shell-commands/shell-case.ts";
import { SHELL_COMMANDS } from "../testing/shell-commands/shell-commands.ts";
import { compilePolicy } from "./compile-with-re2.ts";
import { decideByPolicy } from "./decide.ts";
import { readPolicy } from "./read/read-policy.ts";
import { readShell } from "./shell/read-shell.ts";
import { printCommand } from "./shell/shell-command.ts";

const reading = readPolicy({ text: "extends: guard", file: "policy.yaml", kind: "user" });
if (!reading.ok) throw new Error("The guard preset cannot be read.");
const guard = compilePolicy(reading.policy, { places: { home: CASE_HOME } });

describe("the table of shell commands", () => {
  it("has at least three hundred, each once", () => {
    expect(SHELL_COMMANDS.length).toBeGreaterThanOrEqual(300);
    expect(new Set(SHELL_COMMANDS.map(({ command }) => command)).size).toBe(SHELL_COMMANDS.length);
  });

  it.each(SHELL_COMMANDS)("tells what is in $command", ({ command, simple, inspectable }) => {
    const found = readShell(command, { cwd: CASE_CWD, home: CASE_HOME });
    expect({ simple: found.commands.map(printCommand), inspectable: found.inspectable, why: found.why }).toEqual({
      simple,
      inspectable,
      why: inspectable ? undefined : expect.stringMatching(/^[A-Z`].*\.$/s),
    });
  });

  it.each(SHELL_COMMANDS)("has the guard's verdict on $command", ({ command, guard: expected }) => {
    const { behaviour } = decideByPolicy(guard, { moment: "action", tool: "Bash", command, cwd: CASE_CWD, roots: [CASE_CWD] });
    expect(behaviour).toBe(expected);
  });
});
