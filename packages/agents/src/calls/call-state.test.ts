import fc from "fast-check";
import { expect, it } from "vitest";
import { closeCall, dropExpiredCalls, findCalls, NO_CALLS, type SessionCalls, withCall, withEvent } from "./call-state.ts";

const HOUR = 3_600_000;
const MINUTE = 60_000;

/** A plain copy of the state in which every member is compared. */
function plainly({ calls, moments }: SessionCalls, now: number): readonly (readonly string[])[] {
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
        state = dropExpiredCalls(state, now);
        expect([state.calls.map(({ id }) => id), state.moments.map(({ key }) => key)]).toEqual(expected);
        const known = state.calls.at(which);
        if (what === "moment") state = withEvent(state, { key: `m${index}`, witnesses: [], at: now });
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
    state = dropExpiredCalls(withCall(state, { keys: [], id: `c${index}`, witnesses: [], isOpen: true, at: 0 }), 1);
  }
  expect([state.calls.length, state.calls[0]?.id]).toEqual([500, "c10"]);
});

it("a call is found by its id as if all of them were gone through, from whichever state one goes on", () => {
  const call = (id: string, at: number) => ({ keys: [], id, witnesses: [], isOpen: true, at });
  const told = fc.array(fc.record({ from: fc.nat(3), id: fc.nat(9), later: fc.constantFrom(0, MINUTE, 24 * HOUR) }), { maxLength: 40 });
  fc.assert(
    fc.property(told, (steps) => {
      let now = 0;
      const states: SessionCalls[] = [NO_CALLS];
      for (const { from, id, later } of steps) {
        now += later;
        const state = dropExpiredCalls(states.at(-1 - (from % states.length)) ?? NO_CALLS, now);
        for (const name of ["c0", `c${id}`]) expect(findCalls(state.calls, name)).toEqual(state.calls.filter((one) => one.id === name));
        const [known] = findCalls(state.calls, `c${id}`);
        states.push(known === undefined ? withCall(state, call(`c${id}`, now)) : closeCall(state, known.id));
      }
    }),
  );
  let state = NO_CALLS;
  for (let index = 0; index < 2500; index++) {
    state = dropExpiredCalls(withCall(state, call(`c${index}`, 0)), 1);
    expect(findCalls(state.calls, `c${index}`)[0]?.id).toBe(`c${index}`);
    expect(findCalls(state.calls, `c${index - 499}`)[0]?.id).toBe(index < 499 ? undefined : `c${index - 499}`);
    expect(findCalls(state.calls, `c${index - 500}`)).toEqual([]);
  }
});
