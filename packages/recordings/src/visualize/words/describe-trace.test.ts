import { describe, expect, it } from "vitest";
import { aopTraceEvents, gardenDay, traceOf } from "../testing/recording.ts";
import { describeTrace, violationInWords } from "./describe-trace.ts";

describe("the story", () => {
  it("tells who, how long, states, tools, requests and output, in short sentences", async () => {
    const story = describeTrace(await traceOf(gardenDay()));
    expect(story.title).toBe("Trace of garden.jsonl");
    expect(story.overview).toEqual([
      "15 events and 1 other message, in AAEP. One agent is drawn.",
      "1 tool call failed.",
      "No rule is broken.",
    ]);
    expect(story.sections[0]?.heading).toBe("Agent gardener, session sess_0001, AAEP");
    expect(story.sections[0]?.sentences).toEqual([
      "It is for: “Watering the beds.”",
      "15 events and 1 other message in 22 seconds, from 2026-08-03 07:00:00 UTC.",
      "It ended: completed.",
      "States: idle for 1 second, then calling tool for 6 seconds, then waiting for you for 6 seconds, then calling tool for 6 seconds, then writing output for 3 seconds.",
      "3 tool calls, up to 2 at once, 1 failed.",
      "Tool look succeeded after 3 seconds.",
      "Tool measure failed after 3 seconds.",
      "Tool saw succeeded after 4 seconds.",
      "1 request.",
      "Confirmation “Cut down the old tree.”: answered accept after 4 seconds.",
      "1 output of 30 characters, in 2 pieces.",
      "It breaks no rule.",
    ]);
  });

  it("says what broke which rule where", async () => {
    const say = aopTraceEvents("s1", "planner");
    const trace = await traceOf([
      say(0, "session.started", {}),
      say(1, "session.ended", {}),
      say(2, "cognition.thought", { content: "x" }),
    ]);
    const told = trace.violations.map(violationInWords);
    expect(told.some((line) => /^Warning \d at line 3, cognition\.thought: breaks aop\/nothing-after-ended\./.test(line))).toBe(true);
    expect(told.every((line) => line.endsWith("."))).toBe(true);
  });

  it("gives shares instead of a list where there are many", async () => {
    const say = aopTraceEvents("s1", "planner");
    const calls = Array.from({ length: 50 }, (_none, index) => [
      say(index * 4 + 1, "operation.tool_start", { tool_name: index % 5 === 0 ? "dig" : "water", tool_call_id: `c${index}`, input: {} }),
      say(index * 4 + 4, "operation.tool_end", { tool_name: index % 5 === 0 ? "dig" : "water", tool_call_id: `c${index}`, success: true }),
    ]).flat();
    const story = describeTrace(await traceOf([say(0, "session.started", {}), ...calls]));
    const sentences = story.sections[0]?.sentences ?? [];
    expect(sentences).toContain("50 tool calls, one at a time.");
    expect(sentences).toContain("Most used: water 40 times and dig 10 times.");
    expect(sentences.find((line) => line.startsWith("101 states"))).toMatch(/calling tool 75 percent of the time, thinking 25 percent/);
    expect(sentences).toContain("Nothing says how it ended.");
  });

  it("says what is left out", async () => {
    const many = Array.from({ length: 42 }, (_none, index) => aopTraceEvents(`s${index}`, "one")(index, "session.started", {}));
    expect(describeTrace(await traceOf(many)).rest[0]).toBe("2 more agents with 2 events are not drawn; --session ID draws one of them.");
  });
});
