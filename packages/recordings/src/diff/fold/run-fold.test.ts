import type { Activity, ActivityBase } from "@earshot/protocol/activities";
import { describe, expect, it } from "vitest";
import { sampleActivityOf } from "../../../../terminal/src/testing/samples.ts";
import { RequestFold } from "../../visualize/fold/request-fold.ts";
import { compareRuns } from "../compare-runs.ts";
import { stepHeading, wordsOfStep } from "../describe-step.ts";
import { describeVerdict, isAlike } from "../describe-verdict.ts";
import type { RecordedRun, RunStep } from "../step.ts";
import { NOTHING_EXCLUDED } from "../testing/read-run.ts";
import { MAX_STEPS, RunFold } from "./run-fold.ts";

function fold(...activities: readonly Activity[]): RecordedRun {
  const run = new RunFold();
  for (const one of activities) run.handle([one]);
  return run.finish("run", 0, NOTHING_EXCLUDED);
}

function told(...activities: readonly Activity[]): readonly string[] {
  return fold(...activities).lanes.flatMap(({ steps }) => steps.map(lineOf));
}

function lineOf(step: RunStep): string {
  return [stepHeading(step), wordsOfStep(step)].filter((text) => text !== "").join(": ");
}

const chunk = (text: string, others: object = {}) => sampleActivityOf("output.chunk", { text, last: false, ...others });

