import { describe, expect, it } from "vitest";
import { groupProblems } from "./problem-groups.ts";
import { BROKEN_FILE, sampleProblem } from "./testing/sample-report.ts";

describe("groups of problems", () => {
  it("put errors first and keep the order of occurrence within a severity", () => {
    expect(groupProblems(BROKEN_FILE.problems).map(({ severity, id, rest }) => [severity, id, rest.length])).toEqual([
      ["error", "NOT_JSON", 0],
      ["error", "aaep/tool-completed-needs-invoked", 2],
      ["error", "aaep/irreversible-default-reject", 0],
      ["warning", "aaep/summary-short", 0],
      ["info", "aaep/unknown-type", 0],
    ]);
  });

  it("keep a rule apart that was reported at two severities", () => {
    const rule = "aaep/summary-short";
    expect(groupProblems([sampleProblem(rule, 1), sampleProblem(rule, 2, { severity: "error" })]).map(({ severity }) => severity)).toEqual([
      "error",
      "warning",
    ]);
  });

  it("are none without problems", () => {
    expect(groupProblems([])).toEqual([]);
  });
});
