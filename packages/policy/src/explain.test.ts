import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bash, compiled, file } from "../testing/policies.ts";
import { SHELL_COMMANDS } from "../testing/shell-commands/shell-commands.ts";
import { decideByPolicy } from "./decide.ts";
import { explainDecision } from "./explain.ts";

const POLICY = compiled(`rules:
  - { name: other-agent, match: { agent: codex }, answer: deny }
  - { name: tests, match: { command: npm test }, answer: allow }
  - { name: pushes, match: { command: git push * }, answer: allow }
  - { name: stops, answer: block }
  - { name: secret, match: { path: "{secret}" }, answer: deny }
  - { name: all, match: { tool: Bash }, except: { command: ls }, answer: ask }
  - { name: never, match: { tool: Bash }, answer: deny }`);

describe("explaining", () => {
  it("says which rule decides, and why each one before it does not", () => {
    const { ruling, steps } = explainDecision(POLICY, bash("npm test && git push -f"));
    expect(ruling.rule?.name).toBe("all");
    expect(steps.map(({ rule, outcome, why }) => `${rule.name}: ${outcome}. ${why}`)).toEqual([
      'other-agent: passed-over. `agent` is "claude".',
      "tests: passed-over. `command` does not fit every command, and all must.",
      "pushes: passed-over. `command` does not fit every command, and all must.",
      "stops: passed-over. `block` has no place at the moment action.",
      "secret: passed-over. `path` does not fit any of the commands.",
      "all: decides. It matches.",
      "never: not-reached. An earlier rule had decided.",
    ]);
  });

  it.each([
    ["git push -f", "pushes", "A rule that allows must name what does harm: `danger: [git-force-push]`."],
    [
      "$CMD",
      "tests",
      "A rule that says allow does not match a command that cannot be inspected. Which program runs is only known when it runs: `$CMD`.",
    ],
    ["make", "tests", "`command` does not fit `make`."],
    ["ls", "all", "It says itself that this is an exception."],
  ])("%s is passed over by %s: %s", (command, name, why) => {
    expect(explainDecision(POLICY, bash(command)).steps.find(({ rule }) => rule.name === name)).toMatchObject({
      outcome: "passed-over",
      why,
    });
  });

  it("tells of tools other than shells", () => {
    const { steps } = explainDecision(POLICY, file("Read", "a", "read"));
    expect(steps.find(({ rule }) => rule.name === "tests")?.why).toBe("It is no shell command.");
    expect(explainDecision(POLICY, { moment: "action" }).steps[0]?.why).toBe("`agent` is not known.");
    expect(explainDecision(POLICY, { moment: "session-start" }).steps.map(({ why }) => why)[3]).toBe(
      "`block` has no place at the moment session-start.",
    );
    expect(explainDecision(POLICY, { moment: "prompt", tool: "Bash" }).steps.map(({ why }) => why)[4]).toBe(
      "It is about other moments than prompt.",
    );
  });

  it("decides as deciding does", () => {
    const guarded = compiled("extends: [fewer-prompts, guard]");
    fc.assert(
      fc.property(fc.constantFrom(...SHELL_COMMANDS), ({ command }) => {
        expect(explainDecision(guarded, bash(command)).ruling).toEqual(decideByPolicy(guarded, bash(command)));
      }),
      { numRuns: 300 },
    );
  });
});
