import type { JsonObject } from "@earshot/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aopRecordings, respell } from "../../../protocol/testing/aop.ts";
import { type Alert, openWatch, REMEMBERED_TOOL_CALLS, type SessionWatch, watchEvent } from "./aop-alerts.ts";
import { beginningOf } from "./json-beginning.ts";

const AT = Date.UTC(2026, 2, 1, 10);

/** Hears events, each some time after the one before, as a hub would that restarts after each of them. */
function watch(events: readonly (readonly [type: string, payload: object])[], everyMs = 100): readonly (Alert | undefined)[] {
  let text = JSON.stringify(openWatch());
  return events.map(([type, payload], index) => {
    const state = JSON.parse(text) as SessionWatch;
    const receivedAt = AT + index * everyMs;
    const value = { payload } as JsonObject;
    const alert = watchEvent(state, { position: index + 1, receivedAt, session: "s", agent: "a", type, sequence: index, value });
    text = JSON.stringify(state);
    expect(text.length).toBeLessThan(10_000);
    return alert;
  });
}

const types = (alerts: readonly (Alert | undefined)[]) => alerts.map((alert) => alert?.type ?? null);
const call = (tool: string, input?: unknown) => ["operation.tool_start", { tool_name: tool, input }] as const;
const thought = (confidence?: string) => ["cognition.thought", { content: "Hm.", confidence }] as const;
const ended = (success?: unknown) => ["operation.tool_end", { tool_name: "t", success }] as const;
const several = <Item>(count: number, item: Item): Item[] => new Array<Item>(count).fill(item);

describe("loop", () => {
  test("five calls of one tool within a minute, two of them repeated", () => {
    const alerts = watch([call("t", 1), call("t", 2), call("t", 3), call("t", 1), call("t", 2)]);
    expect(types(alerts)).toEqual([null, null, null, null, "loop"]);
    expect(alerts[4]).toEqual({
      session_id: "s",
      type: "loop",
      severity: "warning",
      message: 'Tool "t" was called 5 times within 60 seconds with similar inputs',
      created_at: "2026-03-01T10:00:00.400Z",
    });
  });

  test("inputs that differ enough are no loop", () => {
    expect(types(watch([call("t", 1), call("t", 2), call("t", 3), call("t", 4), call("t", 1)]))).toEqual(several(5, null));
  });

  test("calls of different tools are not taken together", () => {
    expect(types(watch([call("a"), call("b"), call("c"), call("a"), call("b"), call("c")]))).toEqual(several(6, null));
  });

  test("a call a whole minute ago does not count any more", () => {
    expect(types(watch(several(5, call("t")), 15_000))).toEqual(several(5, null));
    expect(types(watch(several(5, call("t")), 14_999)).at(-1)).toBe("loop");
  });

  test("after firing it needs five calls again", () => {
    expect(types(watch(several(10, call("t"))))).toEqual([...several(4, null), "loop", ...several(4, null), "loop"]);
  });

  test("the end of the session forgets the calls", () => {
    expect(types(watch([...several(4, call("t")), ["session.ended", {}], call("t")]))).toEqual(several(6, null));
  });

  test("inputs are compared by their first 200 characters", () => {
    const long = (tail: string) => call("t", { text: `${"x".repeat(250)}${tail}` });
    expect(types(watch([long("a"), long("b"), long("c"), long("d"), long("e")])).at(-1)).toBe("loop");
    const short = (tail: string) => call("t", { text: `${"x".repeat(100)}${tail}` });
    expect(types(watch([short("a"), short("b"), short("c"), short("d"), short("e")])).at(-1)).toBeNull();
  });

  test("a call that names no tool is no call of any tool", () => {
    expect(types(watch(several(6, ["operation.tool_start", {}] as const)))).toEqual(several(6, null));
  });

  test("remembers no more than it says", () => {
    const state = openWatch();
    for (let index = 0; index < 1000; index++) {
      const value = { payload: { tool: `t${index % 400}`, input: index } };
      watchEvent(state, {
        position: index,
        receivedAt: AT,
        session: "s",
        agent: "a",
        type: "operation.tool_start",
        sequence: index,
        value,
      });
    }
    expect(state.calls).toHaveLength(REMEMBERED_TOOL_CALLS);
  });
});

describe("confidence_drop", () => {
  test("three low thoughts in a row; any other thought begins anew", () => {
    expect(types(watch([thought("low"), thought("low"), thought("low")]))).toEqual([null, null, "confidence_drop"]);
    expect(types(watch([thought("low"), thought("low"), thought(), thought("low")]))).toEqual(several(4, null));
    expect(types(watch(several(6, thought("low"))))).toEqual([null, null, "confidence_drop", null, null, "confidence_drop"]);
  });

  test("uncertainty neither counts nor begins anew", () => {
    const uncertain = ["cognition.uncertainty", { content: "?", confidence: "low" }] as const;
    expect(types(watch([thought("low"), uncertain, thought("low"), uncertain, thought("low")])).at(-1)).toBe("confidence_drop");
  });
});

describe("error_cascade", () => {
  test("three failures in a row; a success begins anew", () => {
    const alerts = watch([ended(false), ended(false), ended(false)]);
    expect(types(alerts)).toEqual([null, null, "error_cascade"]);
    expect(alerts[2]?.severity).toBe("critical");
    expect(types(watch([ended(false), ended(false), ended(true), ended(false)]))).toEqual(several(4, null));
  });

  test("an end that does not say how it went is no failure", () => {
    expect(types(watch(several(5, ended())))).toEqual(several(5, null));
    expect(types(watch([ended(false), ended(), ended(false), ended(null), ended(false)])).at(-1)).toBe("error_cascade");
  });
});

test("alerts are the same for the documented names, the other names and both", () => {
  fc.assert(
    fc.property(aopRecordings, (recording) => {
      const hear = (said: typeof recording) => watch(said.map((item) => [String(item["type"]), item["payload"] as object] as const));
      const expected = hear(recording);
      expect(hear(respell(recording, "wild"))).toEqual(expected);
      expect(hear(respell(recording, "both"))).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

test("the beginning of a value's JSON is that of JSON.stringify", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 60 }), (value, length) => {
      expect(beginningOf(JSON.parse(JSON.stringify(value)), length)).toBe(
        JSON.stringify(JSON.parse(JSON.stringify(value))).slice(0, length),
      );
    }),
  );
});
