import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import { createJudge } from "../judge.ts";
import { AOP } from "./aop.ts";
import { MAX_OPEN_CALLS, MAX_USED_CALLS } from "./tool-calls.ts";

/** Feeds a judge directly, without JSON text: these sessions are long. */
function longSession() {
  const told: string[] = [];
  const judge = createJudge(AOP, {
    tell: ({ finding, at }) => {
      if (AOP.rules[finding.rule]?.severity !== "info") told.push(`${finding.rule} ${at}`);
    },
  });
  let at = 0;
  const say = (sequence: number, type: string, payload: object = {}) => {
    at++;
    const timestamp = new Date(Date.UTC(2026, 2, 1, 10) + sequence * 100).toISOString();
    const item = { spec: "aop/1.0", session_id: "s1", agent_id: "a", sequence, timestamp, type, payload } as JsonObject;
    const facts = { depth: 2, bodyHash: at, unsafeInteger: undefined, firstNull: undefined, sizeBytes: 1 };
    judge.handle(AOP.read(item, facts), at, facts);
  };
  return {
    judge,
    told,
    say,
    start: (sequence: number, id: string) => say(sequence, "operation.tool_start", { tool_name: "t", tool_call_id: id }),
    end: (sequence: number, id: string) => say(sequence, "operation.tool_end", { tool_name: "t", tool_call_id: id, success: true }),
    close: (sequence: number) => {
      say(sequence, "session.ended", { outcome: "completed" });
      judge.end();
    },
  };
}

describe("a long session", () => {
  test("still tells the end without a start that was heard before anything was forgotten", () => {
    const { judge, told, say, start, end, close } = longSession();
    say(1, "session.started");
    end(2, "never-started");
    let sequence = 3;
    for (let call = 0; call < MAX_USED_CALLS + 2000; call++) {
      start(sequence++, `c${call}`);
      end(sequence++, `c${call}`);
    }
    // Its start was forgotten long ago, so its absence is unproven.
    end(sequence++, "c0");
    close(sequence);
    expect(told).toEqual(["aop/tool-end-needs-start 2"]);
    expect(judge.forgotten).toBeGreaterThan(0);
  });

  test("counts as forgotten what it does not remember, and only that", () => {
    const { judge, say, start, end } = longSession();
    say(1, "session.started");
    let sequence = 2;
    for (let call = 0; call < MAX_USED_CALLS / 2; call++) {
      start(sequence++, `c${call}`);
      end(sequence++, `c${call}`);
    }
    expect(judge.forgotten).toBe(0);
    for (let call = 0; call < MAX_USED_CALLS; call++) {
      start(sequence++, `d${call}`);
      end(sequence++, `d${call}`);
    }
    expect(judge.forgotten).toBeGreaterThan(0);
  });

  test("counts open calls that it gives up", () => {
    const { judge, told, say, start, close } = longSession();
    say(1, "session.started");
    for (let call = 0; call < MAX_OPEN_CALLS; call++) start(2 + call, `c${call}`);
    expect(judge.forgotten).toBe(0);
    start(2 + MAX_OPEN_CALLS, "one more");
    expect(judge.forgotten).toBeGreaterThan(0);
    close(3 + MAX_OPEN_CALLS);
    expect(told).toHaveLength(MAX_OPEN_CALLS + 1 - judge.forgotten);
  });

  test("counts goals that it gives up", () => {
    const { judge, say } = longSession();
    say(1, "session.started");
    for (let goal = 0; goal < 256; goal++) say(2 + goal, "cognition.goal", { goal: `g${goal}`, status: "set" });
    expect(judge.forgotten).toBe(0);
    say(258, "cognition.goal", { goal: "one more", status: "set" });
    expect(judge.forgotten).toBeGreaterThan(0);
  });

  test.each([1026, 1500, 3000, 9000])("%i ends that arrive before their starts give no error and no warning", (count) => {
    const { judge, told, say, start, end, close } = longSession();
    say(1, "session.started");
    for (let call = 0; call < count; call++) end(2 + count + call, `c${call}`);
    for (let call = 0; call < count; call++) start(2 + call, `c${call}`);
    close(2 + 2 * count);
    expect(told).toEqual([]);
    expect(judge.forgotten).toBeGreaterThan(0);
  });

  test("forgets the oldest of the ends that wait, and tells the younger ones", () => {
    const { judge, told, say, end, close } = longSession();
    say(1, "session.started");
    const count = MAX_OPEN_CALLS + 1;
    for (let call = 0; call < count; call++) end(2 + call, `c${call}`);
    close(2 + count);
    expect(told).toHaveLength(count - judge.forgotten);
    expect(told[0]).toBe(`aop/tool-end-needs-start ${2 + judge.forgotten}`);
  });

  test("gives up the oldest waiting end also when it was carried over from an older generation", () => {
    const { told, say, start, end, close } = longSession();
    say(1, "session.started");
    let sequence = 2;
    end(sequence++, "oldest");
    for (let call = 0; call < MAX_USED_CALLS; call++) {
      start(sequence++, `c${call}`);
      end(sequence++, `c${call}`);
    }
    for (let call = 0; call < MAX_OPEN_CALLS; call++) end(sequence++, `d${call}`);
    close(sequence);
    expect(told).toEqual([]);
  });
});
