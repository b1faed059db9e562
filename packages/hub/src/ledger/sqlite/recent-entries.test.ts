import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionInfo } from "../ledger.ts";
import { RecentEntries, type RecentEntry } from "./recent-entries.ts";

const session: SessionInfo = { key: 1, id: "s", source: { protocol: "aop", name: "local", verified: false } } as never;

function entryAt(position: number, size = 10): RecentEntry {
  const text = `"${"x".repeat(size)}"`;
  const row = { position, session: 1, received_at: 0, kind: 0, verified: 0, type: "t", agent: "a", sequence: null, notes: null, text };
  return { row, session };
}

const positions = (recent: RecentEntries, after: number, limit = 10_000) =>
  recent.read({ after, limit })?.entries.map(({ position }) => position);

describe("the entries committed last", () => {
  it("are read from any place after which all of them are here, however many have passed", () => {
    const recent = new RecentEntries(0);
    for (let position = 1; position <= 10_000; position++) recent.add(entryAt(position));
    expect(positions(recent, 10_000)).toEqual([]);
    expect(positions(recent, 9_998)).toEqual([9_999, 10_000]);
    expect(positions(recent, 9_000, 3)).toEqual([9_001, 9_002, 9_003]);
    expect(positions(recent, 10_000 - 2048)?.length).toBe(2048);
    expect(positions(recent, 10_000 - 2049)).toBeUndefined();
  });

  it("are the same as if all had been kept, as far as they are here", () => {
    const step = fc.oneof(
      { weight: 20, arbitrary: fc.record({ add: fc.integer({ min: 1, max: 700 }), size: fc.constantFrom(1, 100, 3000) }) },
      { weight: 1, arbitrary: fc.constant("clear" as const) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), fc.nat({ max: 3000 }), (steps, back) => {
        const recent = new RecentEntries(0);
        let head = 0;
        let cleared = 0;
        for (const one of steps) {
          if (one === "clear") {
            recent.clear(head);
            cleared = head;
            continue;
          }
          for (let count = 0; count < one.add; count++) {
            head += 2; // positions have gaps
            recent.add(entryAt(head, one.size));
          }
        }
        const after = Math.max(0, head - back);
        const found: number[] = [];
        let isHere = false;
        for (let from = after; ; ) {
          const page = recent.read({ after: from, limit: 1000 });
          if (page === undefined) break;
          isHere = true;
          if (page.entries.length === 0) break;
          found.push(...page.entries.map(({ position }) => position));
          from = page.upTo;
        }
        expect(isHere || after < head).toBe(true);
        if (after < cleared) expect(isHere).toBe(false);
        if (isHere) expect(found).toEqual(Array.from({ length: head / 2 }, (_, index) => 2 * index + 2).filter((one) => one > after));
      }),
      { numRuns: 60 },
    );
  });

  it("are few where they are long", () => {
    const recent = new RecentEntries(0);
    for (let position = 1; position <= 10; position++) recent.add(entryAt(position, 1024 * 1024));
    expect(positions(recent, 6)).toBeUndefined();
    expect(recent.read({ after: 7, limit: 10 })?.entries.length).toBe(1); // a page is not longer than that
  });
});
