import fc from "fast-check";
import { expect, test } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { ROW_SIGNALS, ROW_STATES, type RowSignal, type RowState, stepRow } from "./action-row.ts";

/** For each signal, the index of the next state in hexadecimal and the sign of the rule it breaks. */
const STEPS: Readonly<Record<RowState, string>> = {
  absent: "1  5  7  3  4  7  5  7  2  b? a? 9? 8? 7? 6 ",
  requested: "1  5  7  3  4  7  5  7  2  b  a  9  8  7  6 ",
  left: "2  5  7  3  4  7  5  7  2  b  a  9  8  7  6 ",
  waiting: "3  5  7  3  4  7  5  7  3  b  a  9  8  7  6 ",
  paused: "4  5  7  4  4  7  5  7  4  b  a  9  8  7  6 ",
  approved: "5  5  7  5  5  7  5  7  5  b  a  9  8  7  6 ",
  unknown: "6  6  7  6  6  7  6  7  6  b  a  9  8  7  6 ",
  denied: "7  7  7  7  7  7  7  7  7  b! a! 9! 8  7  7 ",
  cancelled: "8  8< 8< 8< 8< 8< 8< 8< 8< b2 a2 92 82 8  8 ",
  timed_out: "9  9< 9< 9< 9< 9< 9< 9< 9< b2 a2 92 92 9! 9 ",
  failed: "a  a< a< a< a< a< a< a< a< b2 a2 a2 a2 a! a ",
  succeeded: "b  b< b< b< b< b< b< b< b< b2 b2 b2 b2 b! b ",
};
const RULES = new Map([
  ["?", "aep/outcome-needs-request"],
  ["!", "aep/ran-despite-denial"],
  ["<", "aep/response-before-outcome"],
  ["2", "aep/one-outcome"],
]);

test.each(ROW_STATES)("an action that is %s moves to the stronger of two states, and tells what contradicts it", (state) => {
  const expected = STEPS[state].match(/.{1,3}/g)?.map(([next = "", rule = ""]) => ({
    state: ROW_STATES[Number.parseInt(next, 16)],
    breaks: RULES.get(rule),
  }));
  expect(ROW_SIGNALS.map((signal) => stepRow(state, signal))).toEqual(expected);
});

test("a row ends in the same state whatever the order and repetition of its signals", () => {
  const addUp = (all: readonly RowSignal[]) => all.reduce<RowState>((state, signal) => stepRow(state, signal).state, "absent");
  const signals = fc.array(fc.constantFrom(...ROW_SIGNALS), { minLength: 1, maxLength: 12 });
  const mixed = signals.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 })));
  fc.assert(
    fc.property(mixed, ([all, shuffled]) => {
      expect(addUp(shuffled)).toBe(addUp(all));
    }),
    { numRuns: propertyRuns() },
  );
});
