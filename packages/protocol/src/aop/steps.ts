import type { AopRuleId } from "./rules.ts";

/** The next state; or the broken rule and the state that best explains the following events. */
export type StepCell<State> = State | { readonly breaks: AopRuleId; readonly then: State };

const no = <State>(breaks: AopRuleId, then: State): StepCell<State> => ({ breaks, then });

export type AopPhase = "fresh" | "running" | "unannounced" | "ended" | "endedUnannounced";
export type SessionSignal = "started" | "startedLate" | "ended" | "endedLate" | "spoke" | "spokeLate" | "spokeBefore";

const UNSTARTED = "aop/started-first";
const STARTED_TWICE = "aop/started-once";
const ENDED_TWICE = "aop/ended-once";
const FOLLOWS_END = "aop/nothing-after-ended";

/**
 * One session, fed in order of sequence. Late signals arrived after their place had passed; `spokeBefore` is a late one with a number
 * below that of `session.started`. A session with events but no start is unannounced: the start may still arrive, so this is reported
 * when the session is closed.
 */
export const SESSION_STEPS: Readonly<Record<AopPhase, Readonly<Record<SessionSignal, StepCell<AopPhase>>>>> = {
  fresh: {
    started: "running",
    startedLate: "running",
    ended: "endedUnannounced",
    endedLate: "endedUnannounced",
    spoke: "unannounced",
    spokeLate: "unannounced",
    spokeBefore: "unannounced",
  },
  running: {
    started: no(STARTED_TWICE, "running"),
    startedLate: no(STARTED_TWICE, "running"),
    ended: "ended",
    endedLate: no(FOLLOWS_END, "ended"),
    spoke: "running",
    spokeLate: "running",
    spokeBefore: no(UNSTARTED, "running"),
  },
  unannounced: {
    started: no(UNSTARTED, "running"),
    startedLate: "running",
    ended: "endedUnannounced",
    endedLate: no(FOLLOWS_END, "endedUnannounced"),
    spoke: "unannounced",
    spokeLate: "unannounced",
    spokeBefore: "unannounced",
  },
  ended: {
    started: no(STARTED_TWICE, "ended"),
    startedLate: no(STARTED_TWICE, "ended"),
    ended: no(ENDED_TWICE, "ended"),
    endedLate: no(ENDED_TWICE, "ended"),
    spoke: no(FOLLOWS_END, "ended"),
    spokeLate: "ended",
    spokeBefore: no(UNSTARTED, "ended"),
  },
  endedUnannounced: {
    started: no(FOLLOWS_END, "ended"),
    startedLate: "ended",
    ended: no(ENDED_TWICE, "endedUnannounced"),
    endedLate: no(ENDED_TWICE, "endedUnannounced"),
    spoke: no(FOLLOWS_END, "endedUnannounced"),
    spokeLate: "endedUnannounced",
    spokeBefore: "endedUnannounced",
  },
};

export type GoalState = "unknown" | "set" | "in_progress" | "completed" | "abandoned";
export type GoalSignal = Exclude<GoalState, "unknown">;
const GOAL = "aop/goal-status-order";

/** One goal, identified by its text. A step may be skipped; going back, or changing a goal that was never set, is reported as info. */
export const GOAL_STEPS: Readonly<Record<GoalState, Readonly<Record<GoalSignal, StepCell<GoalState>>>>> = {
  unknown: {
    set: "set",
    in_progress: no(GOAL, "in_progress"),
    completed: no(GOAL, "completed"),
    abandoned: no(GOAL, "abandoned"),
  },
  set: { set: "set", in_progress: "in_progress", completed: "completed", abandoned: "abandoned" },
  in_progress: { set: no(GOAL, "set"), in_progress: "in_progress", completed: "completed", abandoned: "abandoned" },
  completed: { set: "set", in_progress: no(GOAL, "in_progress"), completed: "completed", abandoned: no(GOAL, "abandoned") },
  abandoned: { set: "set", in_progress: no(GOAL, "in_progress"), completed: no(GOAL, "completed"), abandoned: "abandoned" },
};

export type AopCallState = "unknown" | "open" | "orphan" | "closed" | "abandoned";
export type CallSignal = "start" | "startLate" | "end" | "endLate";

/**
 * One tool call. Late signals arrived after their place in the sequence had passed. An end without a start is kept as an orphan, because
 * its start may still arrive; it is reported when no more events follow. An abandoned call was reported as not ended, or was dropped to
 * stay within bounds.
 */
export const AOP_CALL_STEPS: Readonly<Record<AopCallState, Readonly<Record<CallSignal, StepCell<AopCallState>>>>> = {
  unknown: { start: "open", startLate: "open", end: "orphan", endLate: "orphan" },
  open: {
    start: no("aop/tool-call-id-unique", "open"),
    startLate: no("aop/tool-call-id-unique", "open"),
    end: "closed",
    endLate: "closed",
  },
  orphan: {
    start: no("aop/tool-end-needs-start", "closed"),
    startLate: "closed",
    end: no("aop/tool-ends-once", "orphan"),
    endLate: no("aop/tool-ends-once", "orphan"),
  },
  closed: {
    start: no("aop/tool-call-id-unique", "open"),
    startLate: no("aop/tool-call-id-unique", "closed"),
    end: no("aop/tool-ends-once", "closed"),
    endLate: no("aop/tool-ends-once", "closed"),
  },
  abandoned: {
    start: no("aop/tool-call-id-unique", "open"),
    startLate: no("aop/tool-call-id-unique", "abandoned"),
    end: "closed",
    endLate: "closed",
  },
};
