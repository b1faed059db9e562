import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SequenceOrder } from "./sequence-order.ts";

/** Numbers as they come, all at once; then nothing follows. */
function order(numbers: readonly number[], limits = {}): { readonly given: readonly number[]; readonly late: number } {
  const order = new SequenceOrder<number>(limits);
  const given = numbers.flatMap((number) => order.hear("s", number, number, 0));
  return { given: [...given, ...order.flush()], late: order.late };
}

describe("the order of numbers", () => {
  it("is restored within the window", () => {
    expect(order([1, 3, 2, 5, 6, 4, 7])).toEqual({ given: [1, 2, 3, 4, 5, 6, 7], late: 0 });
    expect(order([2, 1, 3])).toEqual({ given: [1, 2, 3], late: 0 });
  });

  it("does not wait for ever for one that is missing", () => {
    const order = new SequenceOrder<number>({ window: 3, holdMs: 100 });
    expect(order.hear("s", 1, 1, 0)).toEqual([1]);
    expect(order.hear("s", 3, 3, 10)).toEqual([]);
    expect(order.dueAt()).toBe(110);
    expect(order.tick(109)).toEqual([]);
    expect(order.tick(110)).toEqual([3]);
    expect(order.dueAt()).toBeUndefined();
    expect(order.hear("s", 2, 2, 111)).toEqual([2]); // after all
    expect(order.late).toBe(1);
    expect([6, 7, 8].flatMap((number) => order.hear("s", number, number, 120))).toEqual([]);
    expect(order.hear("s", 9, 9, 120)).toEqual([6, 7, 8, 9]); // the window is full
    expect(order.held).toBe(0);
  });

  it("belongs to one counter each", () => {
    const order = new SequenceOrder<string>();
    expect(order.hear("a", 2, "a2", 0)).toEqual([]);
    expect(order.hear("b", 1, "b1", 0)).toEqual(["b1"]);
    expect(order.hear("a", 1, "a1", 0)).toEqual(["a1", "a2"]);
  });

  it("goes on after what was written before", () => {
    const order = new SequenceOrder<number>();
    order.written("s", 41);
    expect(order.hear("s", 42, 42, 0)).toEqual([42]);
    expect(order.hear("s", 40, 40, 0)).toEqual([40]);
    expect(order.late).toBe(1);
  });

  it("keeps two events of the same number", () => {
    expect(order([1, 3, 3, 2])).toEqual({ given: [1, 2, 3, 3], late: 0 });
  });

  it("is bounded in all counters together", () => {
    const order = new SequenceOrder<number>({ held: 10 });
    let given = 0;
    for (let index = 0; index < 100; index++) {
      given += order.hear(`s${index}`, 5, index, 0).length;
      expect(order.held).toBeLessThanOrEqual(10);
    }
    expect(given + order.flush().length).toBe(100);
  });

  it("gives each once, and in order whatever overtakes what by less than the window", () => {
    const shifts = fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(shifts, (by) => {
        const numbers = by.map((shift, index) => ({ number: index + 1, at: index + shift }));
        numbers.sort((one, other) => one.at - other.at);
        expect(order(numbers.map(({ number }) => number))).toEqual({ given: by.map((_shift, index) => index + 1), late: 0 });
      }),
    );
  });

  it("loses nothing and doubles nothing, whatever comes", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(300), { maxLength: 300 }), fc.integer({ min: 1, max: 9 }), (numbers, window) => {
        const { given } = order(numbers, { window });
        const sorted = (all: readonly number[]) => [...all].sort((one, other) => one - other);
        expect(sorted(given)).toEqual(sorted(numbers));
      }),
    );
  });
});
