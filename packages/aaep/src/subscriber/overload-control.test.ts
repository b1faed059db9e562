import { describe, expect, it } from "vitest";
import { OverloadControl } from "./overload-control.ts";

const LIMITS = { high: 100, low: 10, calmMs: 1000, pauseMs: 500 };

describe("a subscriber that cannot keep up", () => {
  it("asks for as much as it takes, and no finer than by paragraphs", () => {
    const overload = new OverloadControl({ max_events_per_second: 500 }, LIMITS);
    expect(overload.note(50, 0, 0)).toBeUndefined();
    expect(overload.note(100, 80, 2000)).toEqual({
      max_events_per_second: 40,
      coalesce_boundaries: ["paragraph", "completion"],
      cognitive_load: "low",
    });
  });

  it("never asks for more than it wanted at first, nor for nothing at all", () => {
    const overload = new OverloadControl({ max_events_per_second: 20 }, LIMITS);
    overload.note(0, 0, 0);
    expect(overload.note(100, 1000, 1000)).toMatchObject({ max_events_per_second: 20 });
    expect(overload.note(100, 1000, 1600)).toMatchObject({ max_events_per_second: 1 });
  });

  it("asks again only after a while, and for less each time", () => {
    const overload = new OverloadControl({}, LIMITS);
    overload.note(0, 0, 0);
    expect(overload.note(100, 100, 1000)).toMatchObject({ max_events_per_second: 100 });
    expect(overload.note(200, 120, 1100)).toBeUndefined();
    expect(overload.note(200, 1000, 1500)).toMatchObject({ max_events_per_second: 50 });
  });

  it("asks for what it had at first when it was calm for long enough, once", () => {
    const overload = new OverloadControl({ cognitive_load: "high", coalesce_boundaries: ["word"] }, LIMITS);
    overload.note(0, 0, 0);
    overload.note(100, 10, 1000);
    expect(overload.isEased).toBe(true);
    expect(overload.note(5, 100, 2000)).toBeUndefined();
    expect(overload.note(50, 100, 2500)).toBeUndefined(); // not calm
    expect(overload.note(5, 100, 3000)).toBeUndefined();
    expect(overload.note(5, 100, 4000)).toEqual({
      max_events_per_second: 100_000,
      coalesce_boundaries: ["word"],
      cognitive_load: "high",
    });
    expect(overload.note(5, 100, 9000)).toBeUndefined();
  });
});
