import { describe, expect, it } from "vitest";
import { fitEvent } from "./fit-event.ts";

describe("an event that waits on disk", () => {
  it("is kept as it is, unless it is larger than the hub takes", () => {
    const small = { id: "evt_1", action: { input: { command: "ls" } } };
    expect(fitEvent(small)).toBe(small);
    const large = { id: "evt_2", action: { input: { content: "x".repeat(2_000_000), path: "/a" } }, extensions: { "x-a": 1 } };
    const fitted = fitEvent(large);
    expect(JSON.stringify(fitted).length).toBeLessThan(10_000);
    expect(fitted).toMatchObject({ id: "evt_2", action: { input: { path: "/a" } }, extensions: { "x-a": 1, "x-truncated": true } });
    const many = {
      id: "evt_3",
      type: "t",
      action: { input: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, "y".repeat(100)])) },
    };
    expect(JSON.stringify(fitEvent(many)).length).toBeLessThan(1000);
  });
});
