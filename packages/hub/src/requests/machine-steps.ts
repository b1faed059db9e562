import type { SettledState } from "../request.ts";
import { isConsent, type RequestAnswer } from "./answer.ts";
import type { Effect, InputName, MachineInput, MachineStep, MachineTerms, RequestEnding, RequestMachine } from "./machine-types.ts";

/** Announced this long before the end. */
export const LAST_CALL_BEFORE_END_MS = 20_000;
/** A polling asker begins its next poll within this time. After two misses nobody waits. */
export const POLL_INTERVAL_MS = 5000;
export const MAX_MISSED_POLLS = 2;
/** Without a deadline, a question for which nobody waits is abandoned after this. */
export const ABANDON_AFTER_MS = 600_000;
export const MAX_EXTENSIONS = 20;

/** The asker's answer without a decision. Silence is never consent to something irreversible. */
export function silentAnswer({ silence, risky, refusal }: MachineTerms): RequestAnswer {
  return risky && isConsent(silence) ? { word: refusal } : silence;
}

/** The transition of one phase and input. */
export type Transition = (machine: RequestMachine, input: MachineInput, now: number) => MachineStep;
type Of<Name extends InputName> = Extract<MachineInput, { readonly name: Name }>;

const NOTHING: readonly Effect[] = [];
export const stayStep: Transition = (machine) => ({ machine, effects: NOTHING });

/** A cell typed by its input: the table pairs them. */
function on<Name extends InputName>(cell: (machine: RequestMachine, input: Of<Name>, now: number) => MachineStep): Transition {
  return (machine, input, now) => cell(machine, input as Of<Name>, now);
}

export const refuseStep =
  (why: Extract<Effect, { kind: "refuse" }>["why"]): Transition =>
  (machine) => ({ machine, effects: [{ kind: "refuse", why }] });

/** The ledger decides who was first; until then the machine starts nothing else. */
function settle(
  machine: RequestMachine,
  state: SettledState,
  by: string,
  answer: RequestAnswer,
  more: Partial<RequestEnding> = {},
): MachineStep {
  const settlement: RequestEnding = { digest: machine.terms.digest, ...more, state, by, answer };
  return { machine: { ...machine, phase: "settling" }, effects: [{ kind: "settle", settlement }] };
}

export const openedStep: Transition = (machine, _input, now) => ({
  machine: { ...machine, phase: "waiting", heardAt: now },
  effects: [{ kind: "tell", what: "asked" }],
});

export const answeredStep = on<"answered">((machine, { by, answer, digest, reason }) => {
  const more = { digest, ...(reason === undefined ? {} : { reason }) };
  return settle(machine, "answered-by-person", by, answer, more);
});

/** An answer that may be late or about something else: the ledger records it, and the state stays. */
export const attemptedStep = on<"answered">((machine, input) => {
  const attempt = answeredStep(machine, input, 0).effects;
  return {
    machine,
    effects: input.keep === true && isKeepable(machine) ? [...attempt, { kind: "keep", answer: input.answer, by: input.by }] : attempt,
  };
});

/** Whether a late allow may be kept: nobody has refused, or the action was deferred. */
export function isKeepable({ settlement }: RequestMachine): boolean {
  if (settlement === null) return false;
  const { state, answer } = settlement;
  return state === "defaulted" || state === "orphaned" || (state === "answered-by-person" && answer.word === "defer");
}

export const ruledStep = on<"ruled">((machine, { rule, answer }) => settle(machine, "answered-by-policy", `policy: ${rule}`, answer));

/** The answer for an asker that ended or lost its own question: the unanswered default, but never an allow. */
function endedAnswer(terms: MachineTerms): RequestAnswer {
  const answer = silentAnswer(terms);
  return isConsent(answer) ? { word: "abstain" } : answer;
}

export const withdrawnStep = on<"withdrawn">((machine, { by, reason, asker }) =>
  settle(machine, "withdrawn", by, asker ? endedAnswer(machine.terms) : { word: "abstain" }, { reason }),
);
export const closedElsewhere = on<"closed">((machine, { reason }) =>
  settle(machine, "withdrawn", "hub", endedAnswer(machine.terms), { reason }),
);
export const wentOnStep: Transition = (machine) => {
  const step = settle(machine, "withdrawn", "hub", endedAnswer(machine.terms), { reason: "It went on without waiting for an answer." });
  return { ...step, effects: [...step.effects, { kind: "alarm", what: "ran-while-open" }] };
};

function unlessExtended({ deadlineAt }: RequestMachine): Partial<RequestEnding> {
  return deadlineAt === null ? {} : { deadlineAt };
}

export function halfTime({ begun, deadline }: RequestMachine): number {
  return deadline === null ? Number.POSITIVE_INFINITY : begun + (deadline - begun) / 2;
}

export const tickedWaitingStep = on<"ticked">((machine, { reason = "No answer." }, now) => {
  const { deadline, terms, polls, heardAt, told } = machine;
  if (deadline !== null && now >= deadline) {
    return settle(machine, "defaulted", terms.silenceBy, silentAnswer(terms), { reason, ...unlessExtended(machine) });
  }
  if (terms.polls && polls === 0 && now - heardAt >= MAX_MISSED_POLLS * POLL_INTERVAL_MS) return unattendedStep(machine);
  if (deadline !== null && told !== "last-call" && now >= deadline - LAST_CALL_BEFORE_END_MS) {
    return { machine: { ...machine, told: "last-call" }, effects: [{ kind: "tell", what: "last-call" }] };
  }
  if (told === "nothing" && now >= halfTime(machine)) {
    return { machine: { ...machine, told: "half-time" }, effects: [{ kind: "tell", what: "half-time" }] };
  }
  return { machine, effects: NOTHING };
});

