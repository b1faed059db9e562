import { compilePolicy, readPolicy } from "@earshot/policy";
import { describe, expect, it } from "vitest";
import type { PastAsk, PastOutcome } from "./past-asks.ts";
import { TrialCounter } from "./trial.ts";

const POLICY = `
rules:
  - name: tests
    match: { command: npm test }
    answer: allow
  - name: no-pushes
    match: { command: git push <words> }
    answer: deny
  - name: careful
    match: { command: make deploy }
    answer: ask
  - name: nobody-waits
    match: { command: make clean }
    answer: ask
    hold: never
    unanswered: deny
  - name: not-asked
    match: { command: whoami }
    answer: abstain
    hold: never
`;

function tryThem(...asks: readonly PastAsk[]) {
  const reading = readPolicy({ text: POLICY, file: "policy.yaml", kind: "user" });
  if (!reading.ok) throw new Error(reading.troubles[0]?.message);
  const counter = new TrialCounter(compilePolicy(reading.policy, { places: {} }));
  for (const ask of asks) counter.count(ask);
  return counter.result();
}

let position = 0;

function past(command: string, happened: PastOutcome, moment: "action" | "permission" = "action"): PastAsk {
  position++;
  return {
    position,
    receivedAt: Date.UTC(2026, 6, 1),
    session: "s",
    sessionKey: 1,
    type: "action.requested",
    agent: "claude",
    asked: [{ moment, tool: "Bash", command }],
    event: { action: { input: { command } }, tool: { name: "Bash" } },
    past: happened,
  };
}

const ASKED_YES: PastOutcome = { how: "person", word: "allow", by: "Ana" };
const ASKED_NO: PastOutcome = { how: "person", word: "deny", by: "Ana" };
const LEFT: PastOutcome = { how: "agent", outcome: "completed" };

describe("a policy that is tried on what happened", () => {
  it.each<[string, PastAsk, string | undefined]>([
    ["what was asked and would pass", past("npm test", ASKED_YES), "asked passes"],
    ["what was asked and would be refused", past("git push origin", ASKED_YES), "asked refused"],
    ["what was asked and would be left to the agent", past("ls", ASKED_YES), "asked left"],
    ["what nobody was asked about and would be", past("make deploy", LEFT), "left asked"],
    ["what nobody was asked about and would pass", past("npm test", LEFT), "left passes"],
    ["what a rule let pass and would be asked", past("make deploy", { how: "rule", word: "allow", by: "old" }), "passes asked"],
    ["what a rule refused and would pass", past("npm test", { how: "rule", word: "deny", by: "old" }), "refused passes"],
    ["what stays as it was", past("make deploy", ASKED_NO), undefined],
    ["what is left to the agent, as before", past("ls", LEFT), undefined],
    ["what the agent itself asks, which reaches a person without any rule", past("ls", ASKED_YES, "permission"), undefined],
    ["what never waits for an answer, and hears at once what silence means", past("make clean", LEFT), "left refused"],
    ["what the agent asks itself, where a rule says not to wait", past("whoami", ASKED_YES, "permission"), "asked left"],
    ["silence, which was a question all the same", past("make deploy", { how: "silence" }), undefined],
  ])("tells apart %s", (_what, ask, move) => {
    const { moves, changed } = tryThem(ask);
    expect(moves.map(({ from, to }) => `${from} ${to}`)).toEqual(move === undefined ? [] : [move]);
    expect(changed).toBe(move === undefined ? 0 : 1);
  });

  it("puts first what a person had decided otherwise, then the newest", () => {
    const trial = tryThem(
      ...Array.from({ length: 9 }, () => past("npm test", ASKED_YES)),
      past("npm test", ASKED_NO),
      past("npm test", ASKED_YES),
      past("git push x", ASKED_YES),
    );
    expect(trial).toMatchObject({ asks: 12, sessions: 1, changed: 12, passesRefused: 1, refusesAllowed: 1 });
    expect(trial.moves[0]).toMatchObject({ count: 11, allowed: 10, refused: 1 });
    expect(trial.moves[0]?.examples.map((one) => position - one.position)).toEqual([2, 1, 3]);
  });

  it("counts the answer at the moment that a rule speaks about, when an action is shown twice", () => {
    const twice = {
      ...past("npm test", ASKED_YES),
      asked: [
        { moment: "action", command: "npm test", tool: "Bash" },
        { moment: "permission", command: "npm test", tool: "Bash" },
      ],
    } as const;
    expect(tryThem(twice).moves).toMatchObject([{ from: "asked", to: "passes", count: 1 }]);
  });
});
