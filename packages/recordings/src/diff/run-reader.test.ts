import { describe, expect, it } from "vitest";
import { readRunFromLines } from "./testing/read-run.ts";
import { aepRun, scriptedCall, scriptedWords } from "./testing/script.ts";

const LINES = aepRun([scriptedCall("Bash", { command: "npm test" }), scriptedWords("Done.")]);
const stepsOf = (lines: readonly string[]) => readRunFromLines(lines).lanes.flatMap(({ steps }) => steps.map(({ name }) => name));

describe("A recording that is read", () => {
  it("has an event that is delivered again once, and another event under the same id as one more", () => {
    const once = stepsOf(LINES);
    expect(stepsOf([...LINES, ...LINES])).toEqual(once);
    const other = LINES.filter((line) => line.includes("Done.")).map((line) => line.replace("Done.", "Well, not quite."));
    expect(stepsOf([...LINES, ...other])).toEqual([...once, "Output"]);
  });

  it("may come as the frames of a collector's stream", () => {
    const event = {
      spec: "aop/1.0",
      session_id: "s",
      agent_id: "a",
      sequence: 1,
      timestamp: "2026-01-01T00:00:00Z",
      type: "session.started",
      payload: { goal: "Paper" },
    };
    const frames = [{ type: "connected" }, { kind: "event", data: event }, { kind: "event", data: event }];
    expect(stepsOf([JSON.stringify(event)])).toEqual(["Started", "Goal"]);
    expect(stepsOf(frames.map((frame) => JSON.stringify(frame)))).toEqual(["Started", "Goal"]);
  });

  it("counts what is no event", () => {
    expect(readRunFromLines(["{", "[]", "null", '{"a":1}', ...LINES]).unread).toBe(4);
  });
});
