import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TRACE_STATES } from "../trace.ts";
import { Buckets } from "./buckets.ts";

describe("buckets", () => {
  it("lose nothing when they are put together, and never are more than so many", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 0, max: 5 }), (count, most) => {
        const buckets = new Buckets();
        let since: { entry: number; line: number; ms: number } | undefined;
        for (let entry = 1; entry <= count; entry++) {
          const at = { entry, line: entry, ms: entry * 10 };
          buckets.open(at, since, "thinking");
          buckets.close(
            { state: "thinking", tools: entry === Math.ceil(count / 2) ? most : 0, subagents: 0, requests: 0 },
            { characters: 2 },
          );
          since = at;
        }
        const all = buckets.all();
        const sum = (of: (bucket: (typeof all)[number]) => number) => all.reduce((total, bucket) => total + of(bucket), 0);
        const thinking = TRACE_STATES.indexOf("thinking");
        expect(all.length).toBeLessThanOrEqual(512);
        expect(sum(({ events }) => events)).toBe(count);
        expect(sum(({ characters }) => characters)).toBe(2 * count);
        expect(sum(({ stateMs }) => stateMs[thinking] ?? 0)).toBe((count - 1) * 10);
        expect(sum(({ stateEvents }) => stateEvents[thinking] ?? 0)).toBe(count);
        expect(Math.max(...all.map(({ tools }) => tools))).toBe(most);
        expect(all.every(({ from }, index) => from.entry === (all[index - 1]?.to.entry ?? 0) + 1)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it("count a broken rule where its entry lies", () => {
    const buckets = new Buckets();
    for (let entry = 1; entry <= 2000; entry++) {
      buckets.open({ entry, line: entry }, undefined, "idle");
      buckets.close({ state: "idle", tools: 0, subagents: 0, requests: 0 }, {});
    }
    buckets.violated(777, "error");
    const hit = buckets.all().filter(({ violations }) => violations.error > 0);
    expect(hit).toHaveLength(1);
    expect(hit[0]?.from.entry).toBeLessThanOrEqual(777);
    expect(hit[0]?.to.entry).toBeGreaterThanOrEqual(777);
  });
});