/** Nobody hears a default, so it is not announced as one. */
export const tickedUnattendedStep: Transition = (machine, _input, now) => {
  const { deadline, heardAt } = machine;
  const isOver = deadline === null ? now - heardAt >= ABANDON_AFTER_MS : now >= deadline;
  if (!isOver) return { machine, effects: NOTHING };
  return settle(machine, "orphaned", "hub", endedAnswer(machine.terms), {
    reason: "Nobody waited for the answer any more.",
    ...unlessExtended(machine),
  });
};

export const unattendedStep = (machine: RequestMachine): MachineStep => ({
  machine: { ...machine, phase: "unattended", polls: 0 },
  effects: [{ kind: "tell", what: "unattended" }],
});

export const polledStep: Transition = (machine, _input, now) => ({
  machine: { ...machine, polls: machine.polls + 1, heardAt: now },
  effects: NOTHING,
});
export const unpolledStep: Transition = (machine, _input, now) => ({
  machine: { ...machine, polls: Math.max(0, machine.polls - 1), heardAt: now },
  effects: NOTHING,
});
export const askedAgainStep: Transition = (machine, _input, now) => ({ machine: { ...machine, heardAt: now }, effects: NOTHING });

export const backStep =
  (cell: Transition): Transition =>
  (machine, input, now) => {
    const { machine: heard } = cell(machine, input, now);
    return { machine: { ...heard, phase: "waiting" }, effects: [{ kind: "tell", what: "attended" }] };
  };

export const extendedStep = on<"extended">((machine, { by }, now) => {
  const { deadline, deadlineAt, terms, extensions } = machine;
  const left = deadline === null ? 0 : Math.max(0, deadline - now);
  const moreMs = Math.min(terms.moreTimeMs, (terms.latestMs ?? Number.POSITIVE_INFINITY) - (now - machine.begun) - left);
  if (deadlineAt === null || extensions >= MAX_EXTENSIONS || moreMs <= 0)
    return refuseStep("not-extendable")(machine, { name: "ticked" }, now);
  return { machine, effects: [{ kind: "amend", by, deadlineAt: deadlineAt + moreMs }] };
});

/** Repeated or already known, it changes nothing. */
export const amendedStep = on<"amended">((machine, { deadlineAt }) => {
  const { deadline, extensions } = machine;
  const moreMs = deadlineAt - (machine.deadlineAt ?? deadlineAt);
  if (deadline === null || moreMs <= 0) return { machine, effects: NOTHING };
  // There is no second half-time announcement, but the last seconds are announced again.
  const more: RequestMachine = { ...machine, deadline: deadline + moreMs, deadlineAt, told: "half-time", extensions: extensions + 1 };
  return { machine: more, effects: [{ kind: "tell", what: "extended" }] };
});

/** It was about to end and was extended. */
export const amendedMeanwhileStep: Transition = (machine, input, now) => amendedStep({ ...machine, phase: "waiting" }, input, now);

/** The ledger's settlement is the only thing the asker hears. */
export const settledStep = on<"settled">((machine, { settlement }) => ({
  machine: { ...machine, phase: settlement.state, settlement },
  effects: [
    { kind: "release", settlement },
    { kind: "tell", what: "decided" },
  ],
}));

/** The ledger could not write: the request stays open and is tried again when due. */
export const failedStep: Transition = (machine) => ({ machine: { ...machine, phase: "waiting" }, effects: NOTHING });

export const settleAgainStep: Transition = (machine) => ({
  machine,
  effects: machine.settlement === null ? NOTHING : [{ kind: "release", settlement: machine.settlement }],
});

export const restartedStep = on<"restarted">((machine, { wallLeftMs }, now) => {
  const { terms } = machine;
  const left = terms.timeMs === null || wallLeftMs === null ? null : Math.max(0, Math.min(terms.timeMs, wallLeftMs));
  const deadline = left === null ? null : now + left;
  const begun = now - ((terms.timeMs ?? 0) - (left ?? 0));
  const phase = terms.polls ? "unattended" : "waiting";
  return { machine: { ...machine, phase, deadline, begun, polls: 0, heardAt: now }, effects: NOTHING };
});

/** It ran although it was denied, or unanswered with a default of deny, or the agent was told to ask and did not. */
export const ranStep = on<"ran">((machine, { unseen }) => {
  const answer = machine.settlement?.answer;
  if (answer !== undefined && isRefusal(answer)) return { machine, effects: [{ kind: "alarm", what: "ran-despite-refusal" }] };
  return { machine, effects: answer?.word === "ask" && unseen ? [{ kind: "alarm", what: "ran-unasked" }] : NOTHING };
});
const REFUSING: ReadonlySet<string> = new Set(["deny", "reject", "block", "stop"]);

export function isRefusal({ word }: RequestAnswer): boolean {
  return REFUSING.has(word);
}