describe("A run is folded into steps", () => {
  it("a call is one step from request to outcome, where it was asked for", () => {
    expect(
      told(
        sampleActivityOf("tool.requested", { callId: "c1", tool: "bash", subject: "npm test" }),
        sampleActivityOf("tool.requested", { callId: "c2", tool: "read", subject: "a.ts" }),
        sampleActivityOf("tool.started", { callId: "c1", tool: "bash" }),
        sampleActivityOf("tool.ended", { callId: "c2", tool: "read", outcome: "succeeded" }),
        sampleActivityOf("tool.ended", { callId: "c1", tool: "bash", outcome: "failed" }),
      ),
    ).toEqual(["Call bash, failed: npm test", "Call read, succeeded: a.ts"]);
  });

  it("calls without an id end in the order in which they began, each with its tool", () => {
    expect(
      told(
        sampleActivityOf("tool.started", { tool: "bash", subject: "one" }),
        sampleActivityOf("tool.started", { tool: "bash", subject: "two" }),
        sampleActivityOf("tool.started", { tool: "read", subject: "three" }),
        sampleActivityOf("tool.ended", { tool: "bash", outcome: "failed" }),
        sampleActivityOf("tool.ended", { tool: "read", outcome: "succeeded" }),
      ),
    ).toEqual(["Call bash, failed: one", "Call bash, no outcome told: two", "Call read, succeeded: three"]);
  });

  it("a decision goes to its call, also when it names the event and no session", () => {
    const run = fold(
      sampleActivityOf("tool.requested", { tool: "bash" }, { eventId: "e1" }),
      sampleActivityOf("tool.decided", { verdict: "denied", requestEventId: "e1" }, { session: "" }),
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
    expect(told(chunk("All "), chunk("done."), sampleActivityOf("response", { text: "All done." }))).toEqual(["Output: All done."]);
    expect(told(sampleActivityOf("response", { text: "One." }), sampleActivityOf("response", { text: "Two." }))).toEqual([
      "Output: One.",
      "Output: Two.",
    ]);
  });

  it("a question has its first answer, from any side", () => {
    const asked = sampleActivityOf("request.asked", { request: "confirmation", token: "t1", prompt: "Push it?" });
    const answered = (answer: string, base: Partial<ActivityBase> = {}) =>
      sampleActivityOf("request.answered", { token: "t1", answer }, base);
    const answerOf = (run: RecordedRun) => run.lanes[0]?.steps[0]?.facets.find(({ name }) => name === "answer")?.text;
    expect(answerOf(fold(asked, answered("accept", { session: "" }), answered("reject")))).toBe("accept");
    expect(answerOf(fold(asked, sampleActivityOf("request.answered", { answer: "yes" })))).toBe("yes");
    expect(answerOf(fold(asked))).toBe("no answer");
  });

  it("an answer without a token goes to the question that has been open for longest, as in a drawing", async () => {
    const activities = [
      ...["t1", "t2", "t3"].map((token) => sampleActivityOf("request.asked", { request: "confirmation", token, prompt: "Push it?" })),
      sampleActivityOf("request.answered", { token: "t1", answer: "reject" }),
      sampleActivityOf("request.answered", { answer: "accept" }),
    ];
    const answers = fold(...activities).lanes[0]?.steps.map(({ facets }) => facets.find(({ name }) => name === "answer")?.text);
    expect(answers).toEqual(["reject", "accept", "no answer"]);
    const drawn = new RequestFold();
    for (const [line, one] of activities.entries()) drawn.handle(one, { entry: line, line, ms: line });
    expect(drawn.spans.lane({ entry: 9, line: 9, ms: 9 }).spans?.map(({ answer }) => answer)).toEqual(["reject", "accept", undefined]);
  });

  it("heartbeats, progress and turns are no steps", () => {
    expect(
      told(
        sampleActivityOf("heartbeat", {}),
        sampleActivityOf("progress", { percent: 40 }),
        sampleActivityOf("turn.started", {}),
        sampleActivityOf("turn.ended", {}),
      ),
    ).toEqual([]);
  });

  it("sessions are lanes, each behind the one that started it, wherever it stands in the recording", () => {
    const run = fold(
      sampleActivityOf("session.opened", {}, { session: "child", parent: { session: "root" } }),
      sampleActivityOf("session.opened", {}, { session: "root" }),
      sampleActivityOf("thought", { text: "Hm." }, { session: "root" }),
      sampleActivityOf("subagent.started", { child: "second", childAgent: "scout" }, { session: "root" }),
      sampleActivityOf("session.opened", {}, { session: "second" }),
    );
    expect(run.lanes.map(({ session, parent }) => [session, parent])).toEqual([
      ["root", undefined],
      ["child", { lane: 0, step: 3 }],
      ["second", { lane: 0, step: 2 }],
    ]);
  });

  it("sessions that call each other parents are still told", () => {
    const run = fold(
      sampleActivityOf("session.opened", {}, { session: "a", parent: { session: "b" } }),
      sampleActivityOf("session.opened", {}, { session: "b", parent: { session: "a" } }),
    );
    expect(run.lanes).toHaveLength(2);
  });

  it("steps beyond the bound are counted, and such a run is never called alike", () => {
    const run = new RunFold();
    for (let index = 0; index < MAX_STEPS + 3; index++) run.handle([sampleActivityOf("state", { to: "thinking" })]);
    const long = run.finish("long", 0, NOTHING_EXCLUDED);
    expect([long.lanes[0]?.steps.length, long.dropped]).toEqual([MAX_STEPS, 3]);
    const comparison = compareRuns(long, long);
    expect(comparison.parting).toBeUndefined();
    expect(isAlike(comparison)).toBe(false);
    expect(describeVerdict(comparison)).toBe("They are too long to be compared to the end; so far they do the same in 200,000 steps.");
  });

  it("a long text is kept in part and compared whole", () => {
    const long = "It is so. ".repeat(500);
    const textOf = (ending: string) => fold(sampleActivityOf("response", { text: `${long}${ending}` })).lanes[0]?.steps[0]?.facets[0];
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
      sampleActivityOf("thought", { text: "1" }, { ...spend("delta", 10), at: "2026-01-01T00:00:00Z" }),
      sampleActivityOf("thought", { text: "2" }, { ...spend("delta", 20), at: "2026-01-01T00:00:05Z" }),
      sampleActivityOf("thought", { text: "3" }, { session: "s2", ...spend("delta", 5) }),
      sampleActivityOf("session.closed", { outcome: "completed" }, { session: "s2", ...spend("total", 100) }),
    );
    expect(run.sums).toMatchObject({ durationMs: 5000, tokens: { total: 130 }, costUsd: 0.13 });
  });

  it("calls that failed and calls that timed out count as failed", () => {
    const ended = (callId: string, outcome: "succeeded" | "failed" | "timeout" | "denied") =>
      sampleActivityOf("tool.ended", { callId, tool: "bash", outcome });
    const run = fold(ended("c1", "failed"), ended("c2", "timeout"), ended("c3", "succeeded"), ended("c4", "denied"));
    expect(run.sums).toMatchObject({ calls: 4, failedCalls: 2 });
  });
});
