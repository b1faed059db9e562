import type { Activity, ActivityBase } from "@earshot/protocol/activities";
import { describe, expect, it } from "vitest";
import { activity } from "../../../../terminal/src/testing/samples.ts";
import { RequestFold } from "../../visualize/fold/request-fold.ts";
import { compareRuns } from "../compare-runs.ts";
import type { Run, Step } from "../step.ts";
import { headOf, wordsOfStep } from "../tell-step.ts";
import { isAlike, tellVerdict } from "../tell-verdict.ts";
import { NOTHING_UNWANTED } from "../testing/read-run.ts";
import { MAX_STEPS, RunFold } from "./run-fold.ts";

function fold(...activities: readonly Activity[]): Run {
  const run = new RunFold();
  for (const one of activities) run.hear([one]);
  return run.finish("run", 0, NOTHING_UNWANTED);
}

function told(...activities: readonly Activity[]): readonly string[] {
  return fold(...activities).lanes.flatMap(({ steps }) => steps.map(lineOf));
}

function lineOf(step: Step): string {
  return [headOf(step), wordsOfStep(step)].filter((text) => text !== "").join(": ");
}

const chunk = (text: string, others: object = {}) => activity("output.chunk", { text, last: false, ...others });

describe("A run is folded into steps", () => {
  it("a call is one step from request to outcome, where it was asked for", () => {
    expect(
      told(
        activity("tool.requested", { callId: "c1", tool: "bash", subject: "npm test" }),
        activity("tool.requested", { callId: "c2", tool: "read", subject: "a.ts" }),
        activity("tool.started", { callId: "c1", tool: "bash" }),
        activity("tool.ended", { callId: "c2", tool: "read", outcome: "succeeded" }),
        activity("tool.ended", { callId: "c1", tool: "bash", outcome: "failed" }),
      ),
    ).toEqual(["Call bash, failed: npm test", "Call read, succeeded: a.ts"]);
  });

  it("calls without an id end in the order in which they began, each with its tool", () => {
    expect(
      told(
        activity("tool.started", { tool: "bash", subject: "one" }),
        activity("tool.started", { tool: "bash", subject: "two" }),
        activity("tool.started", { tool: "read", subject: "three" }),
        activity("tool.ended", { tool: "bash", outcome: "failed" }),
        activity("tool.ended", { tool: "read", outcome: "succeeded" }),
      ),
    ).toEqual(["Call bash, failed: one", "Call bash, no outcome told: two", "Call read, succeeded: three"]);
  });

  it("a decision goes to its call, also when it names the event and no session", () => {
    const run = fold(
      activity("tool.requested", { tool: "bash" }, { eventId: "e1" }),
      activity("tool.decided", { verdict: "denied", requestEventId: "e1" }, { session: "" }),
    );
    expect(run.lanes[0]?.steps[0]?.facets).toContainEqual({ name: "decision", text: "denied", same: "denied" });
  });

  it("an output in pieces is one step, in its own order, and the whole text after it is the same again", () => {
    expect(
      told(
        chunk("b", { outputId: "o", position: 1 }),
        chunk("a", { outputId: "o", position: 0 }),
        chunk("c", { outputId: "o", position: 2, last: true }),
      ),
    ).toEqual(["Output: abc"]);
    expect(told(chunk("All "), chunk("done."), activity("response", { text: "All done." }))).toEqual(["Output: All done."]);
    expect(told(activity("response", { text: "One." }), activity("response", { text: "Two." }))).toEqual(["Output: One.", "Output: Two."]);
  });

  it("a question has its first answer, from any side", () => {
    const asked = activity("request.asked", { request: "confirmation", token: "t1", prompt: "Push it?" });
    const answered = (answer: string, base: Partial<ActivityBase> = {}) => activity("request.answered", { token: "t1", answer }, base);
    const answerOf = (run: Run) => run.lanes[0]?.steps[0]?.facets.find(({ name }) => name === "answer")?.text;
    expect(answerOf(fold(asked, answered("accept", { session: "" }), answered("reject")))).toBe("accept");
    expect(answerOf(fold(asked, activity("request.answered", { answer: "yes" })))).toBe("yes");
    expect(answerOf(fold(asked))).toBe("no answer");
  });

  it("an answer without a token goes to the question that has been open for longest, as in a drawing", async () => {
    const activities = [
      ...["t1", "t2", "t3"].map((token) => activity("request.asked", { request: "confirmation", token, prompt: "Push it?" })),
      activity("request.answered", { token: "t1", answer: "reject" }),
      activity("request.answered", { answer: "accept" }),
    ];
    const answers = fold(...activities).lanes[0]?.steps.map(({ facets }) => facets.find(({ name }) => name === "answer")?.text);
    expect(answers).toEqual(["reject", "accept", "no answer"]);
    const drawn = new RequestFold();
    for (const [line, one] of activities.entries()) drawn.hear(one, { entry: line, line, ms: line });
    expect(drawn.spans.lane({ entry: 9, line: 9, ms: 9 }).spans?.map(({ answer }) => answer)).toEqual(["reject", "accept", undefined]);
  });

  it("heartbeats, progress and turns are no steps", () => {
    expect(
      told(activity("heartbeat", {}), activity("progress", { percent: 40 }), activity("turn.started", {}), activity("turn.ended", {})),
    ).toEqual([]);
  });

  it("sessions are lanes, each behind the one that started it, wherever it stands in the recording", () => {
    const run = fold(
      activity("session.opened", {}, { session: "child", parent: { session: "root" } }),
      activity("session.opened", {}, { session: "root" }),
      activity("thought", { text: "Hm." }, { session: "root" }),
      activity("subagent.started", { child: "second", childAgent: "scout" }, { session: "root" }),
      activity("session.opened", {}, { session: "second" }),
    );
    expect(run.lanes.map(({ session, parent }) => [session, parent])).toEqual([
      ["root", undefined],
      ["child", { lane: 0, step: 3 }],
      ["second", { lane: 0, step: 2 }],
    ]);
  });

  it("sessions that call each other parents are still told", () => {
    const run = fold(
      activity("session.opened", {}, { session: "a", parent: { session: "b" } }),
      activity("session.opened", {}, { session: "b", parent: { session: "a" } }),
    );
    expect(run.lanes).toHaveLength(2);
  });

  it("steps beyond the bound are counted, and such a run is never called alike", () => {
    const run = new RunFold();
    for (let index = 0; index < MAX_STEPS + 3; index++) run.hear([activity("state", { to: "thinking" })]);
    const long = run.finish("long", 0, NOTHING_UNWANTED);
    expect([long.lanes[0]?.steps.length, long.dropped]).toEqual([MAX_STEPS, 3]);
    const comparison = compareRuns(long, long);
    expect(comparison.parting).toBeUndefined();
    expect(isAlike(comparison)).toBe(false);
    expect(tellVerdict(comparison)).toBe("They are too long to be compared to the end; so far they do the same in 200,000 steps.");
  });

  it("a long text is kept in part and compared whole", () => {
    const long = "It is so. ".repeat(500);
    const textOf = (ending: string) => fold(activity("response", { text: `${long}${ending}` })).lanes[0]?.steps[0]?.facets[0];
    const [one, other] = [textOf("Yes."), textOf("No.")];
    expect(one?.text.length).toBe(1200);
    expect(one?.text).toBe(other?.text);
    expect(one?.same).not.toBe(other?.same);
  });

  it("amounts add up: totals that a session reports count more than its parts", () => {
    const spend = (counts: "total" | "delta", value: number) => ({
      tokens: { counts, total: value },
      costUsd: { counts, value: value / 1000 },
    });
    const run = fold(
      activity("thought", { text: "1" }, { ...spend("delta", 10), at: "2026-01-01T00:00:00Z" }),
      activity("thought", { text: "2" }, { ...spend("delta", 20), at: "2026-01-01T00:00:05Z" }),
      activity("thought", { text: "3" }, { session: "s2", ...spend("delta", 5) }),
      activity("session.closed", { outcome: "completed" }, { session: "s2", ...spend("total", 100) }),
    );
    expect(run.sums).toMatchObject({ durationMs: 5000, tokens: { total: 130 }, costUsd: 0.13 });
  });

  it("calls that failed and calls that timed out count as failed", () => {
    const ended = (callId: string, outcome: "succeeded" | "failed" | "timeout" | "denied") =>
      activity("tool.ended", { callId, tool: "bash", outcome });
    const run = fold(ended("c1", "failed"), ended("c2", "timeout"), ended("c3", "succeeded"), ended("c4", "denied"));
    expect(run.sums).toMatchObject({ calls: 4, failedCalls: 2 });
  });
});
