import { describe, expect, it } from "vitest";
import { compareSteps } from "./compare-lanes.ts";
import { LikenessMeter } from "./likeness-meter.ts";
import type { FacetName, RunStep, StepKind } from "./step.ts";

function step(kind: StepKind, facets: Partial<Record<FacetName, string>>): RunStep {
  return {
    kind,
    name: kind,
    facets: Object.entries(facets).map(([name, text]) => ({ name: name as FacetName, text, same: text.toLowerCase() })),
  };
}

describe("Two steps", () => {
  it("differ in their course or in details", () => {
    const run = step("call", { tool: "bash", subject: "npm test", outcome: "succeeded", result: "13 passed" });
    expect(compareSteps(run, step("call", { tool: "Bash", subject: "npm test", outcome: "succeeded", result: "13 passed" }), true).is).toBe(
      "alike",
    );
    expect(compareSteps(run, step("call", { tool: "bash", subject: "npm test", outcome: "succeeded", result: "12 passed" }), true)).toEqual(
      {
        is: "details",
        differs: ["result"],
      },
    );
    expect(compareSteps(run, step("call", { tool: "bash", subject: "npm test", outcome: "failed" }), true)).toEqual({
      is: "changed",
      differs: ["outcome", "result"],
    });
  });

  it("do not differ in what only one of two protocols tells, nor much in an input that is told in other words", () => {
    const [full, summed] = [
      step("call", { tool: "bash", subject: "npm test -- cart", input: "everything", result: "ok" }),
      step("call", { tool: "bash", subject: "npm test for the cart" }),
    ];
    expect(compareSteps(full, summed, false)).toEqual({ is: "details", differs: ["subject"] });
    expect(compareSteps(full, summed, true)).toEqual({ is: "changed", differs: ["subject", "input", "result"] });
    expect(compareSteps(full, step("call", { tool: "bash", subject: "rm -rf build" }), false).is).toBe("changed");
  });

  it("may be one that changed, or two", () => {
    const one = new LikenessMeter(true);
    const bash = (subject: string) => step("call", { tool: "bash", subject, outcome: "succeeded" });
    expect(one.measure(bash("npm test"), bash("npm test -- --watch"))).toBeGreaterThan(0.8);
    expect(one.measure(bash("npm test"), bash("git push"))).toBeLessThan(0.5);
    expect(one.measure(bash("cart.ts"), step("call", { tool: "read", subject: "cart.ts", outcome: "succeeded" }))).toBe(0);
    expect(one.measure(step("thought", { text: "Hm." }), step("thought", { text: "Let me see." }))).toBe(0.5);
    expect(one.measure(step("state", { state: "thinking" }), step("state", { state: "idle" }))).toBeLessThan(0.5);
  });

  it("of two protocols may be one under two names of a tool, where it acts on the same", () => {
    const two = new LikenessMeter(false);
    const run = (tool: string, subject: string) => step("call", { tool, subject });
    expect(two.measure(run("Bash", "npm test"), run("terminal", "npm test"))).toBe(0.5);
    expect(two.measure(run("Bash", "npm test"), run("terminal", "ls"))).toBe(0);
  });

  it("of different agents in one session are less alike", () => {
    const one = new LikenessMeter(true);
    expect(one.measure(step("output", { text: "Hi.", agent: "b" }), step("output", { text: "Hi." }))).toBe(0.5);
  });
});
