import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HashTable, hashText } from "./hash-table.ts";
import { SessionTable } from "./session-table.ts";

describe("the table of hashes", () => {
  it("remembers exactly the last keys up to its capacity, like a map that forgets the oldest", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -20, max: 20 })), { maxLength: 300 }),
        (capacity, keys) => {
          const table = new HashTable(capacity);
          const model = new Map<string, number>();
          let forgotten = 0;
          keys.forEach(([high, low], value) => {
            // (0, 0) and (0, 1) share a slot by design: an empty slot is all zeros.
            const key = high === 0 && low === 0 ? "0,1" : `${high},${low}`;
            expect(table.add(high, low, value)).toBe(model.get(key));
            if (model.has(key)) return;
            if (model.size === capacity) {
              model.delete(model.keys().next().value ?? "");
              forgotten++;
            }
            model.set(key, value);
          });
          expect(table.size).toBe(model.size);
          expect(table.forgotten).toBe(forgotten);
          for (const [key, value] of model) {
            const [high, low] = key.split(",").map(Number);
            expect(table.get(high ?? 0, low ?? 0)).toBe(value);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("grows past its first size and stays exact", () => {
    const table = new HashTable(50_000);
    const key = (index: number) => [hashText(`evt_${index}`, 1), hashText(`evt_${index}`, 2)] as const;
    for (let index = 0; index < 60_000; index++) expect(table.add(...key(index), index)).toBeUndefined();
    expect(table.forgotten).toBe(10_000);
    for (let index = 0; index < 60_000; index++) expect(table.get(...key(index))).toBe(index < 10_000 ? undefined : index);
  });
});

describe("the table of sessions", () => {
  it("keeps at least half of its bound open, the ones heard from last, and tombs for the rest", () => {
    const table = new SessionTable<{ readonly id: number }>({ sessions: 10, tombs: 100 });
    const first = { id: 0 };
    table.open("s0", first);
    for (let id = 1; id <= 30; id++) {
      table.open(`s${id}`, { id });
      table.touch("s0", first);
    }
    expect(table.get("s0")).toBe(first);
    expect(table.get("s30")).toEqual({ id: 30 });
    expect(table.get("s2")).toBeUndefined();
    expect(table.tomb("s2")).toBe(0);
    expect([...table.entries()].length).toBeLessThanOrEqual(10);
    expect(table.total).toBe(31);
    expect(table.forgotten).toBeGreaterThan(15);
  });

  it("leaves a tombstone with the value given", () => {
    const table = new SessionTable<object>({ sessions: 10, tombs: 100 });
    table.open("a", {});
    table.close("a", 2);
    expect(table.get("a")).toBeUndefined();
    expect(table.tomb("a")).toBe(2);
    expect(table.tomb("b")).toBeUndefined();
  });
});
