import type { CallView, StoryItem } from "@earshot/hub";
import type { Activity } from "@earshot/protocol/activities";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toStretches } from "./course.ts";
import { replayStateAt, storyAsOf } from "./replay.ts";
import { toTimelineRows } from "./rows.ts";
import { toSpending } from "./spending.ts";

const START = Date.UTC(2026, 10, 15, 14, 0);

type Said = { readonly kind: Activity["kind"] } & Readonly<Record<string, unknown>>;

function item(position: number, second: number, said: Said, more: Partial<StoryItem> = {}): StoryItem {
  const at = START + second * 1000;
  const activity = { protocol: "aep", type: "t", session: "s", agent: "a", at: new Date(at).toISOString(), ...said } as unknown as Activity;
  return { position, receivedAt: at, activity, flags: [], alerts: [], redactions: 0, ...more };
}

function call(position: number, second: number, lasts: number | undefined, more: Partial<CallView> = {}): StoryItem {
  const startedAt = START + second * 1000;
  const ended = lasts === undefined ? {} : { endedAt: startedAt + lasts * 1000, durationMs: lasts * 1000 };
  const view: CallView = {
    session: 1,
    position,
    tool: "Bash",
    state: lasts === undefined ? "running" : "succeeded",
    startedAt,
    measured: false,
    marks: [],
    ...ended,
    ...more,
  };
  return item(position, second, { kind: "tool.requested", tool: "Bash" }, { call: view });
}

const drawn = (items: readonly StoryItem[], nowSecond = 60) =>
  toStretches(items, START + nowSecond * 1000).map(({ state, from, to }) => `${state} ${(from - START) / 1000}-${(to - START) / 1000}`);

describe("what an agent was at over time", () => {
  it("is read from what happened, calls and questions counting more", () => {
    const items = [
      item(1, 0, { kind: "session.opened" }),
      item(2, 1, { kind: "prompt", text: "Go" }),
      call(3, 2, 4),
      item(4, 7, { kind: "request.asked", request: "confirmation", prompt: "?" }),
      item(5, 9, { kind: "request.answered", answer: "accept" }),
      item(6, 10, { kind: "turn.ended" }),
      item(7, 12, { kind: "session.closed", outcome: "completed" }),
    ];
    expect(drawn(items)).toEqual(["working 0-1", "thinking 1-2", "tool 2-6", "thinking 6-7", "waiting 7-9", "thinking 9-10", "idle 10-12"]);
  });

  it("is what the agent itself says, where it does", () => {
    const items = [
      item(1, 0, { kind: "session.opened" }),
      item(2, 1, { kind: "state", to: "thinking" }),
      item(3, 2, { kind: "output.chunk", text: "a", last: false }),
      item(4, 3, { kind: "state", to: "writing_output" }),
      item(5, 5, { kind: "state", to: "dreaming" }),
      item(6, 6, { kind: "session.closed", outcome: "completed" }),
    ];
    expect(drawn(items)).toEqual(["working 0-1", "thinking 1-3", "writing 3-5", "working 5-6"]);
  });

  it("goes on until now while a call has not ended", () => {
    expect(drawn([item(1, 0, { kind: "prompt", text: "Go" }), call(2, 5, undefined)], 30)).toEqual(["thinking 0-5", "tool 5-30"]);
  });

  it("takes the agent's word for how long a call took, when all of it was brought in later", () => {
    const late = call(2, 5, 0.001, { durationMs: 10_000 });
    expect(drawn([item(1, 0, { kind: "prompt", text: "Go" }), { ...late, receivedAt: START + 9e8 }])).toEqual([
      "thinking 0-5",
      "tool 5-15",
    ]);
  });

  it("covers all of the time once, in order, whatever happened", () => {
    const items = fc
      .array(fc.tuple(fc.nat(50), fc.nat(20), fc.boolean()), { maxLength: 30 })
      .map((many) =>
        many.map(([second, lasts, isCall], index) =>
          isCall ? call(index, second, lasts) : item(index, second, { kind: "thought", text: "" }),
        ),
      );
    fc.assert(
      fc.property(items, (some) => {
        const stretches = toStretches(some, START);
        stretches.forEach((one, index) => {
          const next = stretches[index + 1];
          expect(one.to).toBeGreaterThan(one.from);
          if (next !== undefined) expect([next.from, next.state === one.state]).toEqual([one.to, false]);
        });
      }),
    );
  });
});

describe("what was spent", () => {
  it("adds up what is told in parts, and takes a total for what it is", () => {
    const items = [
      item(1, 0, {
        kind: "response",
        text: "",
        tokens: { counts: "delta", input: 10, output: 5 },
        costUsd: { counts: "delta", value: 0.1 },
      }),
      call(2, 1, 2, { costUsd: 0.2, tokens: { total: 100 } }),
      item(3, 5, { kind: "session.closed", outcome: "completed", costUsd: { counts: "total", value: 0.5 } }),
    ];
    expect(toSpending(items).map(({ costUsd, tokens }) => [costUsd?.toFixed(2), tokens])).toEqual([
      ["0.10", 15],
      ["0.30", 115],
      ["0.50", 115],
    ]);
  });
});

describe("a moment of the past", () => {
  const items = [
    item(1, 0, { kind: "prompt", text: "Go" }),
    call(2, 1, 8, { result: "13 passed" }),
    item(3, 4, { kind: "thought", text: "Hm" }),
  ];

  it("knows nothing of what came later", () => {
    const rows = storyAsOf(toTimelineRows(items), 2);
    expect(rows.map(({ item: { call: one } }) => [one?.state, one?.result])).toEqual([
      [undefined, undefined],
      ["running", undefined],
      [undefined, undefined],
    ]);
    expect(storyAsOf(toTimelineRows(items), 0)).toHaveLength(1);
  });

  it("says how things stood", () => {
    expect(replayStateAt(items, toStretches(items, START + 60_000), START + 4000)).toMatchObject({
      state: "Using a tool",
      running: ["Bash"],
    });
  });
});
