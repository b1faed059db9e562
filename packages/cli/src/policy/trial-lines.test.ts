import { type PastAsk, type PastOutcome, TrialCounter } from "@earshot/hub";
import { compilePolicy, readPolicy } from "@earshot/policy";
import { describe, expect, it } from "vitest";
import { trialLines } from "./trial-lines.ts";

const POLICY = `
rules:
  - name: tests
    match: { command: npm test }
    answer: allow
  - name: no-pushes
    match: { command: git push <words> }
    answer: deny
`;

function tryThem(...asks: readonly PastAsk[]) {
  const reading = readPolicy({ text: POLICY, file: "policy.yaml", kind: "user" });
  if (!reading.ok) throw new Error(reading.troubles[0]?.message);
  const counter = new TrialCounter(compilePolicy(reading.policy, { places: {} }));
  for (const ask of asks) counter.count(ask);
  return counter.result();
}

let position = 0;

function past(command: string, word: "allow" | "deny"): PastAsk {
  position++;
  const happened: PastOutcome = { how: "person", word, by: "Ana" };
  return {
    position,
    receivedAt: Date.UTC(2026, 6, 1),
    session: "s",
    sessionKey: 1,
    type: "action.requested",
    agent: "claude",
    asked: [{ moment: "action", tool: "Bash", command }],
    event: { action: { input: { command } }, tool: { name: "Bash" } },
    past: happened,
  };
}

describe("a policy that is tried, in sentences", () => {
  it("puts first what a person had decided otherwise, and says so", () => {
    const trial = tryThem(
      ...Array.from({ length: 9 }, () => past("npm test", "allow")),
      past("npm test", "deny"),
      past("git push x", "allow"),
    );
    expect(trial).toMatchObject({ asks: 11, sessions: 1, changed: 11, passesRefused: 1, refusesAllowed: 1 });
    const lines = trialLines(trial, { file: "policy.yaml", now: Date.UTC(2026, 6, 1), timeZone: "UTC" });
    expect(lines.slice(0, 5)).toEqual([
      "11 actions of 1 session tried with policy.yaml, from 00:00 to 00:00.",
      "Careful: 1 that you refused would pass.",
      "Mind: 1 that you allowed would be refused.",
      "11 actions would be decided differently:",
      "  It would pass, where you were asked: 10 times. You allowed 9 of them and refused 1.",
    ]);
    expect(lines[5]).toContain(`Position ${position - 1}: Claude Code in session s wants to run npm test (rule tests)`);
    expect(lines).toContain("  tests: allow, 10 times.");
  });

  it("says so when there is nothing", () => {
    expect(trialLines(tryThem(), { file: "x", now: 0 })).toEqual(["No recorded action can be decided by a rule."]);
  });
});
