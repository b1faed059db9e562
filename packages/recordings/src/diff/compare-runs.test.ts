import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareRuns } from "./compare-runs.ts";
import type { ComparedRow, Comparison, RowKind } from "./comparison.ts";
import { isAlike } from "./describe-verdict.ts";
import { arbitraryActs } from "./testing/arbitrary-acts.ts";
import { readRunFromLines } from "./testing/read-run.ts";
import { aaepRun, aepRun, DEFAULT_VARIATION, type ScriptedAct, scriptedCall, scriptedThought, scriptedWords } from "./testing/script.ts";

const OTHER = { ids: "zz9", startMs: DEFAULT_VARIATION.startMs + 86_400_000, folder: "/Users/ben/work/shop" };
const TURNED: Readonly<Record<RowKind, RowKind>> = {
  alike: "alike",
  details: "details",
  changed: "changed",
  "only-a": "only-b",
  "only-b": "only-a",
};

function compare(a: readonly ScriptedAct[], b: readonly ScriptedAct[]): Comparison {
  return compareRuns(readRunFromLines(aepRun(a)), readRunFromLines(aepRun(b, OTHER)));
}

function rowsOf({ lanes }: Comparison): readonly ComparedRow[] {
  return lanes.flatMap(({ rows }) => rows);
}

function differing(comparison: Comparison): readonly ComparedRow[] {
  return rowsOf(comparison).filter(({ is }) => is !== "alike");
}

/** Differs from every step of a generated run. */
const MARK = scriptedCall("Deploy", { command: "ship it to staging now" });

describe("Two runs", () => {
  it("are alike when they are one", () => {
    fc.assert(
      fc.property(arbitraryActs, (acts) => {
        const run = readRunFromLines(aepRun(acts));
        const comparison = compareRuns(run, run);
        expect(isAlike(comparison)).toBe(true);
        expect(comparison.parting).toBeUndefined();
      }),
    );
  });

  it("are alike with other ids, at another time and in another folder", () => {
    fc.assert(fc.property(arbitraryActs, (acts) => isAlike(compare(acts, acts))));
  });

  it("differ in exactly the step that was inserted, or left out", () => {
    fc.assert(
      fc.property(arbitraryActs, fc.nat(), (acts, where) => {
        const at = where % (acts.length + 1);
        const longer = [...acts.slice(0, at), MARK, ...acts.slice(at)];
        // The opening and the prompt come first.
        expect(differing(compare(acts, longer))).toEqual([{ is: "only-b", b: at + 2, differs: [] }]);
        expect(differing(compare(longer, acts))).toEqual([{ is: "only-a", a: at + 2, differs: [] }]);
      }),
    );
  });

  it("differ in exactly the step that was changed, and in what was changed of it", () => {
    const more = scriptedCall("Deploy", { command: "ship it to staging now --dry-run" });
    fc.assert(
      fc.property(arbitraryActs, fc.nat(), fc.constantFrom("subject", "outcome", "result"), (acts, where, what) => {
        const at = where % (acts.length + 1);
        const other = what === "subject" ? more : what === "outcome" ? { ...MARK, failed: true } : { ...MARK, result: "shipped" };
        const withStep = (act: ScriptedAct) => [...acts.slice(0, at), act, ...acts.slice(at)];
        const is = what === "result" ? "details" : "changed";
        expect(differing(compare(withStep(MARK), withStep(other)))).toEqual([{ is, a: at + 2, b: at + 2, differs: [what] }]);
      }),
    );
  });

  it("are the mirror of themselves when they are called the other way round", () => {
    fc.assert(
      fc.property(arbitraryActs, arbitraryActs, (a, b) => {
        const [there, back] = [compare(a, b), compareRuns(readRunFromLines(aepRun(b, OTHER)), readRunFromLines(aepRun(a)))];
        const paired = (comparison: Comparison) => rowsOf(comparison).filter((row) => row.a !== undefined && row.b !== undefined);
        expect(paired(back)).toEqual(paired(there).map(({ is, a: one, b: other, differs }) => ({ is, a: other, b: one, differs })));
        expect(back.counts).toEqual(Object.fromEntries(Object.entries(there.counts).map(([is, count]) => [TURNED[is as RowKind], count])));
        expect(back.parting === undefined).toBe(there.parting === undefined);
      }),
    );
  });

  it("lose no step, and keep the order of both", () => {
    fc.assert(
      fc.property(arbitraryActs, arbitraryActs, (a, b) => {
        const comparison = compare(a, b);
        for (const pair of comparison.lanes) {
          for (const side of ["a", "b"] as const) {
            expect(pair.rows.flatMap((row) => row[side] ?? [])).toEqual(pair[side]?.steps.map((_step, index) => index) ?? []);
          }
        }
      }),
    );
  });

  it("part ways where they do something else, not where they say it in other words", () => {
    const a = [
      scriptedThought("The total is in cart.ts."),
      scriptedCall("Read", { file_path: "./src/cart.ts" }),
      scriptedCall("Bash", { command: "npm test" }),
    ];
    const b = [
      scriptedThought("Let me look."),
      scriptedCall("Read", { file_path: "./src/cart.ts" }),
      scriptedCall("Edit", { file_path: "./src/cart.ts" }),
    ];
    const comparison = compare(a, b);
    expect(rowsOf(comparison).map(({ is }) => is)).toEqual(["alike", "alike", "details", "alike", "only-a", "only-b", "alike"]);
    expect(comparison.parting).toEqual({ lane: 0, row: 4 });
  });

  it("have a command with one more option as one step that changed, and another command as two steps", () => {
    const changed = compare([scriptedCall("Bash", { command: "npm test" })], [scriptedCall("Bash", { command: "npm test -- --watch" })]);
    expect(differing(changed)).toEqual([{ is: "changed", a: 2, b: 2, differs: ["subject"] }]);
    const other = compare([scriptedCall("Bash", { command: "npm test" })], [scriptedCall("Bash", { command: "git push --force" })]);
    expect(differing(other).map(({ is }) => is)).toEqual(["only-a", "only-b"]);
  });

  it("can be told in two protocols: what only one of them can say is left out and told", () => {
    const acts = [
      scriptedThought("Hm."),
      scriptedCall("Bash", { command: "npm test" }, { failed: true }),
      scriptedCall("Read", { file_path: "./a.ts" }),
      scriptedWords("Done."),
    ];
    const comparison = compareRuns(readRunFromLines(aepRun(acts)), readRunFromLines(aaepRun(acts, OTHER)));
    expect(isAlike(comparison)).toBe(true);
    expect(comparison.unsaid).toEqual([
      { side: "a", kind: "thought", count: 1 },
      { side: "b", kind: "state", count: 1 },
    ]);
    const other = compareRuns(
      readRunFromLines(aepRun(acts)),
      readRunFromLines(aaepRun([...acts.slice(0, 2), MARK, ...acts.slice(2)], OTHER)),
    );
    expect(differing(other).map(({ is }) => is)).toEqual(["only-b"]);
  });

  it("are the mirror of each other in two protocols too", () => {
    fc.assert(
      fc.property(arbitraryActs, arbitraryActs, (a, b) => {
        const [one, other] = [readRunFromLines(aepRun(a)), readRunFromLines(aaepRun(b, OTHER))];
        const [there, back] = [compareRuns(one, other), compareRuns(other, one)];
        expect(back.counts["only-a"]).toBe(there.counts["only-b"]);
        expect(back.counts.changed).toBe(there.counts.changed);
      }),
      { numRuns: 50 },
    );
  });
});
