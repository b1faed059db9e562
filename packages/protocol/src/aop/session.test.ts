import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { AOP_DEFECTS, hearAop, jumble, performTwoAgents, severeRules, type TwoAgents, twoAgentSessions } from "../../testing/aop.ts";
import { createPick, type Recording } from "../../testing/defect.ts";
import { readItem } from "../../testing/read-item.ts";
import type { JsonObject } from "../json.ts";
import { createJudge } from "../judge.ts";
import { AOP } from "./aop.ts";

const clock = (ms: number) => new Date(Date.UTC(2026, 2, 1, 10) + ms).toISOString();

/** One event of agent `agent` with the given number and time. */
function event(agent: string, sequence: number, ms: number, type: string, payload: object = {}): JsonObject {
  const timestamp = clock(ms);
  return { spec: "aop/1.0", session_id: "s1", agent_id: agent, sequence, timestamp, type, payload } as JsonObject;
}
const start = (agent: string, sequence: number, ms: number, id = "x") =>
  event(agent, sequence, ms, "operation.tool_start", { tool_name: "t", tool_call_id: id });
const end = (agent: string, sequence: number, ms: number, id = "x") =>
  event(agent, sequence, ms, "operation.tool_end", { tool_name: "t", tool_call_id: id, success: true });
const started = event("a", 1, 0, "session.started");
const ended = (sequence: number, ms: number, agent = "a") => event(agent, sequence, ms, "session.ended", { outcome: "completed" });
const warnings = (recording: Recording) => severeRules(hearAop(recording), "warning");
const errors = (recording: Recording) => severeRules(hearAop(recording), "error");

function* permutations<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  if (items.length === 0) yield [];
  for (const [index, item] of items.entries()) {
    for (const rest of permutations(items.toSpliced(index, 1))) yield [item, ...rest];
  }
}

describe("two agents in one session", () => {
  const turn = (agent: "a" | "b", does: "says" | "starts" | "ends") => ({ agent, does });

  test("a call of the second agent whose halves arrive the wrong way round", () => {
    expect(warnings([started, end("b", 2, 100), start("b", 1, 0)])).toEqual(["aop/agent-id-constant", "aop/ended-present"]);
  });

  test("the end of the session does not settle what the second agent has still to say", () => {
    const recording = [started, end("b", 2, 100), ended(3, 300), event("a", 2, 200, "acme.x"), start("b", 1, 0)];
    expect(warnings(recording)).toEqual(["aop/agent-id-constant"]);
    // The second agent's first event arrives only after the end.
    expect(errors([started, end("a", 2, 200), ended(3, 300), start("b", 1, 100)])).toEqual([]);
  });

  const sessions: readonly (readonly [string, Omit<TwoAgents, "counters">])[] = [
    ["one calls", { turns: [turn("b", "starts"), turn("b", "ends"), turn("a", "says")], crosses: false, ender: "a" }],
    ["the other ends the session", { turns: [turn("b", "starts"), turn("b", "ends"), turn("a", "says")], crosses: false, ender: "b" }],
    ["one speaks between", { turns: [turn("a", "starts"), turn("b", "says"), turn("a", "ends")], crosses: false, ender: "a" }],
    ["one ends what the other began", { turns: [turn("a", "starts"), turn("b", "ends"), turn("b", "says")], crosses: true, ender: "a" }],
    ["the other way round", { turns: [turn("b", "starts"), turn("a", "ends"), turn("a", "says")], crosses: true, ender: "b" }],
  ];
  test.each(sessions.flatMap(([name, plan]) => (["own", "shared"] as const).map((counters) => [name, counters, plan] as const)))(
    "%s, numbers %s: no order of arrival gives an error",
    (_, counters, plan) => {
      const recording = performTwoAgents({ ...plan, counters });
      expect(recording).toHaveLength(5);
      for (const arrived of permutations(recording)) {
        const told = plan.crosses ? errors(arrived) : warnings(arrived);
        expect({ told, arrived }).toEqual({ told: plan.crosses ? [] : ["aop/agent-id-constant"], arrived });
      }
    },
  );

  test("longer ones, locally shuffled, give no error either; without shared calls only the one warning", () => {
    fc.assert(
      fc.property(twoAgentSessions, fc.integer(), fc.constantFrom(3, 8, 40), (plan, seed, reach) => {
        const arrived = jumble(performTwoAgents(plan), createPick(seed), reach);
        expect(errors(arrived)).toEqual([]);
        if (!plan.crosses) expect(warnings(arrived).filter((rule) => rule !== "aop/agent-id-constant")).toEqual([]);
      }),
      { numRuns: propertyRuns() },
    );
  });

  test("what one agent's own numbers prove is still told", () => {
    const other = event("b", 1, 10, "acme.x");
    const reversed = [started, other, end("a", 2, 100), start("a", 3, 200), ended(4, 300)];
    for (const arrived of permutations(reversed)) {
      const told = hearAop(arrived).filter(({ severity }) => severity === "error");
      expect(told.map(({ rule, at }) => [rule, arrived[at - 1]])).toEqual([["aop/tool-end-needs-start", reversed[2]]]);
    }
    expect(errors([started, other, end("b", 2, 100), ended(2, 300)])).toEqual(["aop/tool-end-needs-start"]);
    expect(errors([started, other, event("b", 9, 100, "acme.x"), event("a", 2, 150, "acme.x"), event("b", 3, 800, "acme.x")])).toEqual([
      "aop/sequence-increases",
    ]);
    const after = event("a", 3, 300, "acme.x");
    expect(warnings([started, other, ended(2, 200), after])).toContain("aop/nothing-after-ended");
    expect(warnings([started, other, after, ended(2, 200)])).toContain("aop/nothing-after-ended");
  });

  // Which numbers repeat depends on the agent of each; a separate test covers it.
  const defects = AOP_DEFECTS.filter(({ rules }) => !rules.includes("aop/sequence-unique"));
  test.each(defects.map((defect) => [defect.name, defect] as const))("hides no error: %s", (_, defect) => {
    fc.assert(
      fc.property(twoAgentSessions, fc.integer(), fc.constantFrom(0, 3, 8), (plan, seed, reach) => {
        const pick = createPick(seed);
        const broken = defect.apply(jumble(performTwoAgents({ ...plan, crosses: false }), pick, reach), pick);
        if (broken !== undefined) expect(errors(broken).filter((rule) => defect.rules.includes(rule))).not.toEqual([]);
      }),
      { numRuns: propertyRuns(1 / 5) },
    );
  });

  test("a crowd of agents is judged without errors, and those past the bound are counted as forgotten", () => {
    const crowd = Array.from({ length: 40 }, (_, index) => [end(`n${index}`, 2, 100, `c${index}`), start(`n${index}`, 1, 0, `c${index}`)]);
    const recording = [started, ...crowd.flat(), ended(2, 900)];
    expect(errors(recording)).toEqual([]);
    const judge = createJudge(AOP, { tell: () => undefined });
    recording.forEach((item, at) => {
      const { value, facts } = readItem(item);
      judge.handle(AOP.read(value, facts), at, facts);
      if (at < 10) expect(judge.forgotten).toBe(0);
    });
    expect(judge.forgotten).toBeGreaterThan(0);
  });
});

