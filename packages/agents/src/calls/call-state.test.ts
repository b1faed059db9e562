import fc from "fast-check";
import { expect, it } from "vitest";
import { type CallState, closeCall, expire, NO_CALLS, withCall, withMoment } from "./call-state.ts";

const HOUR = 3_600_000;
const MINUTE = 60_000;

/** What is meant, plainly: everything is looked at. */
function plainly({ calls, moments }: CallState, now: number): readonly (readonly string[])[] {
  const young = calls.filter(({ isOpen, at }) => now - at < (isOpen ? 24 * HOUR : MINUTE)).slice(-500);
  const kept = moments.filter(({ at }) => now - at < MINUTE).slice(-200);
  return [young.map(({ id }) => id), kept.map(({ key }) => key)];
}

const steps = fc.array(
  fc.record({
    what: fc.constantFrom("asked", "ended", "closed", "moment"),
    which: fc.nat(5),
    later: fc.constantFrom(0, 1, 30_000, MINUTE, HOUR, 24 * HOUR),
  }),
  { maxLength: 40 },
);

it("what is remembered of calls goes when it is too old, as if all of it were gone through each time", () => {
  fc.assert(
    fc.property(steps, (told) => {
      let now = 0;
      let state = NO_CALLS;
      for (const [index, { what, which, later }] of told.entries()) {
        now += later;
        const expected = plainly(state, now);
        state = expire(state, now);
        expect([state.calls.map(({ id }) => id), state.moments.map(({ key }) => key)]).toEqual(expected);
        const known = state.calls.at(which);
        if (what === "moment") state = withMoment(state, { key: `m${index}`, witnesses: [], at: now });
        else if (what === "closed") state = closeCall(state, known?.id ?? "");
        else if (what === "ended" && known !== undefined) state = withCall(state, { ...known, isOpen: false, at: now }, known);
        else state = withCall(state, { keys: [], id: `c${index}`, witnesses: [], isOpen: true, at: now });
      }
    }),
  );
});

it("of too many calls the oldest go first", () => {
  let state = NO_CALLS;
  for (let index = 0; index < 510; index++) {
    state = expire(withCall(state, { keys: [], id: `c${index}`, witnesses: [], isOpen: true, at: 0 }), 1);
  }
  expect([state.calls.length, state.calls[0]?.id]).toEqual([500, "c10"]);
});
