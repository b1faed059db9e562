import type { Activity } from "@earshot/protocol/activities";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CallFold, foldCall, openCallFold, type ToolActivityOfCall, toCallView } from "./call-fold.ts";
import type { ViewEntry } from "./ledger-reading.ts";

const BASE = { protocol: "aep", type: "t", session: "s", agent: "a" } as const;
type Part = readonly [activity: ToolActivityOfCall, ms: number];

const requested = (ms: number): Part => [
  { ...BASE, kind: "tool.requested", callId: "c", tool: "Bash", subject: "ls", input: { command: "ls" } },
  ms,
];
const started = (ms: number): Part => [{ ...BASE, kind: "tool.started", callId: "c", tool: "Bash" }, ms];
const decided = (verdict: Extract<Activity, { kind: "tool.decided" }>["verdict"], ms: number): Part => [
  { ...BASE, kind: "tool.decided", callId: "c", verdict, by: "policy" },
  ms,
];
const ended = (outcome: Extract<Activity, { kind: "tool.ended" }>["outcome"], ms: number): Part => [
  { ...BASE, kind: "tool.ended", callId: "c", tool: "Bash", outcome, result: outcome },
  ms,
];

function hear(parts: readonly Part[]): CallFold {
  const call = openCallFold("c");
  parts.forEach(([activity, ms], index) => {
    const position = index + 1;
    const heard: ViewEntry = {
      position,
      receivedAt: 1000 + position,
      sequence: null,
      ms,
      kind: "event",
      verified: false,
      agent: "a",
      flags: [],
      activities: [activity],
    };
    foldCall(call, activity, heard);
  });
  return call;
}

const stateAfter = (parts: readonly Part[], sessionEnded = false) => toCallView(hear(parts), 1, sessionEnded).state;

describe("the state of a call", () => {
  test.each([
    ["requested", [requested(1)]],
    ["approved", [requested(1), decided("approved", 2)]],
    ["denied", [requested(1), decided("denied", 2)]],
    ["waiting", [requested(1), decided("asked", 2)]],
    ["paused", [requested(1), decided("deferred", 2)]],
    ["left-to-the-agent", [requested(1), decided("abstained", 2)]],
    ["running", [requested(1), decided("asked", 2), started(3)]],
    ["succeeded", [requested(1), decided("approved", 2), ended("succeeded", 3)]],
    ["failed", [requested(1), ended("failed", 3)]],
    ["timeout", [started(1), ended("timeout", 3)]],
    ["cancelled", [started(1), ended("cancelled", 3)]],
    ["denied", [requested(1), ended("denied", 3)]],
    ["denied", [requested(1), decided("denied", 2), ended("failed", 3)]],
    ["succeeded", [requested(1), decided("denied", 2), ended("succeeded", 3)]],
    ["succeeded", [requested(1), ended("failed", 2), ended("succeeded", 3)]],
    ["failed", [requested(1), ended("succeeded", 2), ended("failed", 3)]],
  ] as const)("is %s, in whatever order it is told", (state, parts) => {
    for (const order of permutations(parts)) expect(stateAfter(order)).toBe(state);
  });

  test("without an outcome is unknown when the session has ended, never a success", () => {
    expect(stateAfter([requested(1), decided("approved", 2)], true)).toBe("unknown");
    expect(stateAfter([started(1)], true)).toBe("unknown");
    expect(stateAfter([requested(1), decided("denied", 2)], true)).toBe("denied");
  });

  test("says what is odd about it", () => {
    const marks = (...parts: Part[]) => toCallView(hear(parts), 1, false).marks;
    expect(marks(decided("denied", 1), ended("succeeded", 2), requested(0))).toEqual(["ran-despite-denial"]);
    expect(marks(ended("failed", 1))).toEqual(["ended-without-start"]);
    expect(marks(started(0), ended("failed", 1), ended("failed", 2))).toEqual(["ended-twice"]);
  });
});

test("any parts, in any order, give the same call but for where it was heard", () => {
  const part = fc.oneof(
    fc.nat(5).map(requested),
    fc.nat(5).map(started),
    fc
      .tuple(fc.constantFrom("approved", "denied", "asked", "deferred", "abstained", "unknown"), fc.nat(5))
      .map((given) => decided(...given)),
    fc
      .tuple(fc.constantFrom("succeeded", "failed", "denied", "cancelled", "timeout", "unknown"), fc.nat(5))
      .map((given) => ended(...given)),
  );
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), fc.infiniteStream(fc.nat(100)), (parts, numbers) => {
      const shuffled = parts.map((one) => [numbers.next().value, one] as const).sort((left, right) => left[0] - right[0]);
      const told = ({ tool, subject, state, durationMs, input, result, marks }: ReturnType<typeof toCallView>) => ({
        tool,
        subject,
        state,
        durationMs,
        input,
        result,
        marks,
      });
      expect(told(toCallView(hear(shuffled.map(([, one]) => one)), 1, false))).toEqual(told(toCallView(hear(parts), 1, false)));
    }),
  );
});

test("the spending of a call is counted a single time, with the highest amount", () => {
  const end = (total: number): Part => [
    { ...BASE, kind: "tool.ended", callId: "c", tool: "Bash", outcome: "succeeded", tokens: { counts: "delta", total } },
    1,
  ];
  expect(toCallView(hear([end(10), end(30), end(20)]), 1, false).tokens).toEqual({ total: 30 });
});

function permutations<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length <= 1) return [items];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}
