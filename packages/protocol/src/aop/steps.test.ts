import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import { type AopSessionState, type ArrivalOrder, openAopSession, stepAopSession } from "./lifecycle.ts";
import { readAop } from "./read.ts";
import { AOP_RULES } from "./rules.ts";
import { AOP_CALL_STEPS, type AopCallState, type CallSignal, GOAL_STEPS, SESSION_STEPS, type StepCell } from "./steps.ts";
import { openCallBook, stepCall } from "./tool-calls.ts";

const FACTS = { depth: 1, bodyHash: 0, unsafeInteger: undefined, firstNull: undefined, sizeBytes: 0 };

/** A table as text: the next state, or the broken rule and the state after it. */
function written(table: Readonly<Record<string, Readonly<Record<string, StepCell<string>>>>>): string[] {
  return Object.entries(table).flatMap(([state, row]) =>
    Object.entries(row).map(([signal, cell]) => {
      const outcome = typeof cell === "string" ? cell : `${cell.then} breaking ${cell.breaks.slice(4)}`;
      return `${state} + ${signal} = ${outcome}`;
    }),
  );
}

test("the session table, cell by cell", () => {
  expect(written(SESSION_STEPS)).toEqual([
    "fresh + started = running",
    "fresh + startedLate = running",
    "fresh + ended = endedUnannounced",
    "fresh + endedLate = endedUnannounced",
    "fresh + spoke = unannounced",
    "fresh + spokeLate = unannounced",
    "fresh + spokeBefore = unannounced",
    "running + started = running breaking started-once",
    "running + startedLate = running breaking started-once",
    "running + ended = ended",
    "running + endedLate = ended breaking nothing-after-ended",
    "running + spoke = running",
    "running + spokeLate = running",
    "running + spokeBefore = running breaking started-first",
    "unannounced + started = running breaking started-first",
    "unannounced + startedLate = running",
    "unannounced + ended = endedUnannounced",
    "unannounced + endedLate = endedUnannounced breaking nothing-after-ended",
    "unannounced + spoke = unannounced",
    "unannounced + spokeLate = unannounced",
    "unannounced + spokeBefore = unannounced",
    "ended + started = ended breaking started-once",
    "ended + startedLate = ended breaking started-once",
    "ended + ended = ended breaking ended-once",
    "ended + endedLate = ended breaking ended-once",
    "ended + spoke = ended breaking nothing-after-ended",
    "ended + spokeLate = ended",
    "ended + spokeBefore = ended breaking started-first",
    "endedUnannounced + started = ended breaking nothing-after-ended",
    "endedUnannounced + startedLate = ended",
    "endedUnannounced + ended = endedUnannounced breaking ended-once",
    "endedUnannounced + endedLate = endedUnannounced breaking ended-once",
    "endedUnannounced + spoke = endedUnannounced breaking nothing-after-ended",
    "endedUnannounced + spokeLate = endedUnannounced",
    "endedUnannounced + spokeBefore = endedUnannounced",
  ]);
});

test("the tool call table, cell by cell", () => {
  expect(written(AOP_CALL_STEPS)).toEqual([
    "unknown + start = open",
    "unknown + startLate = open",
    "unknown + end = orphan",
    "unknown + endLate = orphan",
    "open + start = open breaking tool-call-id-unique",
    "open + startLate = open breaking tool-call-id-unique",
    "open + end = closed",
    "open + endLate = closed",
    "orphan + start = closed breaking tool-end-needs-start",
    "orphan + startLate = closed",
    "orphan + end = orphan breaking tool-ends-once",
    "orphan + endLate = orphan breaking tool-ends-once",
    "closed + start = open breaking tool-call-id-unique",
    "closed + startLate = closed breaking tool-call-id-unique",
    "closed + end = closed breaking tool-ends-once",
    "closed + endLate = closed breaking tool-ends-once",
    "abandoned + start = open breaking tool-call-id-unique",
    "abandoned + startLate = abandoned breaking tool-call-id-unique",
    "abandoned + end = closed",
    "abandoned + endLate = closed",
  ]);
});

test("the goal table, cell by cell", () => {
  expect(written(GOAL_STEPS)).toEqual([
    "unknown + set = set",
    "unknown + in_progress = in_progress breaking goal-status-order",
    "unknown + completed = completed breaking goal-status-order",
    "unknown + abandoned = abandoned breaking goal-status-order",
    "set + set = set",
    "set + in_progress = in_progress",
    "set + completed = completed",
    "set + abandoned = abandoned",
    "in_progress + set = set breaking goal-status-order",
    "in_progress + in_progress = in_progress",
    "in_progress + completed = completed",
    "in_progress + abandoned = abandoned",
    "completed + set = set",
    "completed + in_progress = in_progress breaking goal-status-order",
    "completed + completed = completed",
    "completed + abandoned = abandoned breaking goal-status-order",
    "abandoned + set = set",
    "abandoned + in_progress = in_progress breaking goal-status-order",
    "abandoned + completed = completed breaking goal-status-order",
    "abandoned + abandoned = abandoned",
  ]);
});

