import { describe, expect, it } from "vitest";
import { PlaceTable } from "./place-table.ts";

describe("the table of places", () => {
  it("finds every entry again, with and without a time", () => {
    const places = new PlaceTable();
    for (let entry = 1; entry <= 5000; entry++) {
      const at = { entry, line: entry * 2 };
      places.put(entry % 7, entry % 2 === 0 ? { ...at, ms: entry + 0.5 } : at, `type ${entry % 3}`);
    }
    for (const entry of [1, 1023, 1024, 1025, 4096, 5000]) {
      const ms = entry % 2 === 0 ? { ms: entry + 0.5 } : {};
      expect(places.find(entry)).toEqual({ section: entry % 7, at: { entry, line: entry * 2, ...ms }, type: `type ${entry % 3}` });
    }
    expect(places.find(5001)).toBeUndefined();
    expect(places.find(0)).toBeUndefined();
  });
});
