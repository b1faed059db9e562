import fc from "fast-check";
import { expect, test } from "vitest";
import { addSpend, openToolSpend, REMEMBERED_CALLS, totalSpend } from "./tool-spend.ts";

function spend(reports: readonly (readonly [string, number])[]) {
  const result = openToolSpend();
  for (const [id, tokens] of reports) addSpend(result, id, tokens);
  return result;
}

test("each call counts once, with its highest amount", () => {
  const result = spend([
    ["a", 5],
    ["b", 7],
    ["a", 9],
    ["a", 5],
  ]);
  expect(totalSpend(result)).toBe(16);
  expect(result.uncompared).toBe(0);
});

test("nothing said is nothing known", () => {
  expect(totalSpend(openToolSpend())).toBeUndefined();
});

test("100,000 calls are added up in a state of bounded size, in any order", () => {
  const reports = Array.from({ length: 100_000 }, (_, index) => [`call ${index}`, index % 10] as const);
  const forwards = spend(reports);
  const backwards = spend([...reports].reverse());
  expect(totalSpend(forwards)).toBe(450_000);
  expect(totalSpend(backwards)).toBe(450_000);
  expect(forwards.uncompared).toBe(100_000 - REMEMBERED_CALLS);
  expect(Object.keys(forwards.calls)).toHaveLength(REMEMBERED_CALLS);
  expect(JSON.stringify(forwards).length).toBeLessThan(12_000);
});

test("the sum does not depend on the order, also past the bound and with calls reported twice", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(600), fc.nat(1000)), { minLength: 500, maxLength: 1500 }), (reports) => {
      const named = reports.map(([id, tokens]) => [`c${id}`, tokens] as const);
      const forwards = spend(named);
      const backwards = spend([...named].reverse());
      expect(totalSpend(backwards)).toBe(totalSpend(forwards));
      expect(backwards.uncompared).toBe(forwards.uncompared);
    }),
    { numRuns: 50 },
  );
});
