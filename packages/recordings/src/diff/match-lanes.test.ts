import { describe, expect, it } from "vitest";
import { matchLanes } from "./match-lanes.ts";
import type { RunLane } from "./step.ts";

function lane(agent: string, task = "", parent?: number): RunLane {
  const steps = task === "" ? [] : [{ kind: "task" as const, name: "Goal", facets: [{ name: "task" as const, text: task, same: task }] }];
  return {
    session: `${agent} ${task}`,
    protocol: "aop",
    agent,
    steps,
    ...(parent === undefined ? {} : { parent: { lane: parent, step: 0 } }),
  };
}

const places = (a: readonly RunLane[], b: readonly RunLane[]) => matchLanes(a, b).map((match) => [match.a, match.b]);

describe("Sessions of two runs", () => {
  it("belong together by their agents, whatever their order", () => {
    const a = [lane("lead"), lane("scout", "prices", 0), lane("reader", "terms", 0)];
    const b = [lane("lead"), lane("reader", "terms", 0), lane("scout", "prices", 0)];
    expect(places(a, b)).toEqual([
      [0, 0],
      [1, 2],
      [2, 1],
    ]);
  });

  it("belong together by what they are for, where one agent has several", () => {
    const a = [lane("worker", "look up prices"), lane("worker", "read the terms")];
    const b = [lane("worker", "read the terms of all"), lane("worker", "look up all prices")];
    expect(places(a, b)).toEqual([
      [0, 1],
      [1, 0],
    ]);
  });

  it("are found alone where the other run has no such session, with all that it started", () => {
    const a = [lane("lead"), lane("scout", "", 0), lane("helper", "", 1), lane("reader", "", 0)];
    const b = [lane("lead"), lane("reader", "", 0)];
    expect(matchLanes(a, b)).toEqual([
      { a: 0, b: 0, depth: 0 },
      { a: 1, parent: 0, depth: 1 },
      { a: 2, parent: 1, depth: 2 },
      { a: 3, b: 1, parent: 0, depth: 1 },
    ]);
  });

  it("are each other's when they are the only ones left", () => {
    expect(places([lane("claude")], [lane("codex")])).toEqual([[0, 0]]);
  });

  it("are matched by name and task when there are very many", () => {
    const many = Array.from({ length: 300 }, (_, index) => lane(`agent ${index}`, `task ${index}`));
    expect(places(many, [...many].reverse()).every(([a = 0, b = 0]) => a + b === 299)).toBe(true);
  });
});
