import { describe, expect, it } from "vitest";
import { type ComparedRow, findParting, type LanePair, type RowKind } from "./comparison.ts";
import type { RunLane } from "./step.ts";

function lane(parentStep?: number): RunLane {
  return {
    session: "s",
    protocol: "aop",
    agent: "a",
    steps: [],
    ...(parentStep === undefined ? {} : { parent: { lane: 0, step: parentStep } }),
  };
}

function pair(kinds: readonly RowKind[], parent?: { readonly lane: number; readonly step: number }): LanePair {
  const rows: ComparedRow[] = kinds.map((is, index) => ({ is, a: index, b: index, differs: [] }));
  const side = lane(parent?.step);
  return { a: side, b: side, depth: parent === undefined ? 0 : 1, rows, ...(parent === undefined ? {} : { parent: parent.lane }) };
}

describe("Two runs part ways", () => {
  it("where the first step changes, not where only details differ", () => {
    expect(findParting([pair(["alike", "details", "changed", "only-a"])])).toEqual({ lane: 0, row: 2 });
    expect(findParting([pair(["alike", "details"])])).toBeUndefined();
  });

  it("in a subagent, when it was started before its parent does something else", () => {
    const parent = pair(["alike", "alike", "alike", "changed"]);
    expect(findParting([parent, pair(["alike", "changed"], { lane: 0, step: 1 })])).toEqual({ lane: 1, row: 1 });
    expect(findParting([parent, pair(["alike", "changed"], { lane: 0, step: 5 })])).toEqual({ lane: 0, row: 3 });
  });

  it("in a subagent of a subagent, or in the second session, when nothing before it differs", () => {
    const same = pair(["alike"]);
    expect(findParting([same, pair(["alike"], { lane: 0, step: 0 }), pair(["changed"], { lane: 1, step: 0 })])).toEqual({
      lane: 2,
      row: 0,
    });
    expect(findParting([same, pair(["alike", "only-b"])])).toEqual({ lane: 1, row: 1 });
  });
});
