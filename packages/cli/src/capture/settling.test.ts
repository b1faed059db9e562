import { describe, expect, it } from "vitest";
import { Settling } from "./capture-run.ts";

const batch = (position: number, texts = 1) => ({ texts: Array.from({ length: texts }, () => "{}"), settle: () => ({ position }) });

describe("the place to go on from", () => {
  it("is after the last batch of which everything is written, and everything before it", () => {
    const settling = new Settling(undefined);
    const first = settling.arrived(batch(1, 2), 100);
    const second = settling.arrived(batch(2), 150);
    second.pending--;
    settling.settle();
    expect(settling.resume).toBeUndefined();
    expect(settling.rereadFrom(300)).toBe(100);
    first.pending -= 2;
    settling.settle();
    expect(settling.resume).toEqual({ position: 2 });
    expect(settling.rereadFrom(300)).toBe(300);
  });

  it("stays where an earlier capture was until all that it may have written has come again", () => {
    const settling = new Settling({ position: 7 }, 40);
    settling.arrived(batch(8, 0), 100);
    settling.settle();
    expect(settling.resume).toEqual({ position: 8 });
    expect(settling.rereadFrom(100)).toBe(40);
    settling.caughtUp();
    expect(settling.rereadFrom(100)).toBe(100);
  });

  it("is found after very many batches, too", () => {
    const settling = new Settling(undefined);
    for (let position = 1; position <= 5000; position++) {
      settling.arrived(batch(position, 0), position);
      settling.settle();
    }
    const waiting = settling.arrived(batch(5001), 5001);
    for (let position = 5002; position <= 9000; position++) settling.arrived(batch(position, 0), position);
    settling.settle();
    expect(settling.resume).toEqual({ position: 5000 });
    waiting.pending--;
    settling.settle();
    expect(settling.resume).toEqual({ position: 9000 });
  });
});
