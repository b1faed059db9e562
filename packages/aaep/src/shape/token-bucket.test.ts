import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { TokenBucket } from "./token-bucket.ts";

describe("a token bucket", () => {
  it("gives out its first token after one interval, and the next after another", () => {
    const bucket = new TokenBucket(2, 1000);
    expect(bucket.isReady(1000)).toBe(false);
    expect(bucket.readyAt()).toBe(1500);
    expect(bucket.isReady(1500)).toBe(true);
    bucket.spend(1500);
    expect(bucket.isReady(1999)).toBe(false);
    expect(bucket.readyAt()).toBeCloseTo(2000);
  });

  it("saves up a tenth of a second at most, and always one", () => {
    expect(new TokenBucket(100, 0).tokens(60_000)).toBe(10);
    expect(new TokenBucket(1, 0).tokens(60_000)).toBe(1);
  });

  it("without a limit is always ready", () => {
    const bucket = new TokenBucket(Number.POSITIVE_INFINITY, 0);
    for (let turn = 0; turn < 1000; turn++) bucket.spend(0);
    expect(bucket.isReady(0)).toBe(true);
    expect(bucket.readyAt()).toBe(0);
  });

  it("pays back what was spent without being there, but is silent for ten seconds at most", () => {
    const bucket = new TokenBucket(1, 0);
    for (let turn = 0; turn < 3; turn++) bucket.spend(1000);
    expect(bucket.readyAt()).toBeCloseTo(4000);
    for (let turn = 0; turn < 500; turn++) bucket.spend(1000);
    expect(bucket.readyAt()).toBeCloseTo(12_000);
  });

  it("keeps what it has when the rate changes, and what it owes", () => {
    const bucket = new TokenBucket(1, 0);
    bucket.spend(0);
    bucket.change(10, 0);
    expect(bucket.readyAt()).toBeCloseTo(200);
    bucket.change(Number.POSITIVE_INFINITY, 0);
    expect(bucket.readyAt()).toBe(0);
    bucket.change(10, 500);
    expect(bucket.isReady(500)).toBe(false);
  });

  it("lets no more through in any time than the rate and a tenth of a second's worth", () => {
    fc.assert(
      fc.property(fc.constantFrom(1, 3, 20, 100), fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 40 }), (rate, gaps) => {
        const bucket = new TokenBucket(rate, 0);
        const spent: number[] = [];
        let at = 0;
        for (const gap of gaps) {
          at += gap;
          for (; bucket.isReady(at); spent.push(at)) bucket.spend(at);
        }
        const excess = spent.flatMap((first, from) =>
          spent.slice(from).map((last, more) => more + 1 - Math.max(1, rate / 10) - ((last - first) / 1000) * rate),
        );
        expect(excess.reduce((most, one) => Math.max(most, one), 0)).toBeLessThan(1e-3);
      }),
      { numRuns: propertyRuns() },
    );
  });
});
