import { describe, expect, it } from "vitest";
import { Courtesy } from "./courtesy.ts";

describe("the courtesy of those who follow", () => {
  it("rests while many speak, and works on when they are done", () => {
    const courtesy = new Courtesy();
    const rests = [0, 1000, 2000, 3000, 3010, 3020].map((head, index) => courtesy.restMs(head, index * 200, 10));
    expect(rests.map((rest) => rest > 0)).toEqual([false, true, true, true, false, false]);
    expect(rests[1]).toBeGreaterThan(10);
  });

  it("rests the longer the faster they speak, up to a bound", () => {
    const restAt = (perSecond: number) => {
      const courtesy = new Courtesy();
      courtesy.restMs(0, 0, 10);
      return courtesy.restMs(perSecond / 10, 100, 10);
    };
    expect(restAt(2000)).toBeGreaterThan(0);
    expect(restAt(4000)).toBeGreaterThan(restAt(2000));
    expect(restAt(100_000)).toBe(restAt(50_000));
  });

  it("takes little until it knows, and while many speak", () => {
    const courtesy = new Courtesy();
    const found = [0, 0, 0, 1000, 1000, 1000].map((head, index) => {
      const takesLittle = courtesy.takesLittle(index * 100);
      courtesy.restMs(head, index * 100, 10);
      return takesLittle;
    });
    expect(found).toEqual([true, true, false, false, true, false]);
    expect(courtesy.takesLittle(600)).toBe(false);
    expect(courtesy.takesLittle(5000)).toBe(true);
  });

  it("does not rest for what speaks at the pace of agents", () => {
    const courtesy = new Courtesy();
    for (let at = 0; at < 10_000; at += 50) expect(courtesy.restMs(at, at, 8)).toBe(0);
  });

  it("judges nobody by what was said after a silence, or within a moment", () => {
    const courtesy = new Courtesy();
    courtesy.restMs(0, 0, 8);
    expect(courtesy.restMs(200, 1, 8)).toBe(0);
    expect(courtesy.restMs(2000, 10_000, 8)).toBe(0);
    expect(courtesy.takesLittle(10_001)).toBe(true);
    expect(courtesy.restMs(3000, 10_030, 8)).toBeGreaterThan(0);
  });

  it("rests a moment after one burst, and no longer", () => {
    const courtesy = new Courtesy();
    courtesy.restMs(0, 0, 8);
    const rest = courtesy.restMs(100, 50, 8);
    expect(rest).toBeGreaterThan(0);
    expect(rest).toBeLessThan(100);
    expect(courtesy.restMs(100, 50 + rest + 8, 8)).toBe(0);
  });
});
