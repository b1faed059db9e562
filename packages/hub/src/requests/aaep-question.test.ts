import { describe, expect, it } from "vitest";
import { readAaepQuestion } from "./aaep-question.ts";
import { aaepEvent, BENCH_START_MS, confirmationRequested, submissionOf } from "./testing/engine-bench.ts";

const read = (event: Parameters<typeof submissionOf>[0], now = BENCH_START_MS) => readAaepQuestion(submissionOf(event, now));

describe("what an AAEP event asks", () => {
  it.each([
    ["irreversible, high", { irreversible: true, risk_level: "high" }, true, "high"],
    ["irreversible by its other name", { irreversible: undefined, reversibility: "irreversible", risk_level: "low" }, true, "low"],
    ["irreversible, and nothing said of risk", { irreversible: true, risk_level: undefined }, true, "high"],
    ["reversible, and nothing said of risk", { irreversible: false, risk_level: undefined }, false, "low"],
  ])("is, when it is %s, taken for that or worse", (_name, more, irreversible, risk) => {
    expect(read(confirmationRequested(more))?.asked).toMatchObject({ irreversible, risk });
  });

  it.each([
    ["on time", 0, 300_000],
    ["late", 60_000, 240_000],
    ["from a clock that is ahead", -60_000, 300_000],
  ])("has, when it comes %s, the time that the producer still gives it", (_name, lateMs, timeMs) => {
    expect(read(confirmationRequested(), BENCH_START_MS + lateMs)?.timeMs).toBe(timeMs);
  });

  it("is nothing when it is over, says nothing, or is said in another protocol", () => {
    expect(read(confirmationRequested(), BENCH_START_MS + 300_000)).toBeUndefined();
    expect(read(aaepEvent("state.changed", { from_state: "idle", to_state: "thinking" }))).toBeUndefined();
    expect(
      read({
        spec: "aop/1.0",
        session_id: "s",
        agent_id: "a",
        sequence: 1,
        timestamp: new Date(BENCH_START_MS).toISOString(),
        type: "session.started",
        payload: { goal: "x" },
      }),
    ).toBeUndefined();
  });

  it("can be answered with what it allows", () => {
    expect(read(confirmationRequested())?.terms.answers).toEqual(["accept", "reject"]);
    expect(read(confirmationRequested({ allowed_replies: ["reject"] }))?.terms.answers).toEqual(["reject"]);
    expect(read(confirmationRequested({ allowed_replies: ["later"] }))?.terms.answers).toEqual(["reject"]);
  });

  it("is the same question with another token and another call", () => {
    const [one, two] = ["a", "b"].map((name) =>
      read(confirmationRequested({ reply_token: `rpl_${name}`, extra_context: { tool: "drop", tool_call_id: name } })),
    );
    expect(one?.asked).toEqual(two?.asked);
    expect(one?.terms.action).toBe("a");
    expect(one?.identity).not.toBe(two?.identity);
  });

  it("masks secrets, and shows no name at any length", () => {
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ456789";
    const asked = read(confirmationRequested({ action: `Use ${secret}.`, extra_context: { tool: "x".repeat(5000) } }))?.asked;
    expect(JSON.stringify(asked?.said)).not.toContain(secret);
    expect(asked?.title).toHaveLength(200);
  });
});
