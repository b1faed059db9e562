import { describe, expect, it } from "vitest";
import { PIPE } from "../../../../terminal/src/testing/samples.ts";
import { compareRuns } from "../compare-runs.ts";
import { readRunFromLines } from "../testing/read-run.ts";
import { aaepRun, aepRun, DEFAULT_VARIATION, type ScriptedAct, scriptedCall, scriptedThought, scriptedWords } from "../testing/script.ts";
import { toDiffJson } from "./json.ts";
import { textLines } from "./text.ts";

const OTHER = { ...DEFAULT_VARIATION, ids: "b" };
const READ = scriptedCall("Read", { file_path: "./src/cart.ts" });
const TEST = scriptedCall("Bash", { command: "npm test" });

function compare(a: readonly ScriptedAct[], b: readonly ScriptedAct[]) {
  return compareRuns(readRunFromLines(aepRun(a)), readRunFromLines(aepRun(b, OTHER)));
}

function linesOf(a: readonly ScriptedAct[], b: readonly ScriptedAct[], context = 1): readonly string[] {
  return [...textLines(compare(a, b), { context }, PIPE)];
}

describe("A comparison in lines", () => {
  it("tells the verdict first, then what differs with what is around it, then the sum", () => {
    expect(
      linesOf(
        [READ, READ, READ, TEST, scriptedWords("Done.")],
        [READ, READ, READ, scriptedCall("Edit", { file_path: "./src/cart.ts" }), scriptedWords("Done.")],
      ),
    ).toEqual([
      'They part ways at step 6 of 8: A calls Bash with "npm test"; B calls Edit with "src/cart.ts".',
      "A is run.jsonl: AEP, 8 steps in 1 session, from 12 events.",
      "B is run.jsonl: AEP, 8 steps in 1 session, from 12 events.",
      "",
      "= alike, ~ changed or other details, - only in A, + only in B.",
      "= 4 steps alike, A 1 to 4, B 1 to 4",
      "= A 5, B 5: Call Read, succeeded: src/cart.ts",
      "- only A 6: Call Bash, succeeded: npm test. Result: done.",
      "+ only B 6: Call Edit, succeeded: src/cart.ts. Result: done.",
      "= A 7, B 7: Output: Done.",
      "= A 8, B 8: Ended, completed",
      "",
      "In sum:",
      "  Calls of Bash: 1 in A, 0 in B",
      "  Calls of Edit: 0 in A, 1 in B",
      "  The same in both: duration: 11 seconds; steps: 8; calls: 4; failed calls: 0; errors: 0.",
    ]);
  });

  it("has what changed in a step below it, in the words of both", () => {
    const lines = linesOf([TEST], [scriptedCall("Bash", { command: "npm test -- --watch" }, { failed: true })]);
    expect(lines).toContain("~ A 3, B 3, changed: Call Bash");
    expect(lines.slice(lines.indexOf("~ A 3, B 3, changed: Call Bash") + 1)).toEqual(
      expect.arrayContaining([
        "  Input in A: npm test",
        "  Input in B: npm test -- --watch",
        "  Outcome in A: succeeded",
        "  Outcome in B: failed",
      ]),
    );
  });

  it("tells from where on long texts differ", () => {
    const same = "The cart is fine. ".repeat(30);
    const lines = linesOf([scriptedWords(`${same}It ends well.`)], [scriptedWords(`${same}It ends badly.`)]);
    expect(lines.find((line) => line.startsWith("  Words in B"))).toMatch(/^ {2}Words in B: … .{10,60}It ends badly\.$/);
  });

  it("says when only words differ, and when nothing does", () => {
    expect(linesOf([TEST, scriptedThought("Hm.")], [TEST, scriptedThought("Well.")])[0]).toBe(
      "They do the same in all 5 steps; 1 of them differs in words or results.",
    );
    expect(linesOf([TEST], [TEST])[0]).toBe("They are alike: all 4 steps are the same.");
  });

  it("tells what one run does before it goes on like the other", () => {
    expect(linesOf([TEST], [READ, TEST])[0]).toBe(
      'They part ways at step 3 of 4 in A and step 3 of 5 in B: A calls Bash with "npm test"; B first calls Read with "src/cart.ts".',
    );
  });

  it("tells what was not compared between two protocols", () => {
    const comparison = compareRuns(readRunFromLines(aepRun([scriptedThought("Hm."), TEST])), readRunFromLines(aaepRun([TEST], OTHER)));
    const lines = [...textLines(comparison, { context: 1 }, PIPE)];
    expect(lines).toContain("Not compared are these steps of A, for which AAEP has no word: thought 1.");
    expect(lines).toContain("Not compared are these steps of B, for which AEP has no word: state 1.");
  });

  it("shows every step when all are wanted", () => {
    expect(linesOf([READ, READ], [READ, READ], Number.POSITIVE_INFINITY).filter((line) => line.startsWith("= A"))).toHaveLength(5);
  });
});

const HOSTILE = "\u001b[2J\u001b]0;gone\u0007</td><script>alert(1)</script>\u202e\nA is run.jsonl\r\u0000&\"'<b>";

describe("Hostile words", () => {
  const [a, b] = [
    [scriptedCall(HOSTILE, { command: HOSTILE }, { result: HOSTILE }), scriptedWords(HOSTILE), scriptedThought(HOSTILE)],
    [
      scriptedCall("Bash", { command: `${HOSTILE} and more` }),
      scriptedWords(`${HOSTILE} or so`),
      scriptedCall(`${HOSTILE}2`, { command: HOSTILE }),
    ],
  ];

  it("reach a terminal as plain text only, on lines of their own", () => {
    const lines = linesOf(a, b, 9);
    for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(lines.filter((line) => line.startsWith("A is "))).toHaveLength(1);
  });
});

describe("A comparison as JSON", () => {
  it("has the verdict, the place, and runs of alike steps as one", () => {
    expect(toDiffJson(compare([READ, READ, READ, TEST], [READ, READ, READ]), { context: 0 })).toMatchObject({
      alike: false,
      parting: { lane: 1, a: 6 },
      counts: { alike: 6, "only-a": 1 },
      aligned: "exactly",
      lanes: [
        {
          a: { session: "sess-a", steps: 7 },
          rows: [
            { is: "alike", count: 5, a: 1, b: 1 },
            { is: "only-a", a: { step: 6, kind: "call", tool: "Bash", subject: "npm test", outcome: "succeeded" } },
            { is: "alike", a: { step: 7 }, b: { step: 6 } },
          ],
        },
      ],
    });
  });
});
