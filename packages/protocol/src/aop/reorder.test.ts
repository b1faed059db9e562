import { describe, expect, test } from "vitest";
import { hasCounterGoneBack } from "./arrival.ts";
import { holdItem, openReorder, placeInOrder, REORDER_LIMIT, type ReorderState, takeLowest, takeReady } from "./reorder.ts";

function arrive(state: ReorderState<number>, sequence: number, begins = false): string[] {
  const released: string[] = [];
  const where = placeInOrder(state, sequence, begins);
  if (where === "wait") holdItem(state, sequence, sequence, sequence);
  else released.push(where === "late" ? `late ${sequence}` : `${sequence}`);
  for (let held = takeReady(state); held !== undefined; held = takeReady(state)) released.push(`${held.sequence}`);
  return released;
}

function feed(numbers: readonly number[], first?: number): { released: string[]; state: ReorderState<number> } {
  const state = openReorder<number>();
  return { released: numbers.flatMap((number) => arrive(state, number, number === first)), state };
}

function drain(state: ReorderState<number>): number[] {
  const rest: number[] = [];
  for (let held = takeLowest(state); held !== undefined; held = takeLowest(state)) rest.push(held.sequence);
  return rest;
}

describe("the window", () => {
  test.each([0, 1, 57])("lets an in-order stream from %i pass at once", (first) => {
    const state = openReorder<number>();
    for (let number = first; number < first + 100; number++) {
      expect(arrive(state, number, number === first)).toEqual([`${number}`]);
      expect(state.held).toHaveLength(0);
    }
  });

  test("begins at 0 without being told", () => {
    expect(feed([0, 1]).released).toEqual(["0", "1"]);
  });

  test("holds what is ahead until the gap is filled", () => {
    expect(feed([1, 3, 4, 2, 5], 1).released).toEqual(["1", "2", "3", "4", "5"]);
  });

  test("does not take the first event heard for the first one emitted", () => {
    expect(feed([3, 2, 1, 4], 1).released).toEqual(["1", "2", "3", "4"]);
  });

  test("waits, at the beginning, for lower numbers as long as the window has room, then goes on without waiting", () => {
    const { released, state } = feed(Array.from({ length: REORDER_LIMIT + 1 }, (_, index) => 100 + index));
    expect(released).toHaveLength(REORDER_LIMIT + 1);
    expect(released[0]).toBe("100");
    expect(arrive(state, 100 + REORDER_LIMIT + 1)).toHaveLength(1);
  });

  test("puts the lowest first when the beginning is unknown at the end", () => {
    const { released, state } = feed([7, 5, 6]);
    expect(released).toEqual([]);
    expect(drain(state)).toEqual([5, 6, 7]);
    expect(state.missing).toBe(0);
  });

  test("gives a gap up when it is full, and counts what is missing", () => {
    const numbers = Array.from({ length: REORDER_LIMIT + 1 }, (_, index) => 5 + index);
    const { released, state } = feed([1, ...numbers], 1);
    expect(released).toHaveLength(REORDER_LIMIT + 2);
    expect(state.missing).toBe(3);
    expect(state.hole).toEqual({ at: 5, from: 2, to: 5 });
    expect(arrive(state, 3)).toEqual(["late 3"]);
  });

  test("never holds more than its limit", () => {
    const state = openReorder<number>();
    arrive(state, 0);
    for (let number = 2; number < 4000; number += 2) {
      arrive(state, number);
      expect(state.held.length).toBeLessThanOrEqual(REORDER_LIMIT);
    }
  });

  test("keeps two events of one number in the order of arrival, without moving back", () => {
    const { released, state } = feed([1, 3, 3, 2, 4], 1);
    expect(released).toEqual(["1", "2", "3", "3", "4"]);
    expect(state.next).toBe(5);
  });

  test("is a plain value", () => {
    const { state } = feed([1, 3, 9], 1);
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
  });
});

describe("a counter that goes back", () => {
  const at = (second: number) => `2026-03-01T10:00:0${second}.000Z`;

  test("is told when the lower number is later, and only once for a counter that began anew", () => {
    const state = openReorder<number>();
    expect([
      hasCounterGoneBack(state, 5, "a", at(1)),
      hasCounterGoneBack(state, 1, "a", at(2)),
      hasCounterGoneBack(state, 2, "a", at(3)),
    ]).toEqual([false, true, false]);
  });

  test("is not told when the lower number is earlier, at the same instant, unreadable or another agent's", () => {
    const state = openReorder<number>();
    hasCounterGoneBack(state, 5, "a", at(3));
    expect(hasCounterGoneBack(state, 4, "a", at(2))).toBe(false);
    expect(hasCounterGoneBack(state, 3, "a", at(3))).toBe(false);
    expect(hasCounterGoneBack(state, 2, "a", "later")).toBe(false);
    expect(hasCounterGoneBack(state, 2, "b", at(4))).toBe(false);
    expect(hasCounterGoneBack(state, 2, "a", at(4))).toBe(true);
  });
});
