import {
  ABANDONED_MS,
  again,
  amended,
  amendedMeanwhile,
  answered,
  askedAgain,
  attempted,
  back,
  type Cell,
  closedElsewhere,
  extended,
  failed,
  halfTime,
  LAST_CALL_MS,
  MISSES,
  opened,
  POLL_EVERY_MS,
  polled,
  ran,
  refuse,
  restarted,
  ruled,
  settled,
  stay,
  tickedUnattended,
  tickedWaiting,
  unattended,
  unpolled,
  wentOn,
  withdrawn,
} from "./machine-steps.ts";
import type { Input, InputName, Machine, Phase, Step, Terms } from "./machine-types.ts";

/**
 * The life of one request: state, input and time give the next state and the effects. Pure.
 *
 * - Time is monotonic: setting the wall clock ends nothing. Only after a restart does wall time determine the remaining time, never more
 * than the original one.
 *
 * - Nothing is released before the ledger reports it settled: `settle` requests it, `settled` is the result.
 *
 * - The table has a cell for every phase and input; what must not happen is refused or ignored explicitly.
 */
export function step(machine: Machine, input: Input, now: number): Step {
  const cell: Cell = STEPS[machine.phase][input.name];
  return cell(machine, input, now);
}

/** A question about to be stored. */
export function begin(terms: Terms, now: number): Machine {
  return {
    phase: "opening",
    terms,
    deadline: terms.timeMs === null ? null : now + terms.timeMs,
    deadlineAt: terms.deadlineAt,
    begun: now,
    told: terms.timeMs !== null && terms.timeMs <= LAST_CALL_MS ? "last-call" : "nothing", // it never had more to begin with
    extensions: 0,
    polls: 0,
    heardAt: now,
    settlement: null,
  };
}

/** A request loaded by a process that did not ask it. */
export function resume(terms: Terms, left: { readonly wallLeftMs: number | null; readonly now: number }): Machine {
  return step({ ...begin(terms, left.now), phase: "waiting" }, { name: "restarted", wallLeftMs: left.wallLeftMs }, left.now).machine;
}

export function isOpen({ phase }: Machine): boolean {
  return phase === "opening" || phase === "waiting" || phase === "unattended" || phase === "settling";
}

/** When something is due without an input; null for never. */
export function nextTick(machine: Machine): number | null {
  if (machine.phase !== "waiting" && machine.phase !== "unattended") return null;
  const { deadline, told, polls, heardAt, terms } = machine;
  const times: number[] = [];
  if (deadline !== null) {
    times.push(deadline);
    if (machine.phase === "waiting" && told === "nothing") times.push(halfTime(machine));
    if (machine.phase === "waiting" && told !== "last-call") times.push(deadline - LAST_CALL_MS);
  } else if (machine.phase === "unattended") times.push(heardAt + ABANDONED_MS);
  if (machine.phase === "waiting" && terms.polls && polls === 0) times.push(heardAt + MISSES * POLL_EVERY_MS);
  return times.length === 0 ? null : Math.min(...times);
}

type Row = Readonly<Record<InputName, Cell>>;

/** An ending is final. Asking again returns it, and answering again is recorded as late. */
const ENDED: Row = {
  opened: stay,
  asked: again,
  answered: attempted,
  ruled: stay,
  ticked: stay,
  polled: again,
  unpolled: stay,
  lost: stay,
  withdrawn: refuse("ended"),
  closed: stay,
  extended: refuse("ended"),
  amended: stay,
  settled: stay,
  failed: stay,
  restarted: stay,
  ran,
};

export const STEPS: Readonly<Record<Phase, Row>> = {
  opening: {
    opened,
    asked: askedAgain,
    answered: refuse("not-open"),
    ruled: stay,
    ticked: stay,
    polled,
    unpolled,
    lost: stay,
    withdrawn: refuse("not-open"),
    closed: stay,
    extended: refuse("not-open"),
    amended: stay,
    settled,
    failed: stay,
    restarted,
    ran: stay,
  },
  waiting: {
    opened: stay,
    asked: askedAgain,
    answered,
    ruled,
    ticked: tickedWaiting,
    polled,
    unpolled,
    lost: unattended,
    withdrawn,
    closed: closedElsewhere,
    extended,
    amended,
    settled,
    failed: stay,
    restarted,
    ran: wentOn,
  },
  unattended: {
    opened: stay,
    asked: back(askedAgain),
    answered: refuse("nobody-waits"),
    ruled: stay,
    ticked: tickedUnattended,
    polled: back(polled),
    unpolled: stay,
    lost: stay,
    withdrawn,
    closed: closedElsewhere,
    extended: refuse("nobody-waits"),
    amended,
    settled,
    failed: stay,
    restarted,
    ran: wentOn,
  },
  settling: {
    opened: stay,
    asked: askedAgain,
    answered: attempted,
    ruled: stay,
    ticked: stay,
    polled,
    unpolled,
    lost: stay,
    withdrawn: refuse("ended"),
    closed: stay,
    extended: refuse("ended"),
    amended: amendedMeanwhile,
    settled,
    failed,
    restarted,
    ran: stay,
  },
  "answered-by-person": ENDED,
  "answered-by-policy": ENDED,
  defaulted: ENDED,
  withdrawn: ENDED,
  orphaned: ENDED,
};