describe("a clock that steps back", () => {
  test("by a little is no counter that goes back", () => {
    const recording = [started, event("a", 3, 99, "acme.x"), event("a", 2, 100, "acme.x"), ended(4, 200)];
    expect(warnings(recording)).toEqual(["aop/timestamp-order"]);
    const limit = [started, event("a", 3, 95, "acme.x"), event("a", 2, 100, "acme.x"), ended(4, 200)];
    expect(errors(limit)).toEqual([]);
  });

  test("nor is a single event that fills a gap and whose number and time were taken apart", () => {
    const recording = [started, event("a", 3, 400, "acme.x"), event("a", 2, 430, "acme.x"), ended(4, 1000)];
    expect(warnings(recording)).toEqual(["aop/timestamp-order"]);
  });

  test("a lower number that is later by more than that, fills no gap, or is not alone is one", () => {
    const recording = [started, event("a", 3, 94, "acme.x"), event("a", 2, 700, "acme.x"), ended(4, 900)];
    expect(errors(recording)).toEqual(["aop/sequence-increases"]);
    const below = [started, event("a", 2, 94, "acme.x"), event("a", 0, 110, "acme.x"), ended(4, 200)];
    expect(errors(below)).toEqual(["aop/sequence-increases"]);
    const two = [started, event("a", 9, 100, "acme.x"), event("a", 2, 130, "acme.x"), event("a", 3, 160, "acme.x")];
    expect(errors(two)).toEqual(["aop/sequence-increases"]);
    const jump = [started, event("a", 900, 100, "acme.x"), event("a", 2, 200, "acme.x"), event("a", 3, 300, "acme.x")];
    expect(errors(jump)).toEqual(["aop/sequence-increases"]);
  });

  test("a counter that begins anew within that time is told by the first event after it", () => {
    const anew = [started, event("a", 40, 100, "acme.x"), event("a", 2, 102, "acme.x"), event("a", 3, 140, "acme.x")];
    expect(errors(anew)).toEqual(["aop/sequence-increases"]);
  });
});

describe("a call that is open when the session ends", () => {
  const messages = (recording: Recording) =>
    hearAop(recording)
      .filter(({ rule }) => rule === "aop/tool-ends")
      .map(({ message }) => message);

  test("is not said never to end, since it may end afterwards", () => {
    expect(messages([started, start("a", 2, 100), ended(3, 200), end("a", 4, 300)])).toEqual([
      'The call "x" of "t" does not end before the session ends.',
    ]);
  });

  test("is said never to end when the recording is over without the end of the session", () => {
    expect(messages([started, start("a", 2, 100)])).toEqual(['The call "x" of "t" never ends.']);
  });
});