test("a broken cell names a rule that exists", () => {
  for (const table of [SESSION_STEPS, AOP_CALL_STEPS, GOAL_STEPS] as const) {
    for (const row of Object.values(table)) {
      for (const cell of Object.values(row) as StepCell<string>[]) {
        if (typeof cell !== "string") expect(AOP_RULES).toHaveProperty([cell.breaks]);
      }
    }
  }
});

describe("the tool call book follows its table", () => {
  const paths: Record<AopCallState, readonly CallSignal[]> = {
    unknown: [],
    open: ["start"],
    orphan: ["end"],
    closed: ["start", "end"],
    abandoned: ["start"],
  };
  const cases = (Object.keys(AOP_CALL_STEPS) as AopCallState[]).flatMap((state) =>
    (Object.keys(AOP_CALL_STEPS[state]) as CallSignal[]).map((signal) => [state, signal] as const),
  );
  test.each(cases)("%s, then %s", (state, signal) => {
    const book = openCallBook();
    const half = (at: number) => ({ id: "__proto__", tool: "t", at, agent: "a", sequence: at });
    for (const step of paths[state]) stepCall(book, step, half(1), undefined);
    const key = ":__proto__";
    const made = book.calls[key];
    if (state === "abandoned" && made !== undefined) {
      made.state = "abandoned";
      book.openCount = 0;
    }
    const told = stepCall(book, signal, half(2), undefined);
    const cell = AOP_CALL_STEPS[state][signal];
    expect(told?.map(({ finding }) => finding.rule) ?? []).toEqual(typeof cell === "string" ? [] : [cell.breaks]);
    const then = typeof cell === "string" ? cell : cell.then;
    expect(book.calls[key]?.state ?? "unknown").toBe(then);
    expect([book.openCount, book.orphanCount]).toEqual([then === "open" ? 1 : 0, then === "orphan" ? 1 : 0]);
  });
});

describe("the session follows its table", () => {
  const event = (type: string, sequence: number): JsonObject => ({
    spec: "aop/1.0",
    session_id: "s",
    agent_id: "a",
    sequence,
    timestamp: "2026-03-01T10:00:00.000Z",
    type,
    payload: { outcome: "completed" },
  });
  const feed = (state: AopSessionState, type: string, sequence: number, order: ArrivalOrder = "placed") =>
    stepAopSession(state, readAop(event(type, sequence), FACTS), sequence, order).findings.map(({ finding }) => finding.rule);

  test("started, spoken, ended", () => {
    const state = openAopSession();
    expect([feed(state, "session.started", 1), feed(state, "a.b", 2), feed(state, "session.ended", 3), state.phase]).toEqual([
      [],
      [],
      [],
      "ended",
    ]);
  });

  test("a late event below the start is told, one above it is not", () => {
    const state = openAopSession();
    feed(state, "session.started", 5);
    expect(feed(state, "a.b", 6, "late")).toEqual([]);
    expect(feed(state, "a.b", 4, "late")).toEqual(["aop/started-first"]);
  });

  test("a late start that is lowest is no second thought; one that is not is told", () => {
    const state = openAopSession();
    feed(state, "a.b", 2);
    expect(feed(state, "session.started", 1, "late")).toEqual([]);
    const other = openAopSession();
    feed(other, "a.b", 2);
    expect(feed(other, "session.started", 3, "late")).toEqual(["aop/started-first"]);
  });

  test("late events after the end are told by their number", () => {
    const state = openAopSession();
    feed(state, "session.started", 1);
    feed(state, "session.ended", 5);
    expect(feed(state, "a.b", 4, "late")).toEqual([]);
    expect(feed(state, "a.b", 7)).toEqual(["aop/nothing-after-ended"]);
    expect(feed(state, "a.b", 6, "late")).toEqual(["aop/nothing-after-ended"]);
  });

  test("a late end is followed by what was heard before", () => {
    const state = openAopSession();
    feed(state, "session.started", 1);
    feed(state, "a.b", 3);
    expect(feed(state, "session.ended", 2, "late")).toEqual(["aop/nothing-after-ended"]);
  });
});
