import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../tools/test-volume.ts";
import { hashKey } from "./hash-text.ts";
import { RecentMap } from "./recent-map.ts";
import { OpenSessionTable } from "./session-table.ts";

describe("the map of recent entries", () => {
  it("keeps the first entry of at least the last keys up to its capacity, and counts what it drops", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 300 }), (capacity, keys) => {
        const table = new RecentMap<number, number>(capacity);
        const added: { readonly key: number; readonly value: number }[] = [];
        keys.forEach((key, value) => {
          const recent = added.slice(-capacity).find((one) => one.key === key);
          const known = table.add(key, value);
          if (recent !== undefined) expect(known).toBe(recent.value);
          if (known === undefined) added.push({ key, value });
          else expect(added.some((one) => one.key === key && one.value === known)).toBe(true);
        });
        const kept = added.filter(({ key, value }) => table.get(key) === value);
        expect(table.forgotten).toBe(added.length - kept.length);
        expect(kept.length).toBeLessThanOrEqual(2 * capacity);
      }),
      { numRuns: propertyRuns() },
    );
  });

  it("takes an entry out, and replaces one", () => {
    const map = new RecentMap<string, number>(2);
    for (const [index, key] of ["a", "b", "c"].entries()) map.set(key, index);
    map.set("a", 7);
    expect([map.get("a"), map.take("b"), map.take("b"), map.size, map.forgotten]).toEqual([7, 1, undefined, 2, 0]);
  });
});

describe("the hash of a text", () => {
  it("tells texts and seeds apart", () => {
    expect(new Set(Array.from({ length: 100_000 }, (_, index) => hashKey(`evt_${index}`))).size).toBe(100_000);
    expect(hashKey("evt_1", 1)).not.toBe(hashKey("evt_1", 2));
  });
});

describe("the table of sessions", () => {
  const bury = ({ id }: { readonly id: number }, isSilent: boolean) => (isSilent ? 0 : id);

  it("keeps at least half of its bound open, the ones heard from last, and tombs for the rest", () => {
    const table = new OpenSessionTable({ sessions: 10, tombs: 200, bury });
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

  it("leaves a tombstone with the number that the session gives", () => {
    const table = new OpenSessionTable({ sessions: 10, tombs: 100, bury });
    const state = { id: 2 };
    table.open("a", state);
    table.close("a", state);
    expect(table.get("a")).toBeUndefined();
    expect(table.tomb("a")).toBe(2);
    expect(table.tomb("b")).toBeUndefined();
  });
});
