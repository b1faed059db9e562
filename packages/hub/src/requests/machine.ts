import {
  ABANDON_AFTER_MS,
  amendedMeanwhileStep,
  amendedStep,
  answeredStep,
  askedAgainStep,
  attemptedStep,
  backStep,
  closedElsewhere,
  extendedStep,
  failedStep,
  halfTime,
  LAST_CALL_BEFORE_END_MS,
  MAX_MISSED_POLLS,
  openedStep,
  POLL_INTERVAL_MS,
  polledStep,
  ranStep,
  refuseStep,
  restartedStep,
  ruledStep,
  settleAgainStep,
  settledStep,
  stayStep,
  type Transition,
  tickedUnattendedStep,
  tickedWaitingStep,
  unattendedStep,
  unpolledStep,
  wentOnStep,
  withdrawnStep,
} from "./machine-steps.ts";
import type { InputName, MachineInput, MachineStep, MachineTerms, Phase, RequestMachine } from "./machine-types.ts";

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
export function stepMachine(machine: RequestMachine, input: MachineInput, now: number): MachineStep {
  const cell: Transition = STEPS[machine.phase][input.name];
  return cell(machine, input, now);
}

/** A question about to be stored. */
export function beginMachine(terms: MachineTerms, now: number): RequestMachine {
  return {
    phase: "opening",
    terms,
    deadline: terms.timeMs === null ? null : now + terms.timeMs,
    deadlineAt: terms.deadlineAt,
    begun: now,
    told: terms.timeMs !== null && terms.timeMs <= LAST_CALL_BEFORE_END_MS ? "last-call" : "nothing", // it never had more to begin with
    extensions: 0,
    polls: 0,
    heardAt: now,
    settlement: null,
  };
}

/** A request loaded by a process that did not ask it. */
export function resumeMachine(terms: MachineTerms, left: { readonly wallLeftMs: number | null; readonly now: number }): RequestMachine {
  return stepMachine({ ...beginMachine(terms, left.now), phase: "waiting" }, { name: "restarted", wallLeftMs: left.wallLeftMs }, left.now)
    .machine;
}

export function isMachineOpen({ phase }: RequestMachine): boolean {
  return phase === "opening" || phase === "waiting" || phase === "unattended" || phase === "settling";
}

/** When something is due without an input; null for never. */
export function nextTick(machine: RequestMachine): number | null {
  if (machine.phase !== "waiting" && machine.phase !== "unattended") return null;
  const { deadline, told, polls, heardAt, terms } = machine;
  const times: number[] = [];
  if (deadline !== null) {
    times.push(deadline);
    if (machine.phase === "waiting" && told === "nothing") times.push(halfTime(machine));
    if (machine.phase === "waiting" && told !== "last-call") times.push(deadline - LAST_CALL_BEFORE_END_MS);
  } else if (machine.phase === "unattended") times.push(heardAt + ABANDON_AFTER_MS);
  if (machine.phase === "waiting" && terms.polls && polls === 0) times.push(heardAt + MAX_MISSED_POLLS * POLL_INTERVAL_MS);
  return times.length === 0 ? null : Math.min(...times);
}

type Row = Readonly<Record<InputName, Transition>>;

/** An ending is final. Asking again returns it, and answering again is recorded as late. */
const ENDED: Row = {
  opened: stayStep,
  asked: settleAgainStep,
  answered: attemptedStep,
  ruled: stayStep,
  ticked: stayStep,
  polled: settleAgainStep,
  unpolled: stayStep,
  lost: stayStep,
  withdrawn: refuseStep("ended"),
  closed: stayStep,
  extended: refuseStep("ended"),
  amended: stayStep,
  settled: stayStep,
  failed: stayStep,
  restarted: stayStep,
  ran: ranStep,
};

export const STEPS: Readonly<Record<Phase, Row>> = {
  opening: {
    opened: openedStep,
    asked: askedAgainStep,
    answered: refuseStep("not-open"),
    ruled: stayStep,
    ticked: stayStep,
    polled: polledStep,
    unpolled: unpolledStep,
    lost: stayStep,
    withdrawn: refuseStep("not-open"),
    closed: stayStep,
    extended: refuseStep("not-open"),
    amended: stayStep,
    settled: settledStep,
    failed: stayStep,
    restarted: restartedStep,
    ran: stayStep,
  },
  waiting: {
    opened: stayStep,
    asked: askedAgainStep,
    answered: answeredStep,
    ruled: ruledStep,
    ticked: tickedWaitingStep,
    polled: polledStep,
    unpolled: unpolledStep,
    lost: unattendedStep,
    withdrawn: withdrawnStep,
    closed: closedElsewhere,
    extended: extendedStep,
    amended: amendedStep,
    settled: settledStep,
    failed: stayStep,
    restarted: restartedStep,
    ran: wentOnStep,
  },
  unattended: {
    opened: stayStep,
    asked: backStep(askedAgainStep),
    answered: refuseStep("nobody-waits"),
    ruled: stayStep,
    ticked: tickedUnattendedStep,
    polled: backStep(polledStep),
    unpolled: stayStep,
    lost: stayStep,
    withdrawn: withdrawnStep,
    closed: closedElsewhere,
    extended: refuseStep("nobody-waits"),
    amended: amendedStep,
    settled: settledStep,
    failed: stayStep,
    restarted: restartedStep,
    ran: wentOnStep,
  },
  settling: {
    opened: stayStep,
    asked: askedAgainStep,
    answered: attemptedStep,
    ruled: stayStep,
    ticked: stayStep,
    polled: polledStep,
    unpolled: unpolledStep,
    lost: stayStep,
    withdrawn: refuseStep("ended"),
    closed: stayStep,
    extended: refuseStep("ended"),
    amended: amendedMeanwhileStep,
    settled: settledStep,
    failed: failedStep,
    restarted: restartedStep,
    ran: stayStep,
  },
  "answered-by-person": ENDED,
  "answered-by-policy": ENDED,
  defaulted: ENDED,
  withdrawn: ENDED,
  orphaned: ENDED,
};
