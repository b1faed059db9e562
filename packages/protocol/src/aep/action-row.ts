import type { JsonObject } from "../json.ts";
import type { AepRuleId } from "./rules.ts";

/**
 * One activity row: everything that was heard about one action id of one session. `absent` is the row nobody has heard
 * of; `left` was left to the agent's own judgement; `waiting` waits on the agent's own prompt; `unknown` is a request
 * whose session ended without an outcome, and never counts as a success.
 */
export const ROW_STATES = [
  "absent",
  "requested",
  "left",
  "waiting",
  "paused",
  "approved",
  "unknown",
  "denied",
  "cancelled",
  "timed_out",
  "failed",
  "succeeded",
] as const;
export type RowState = (typeof ROW_STATES)[number];

export const ROW_SIGNALS = [
  "requested",
  "allow",
  "deny",
  "ask",
  "defer",
  "block",
  "continue",
  "stop",
  "abstain",
  "completed",
  "failed",
  "timed_out",
  "cancelled",
  "denied",
  "ended",
] as const;
export type RowSignal = (typeof ROW_SIGNALS)[number];

/** A signal that surprises still moves the row: what happened, happened. */
export interface Broken {
  readonly breaks: AepRuleId;
  readonly becomes: RowState;
}

const breaks = (rule: AepRuleId, becomes: RowState): Broken => ({ breaks: rule, becomes });

/**
 * A cell for every state and signal. The states are listed from weak to strong and a row only ever moves towards the
 * stronger one, so that any order and any repetition of the same signals ends in the same state.
 */
export const ROW_STEPS: Readonly<Record<RowState, Readonly<Record<RowSignal, RowState | Broken>>>> = {
  absent: {
    requested: "requested",
    allow: "approved",
    deny: "denied",
    ask: "waiting",
    defer: "paused",
    block: "denied",
    continue: "approved",
    stop: "denied",
    abstain: "left",
    completed: breaks("aep/outcome-needs-request", "succeeded"),
    failed: breaks("aep/outcome-needs-request", "failed"),
    timed_out: breaks("aep/outcome-needs-request", "timed_out"),
    cancelled: breaks("aep/outcome-needs-request", "cancelled"),
    denied: breaks("aep/outcome-needs-request", "denied"),
    ended: "unknown",
  },
  requested: {
    requested: "requested",
    allow: "approved",
    deny: "denied",
    ask: "waiting",
    defer: "paused",
    block: "denied",
    continue: "approved",
    stop: "denied",
    abstain: "left",
    completed: "succeeded",
    failed: "failed",
    timed_out: "timed_out",
    cancelled: "cancelled",
    denied: "denied",
    ended: "unknown",
  },
  left: {
    requested: "left",
    allow: "approved",
    deny: "denied",
    ask: "waiting",
    defer: "paused",
    block: "denied",
    continue: "approved",
    stop: "denied",
    abstain: "left",
    completed: "succeeded",
    failed: "failed",
    timed_out: "timed_out",
    cancelled: "cancelled",
    denied: "denied",
    ended: "unknown",
  },
  waiting: {
    requested: "waiting",
    allow: "approved",
    deny: "denied",
    ask: "waiting",
    defer: "paused",
    block: "denied",
    continue: "approved",
    stop: "denied",
    abstain: "waiting",
    completed: "succeeded",
    failed: "failed",
    timed_out: "timed_out",
    cancelled: "cancelled",
    denied: "denied",
    ended: "unknown",
  },
  paused: {
    requested: "paused",
    allow: "approved",
    deny: "denied",
    ask: "paused",
    defer: "paused",
    block: "denied",
    continue: "approved",
    stop: "denied",
    abstain: "paused",
    completed: "succeeded",
    failed: "failed",
    timed_out: "timed_out",
    cancelled: "cancelled",
    denied: "denied",
    ended: "unknown",
  },
  approved: {
    requested: "approved",
    allow: "approved",
    deny: "denied",
    ask: "approved",
    defer: "approved",
    block: "denied",
    continue: "approved",
    stop: "denied",
    abstain: "approved",
    completed: "succeeded",
    failed: "failed",
    timed_out: "timed_out",
    cancelled: "cancelled",
    denied: "denied",
    ended: "unknown",
  },
  unknown: {
    requested: "unknown",
    allow: "unknown",
    deny: "denied",
    ask: "unknown",
    defer: "unknown",
    block: "denied",
    continue: "unknown",
    stop: "denied",
    abstain: "unknown",
    completed: "succeeded",
    failed: "failed",
    timed_out: "timed_out",
    cancelled: "cancelled",
    denied: "denied",
    ended: "unknown",
  },
  denied: {
    requested: "denied",
    allow: "denied",
    deny: "denied",
    ask: "denied",
    defer: "denied",
    block: "denied",
    continue: "denied",
    stop: "denied",
    abstain: "denied",
    completed: breaks("aep/ran-despite-denial", "succeeded"),
    failed: breaks("aep/ran-despite-denial", "failed"),
    timed_out: breaks("aep/ran-despite-denial", "timed_out"),
    cancelled: "cancelled",
    denied: "denied",
    ended: "denied",
  },
  cancelled: {
    requested: "cancelled",
    allow: breaks("aep/response-before-outcome", "cancelled"),
    deny: breaks("aep/response-before-outcome", "cancelled"),
    ask: breaks("aep/response-before-outcome", "cancelled"),
    defer: breaks("aep/response-before-outcome", "cancelled"),
    block: breaks("aep/response-before-outcome", "cancelled"),
    continue: breaks("aep/response-before-outcome", "cancelled"),
    stop: breaks("aep/response-before-outcome", "cancelled"),
    abstain: breaks("aep/response-before-outcome", "cancelled"),
    completed: breaks("aep/one-outcome", "succeeded"),
    failed: breaks("aep/one-outcome", "failed"),
    timed_out: breaks("aep/one-outcome", "timed_out"),
    cancelled: breaks("aep/one-outcome", "cancelled"),
    denied: "cancelled",
    ended: "cancelled",
  },
  timed_out: {
    requested: "timed_out",
    allow: breaks("aep/response-before-outcome", "timed_out"),
    deny: breaks("aep/response-before-outcome", "timed_out"),
    ask: breaks("aep/response-before-outcome", "timed_out"),
    defer: breaks("aep/response-before-outcome", "timed_out"),
    block: breaks("aep/response-before-outcome", "timed_out"),
    continue: breaks("aep/response-before-outcome", "timed_out"),
    stop: breaks("aep/response-before-outcome", "timed_out"),
    abstain: breaks("aep/response-before-outcome", "timed_out"),
    completed: breaks("aep/one-outcome", "succeeded"),
    failed: breaks("aep/one-outcome", "failed"),
    timed_out: breaks("aep/one-outcome", "timed_out"),
    cancelled: breaks("aep/one-outcome", "timed_out"),
    denied: breaks("aep/ran-despite-denial", "timed_out"),
    ended: "timed_out",
  },
  failed: {
    requested: "failed",
    allow: breaks("aep/response-before-outcome", "failed"),
    deny: breaks("aep/response-before-outcome", "failed"),
    ask: breaks("aep/response-before-outcome", "failed"),
    defer: breaks("aep/response-before-outcome", "failed"),
    block: breaks("aep/response-before-outcome", "failed"),
    continue: breaks("aep/response-before-outcome", "failed"),
    stop: breaks("aep/response-before-outcome", "failed"),
    abstain: breaks("aep/response-before-outcome", "failed"),
    completed: breaks("aep/one-outcome", "succeeded"),
    failed: breaks("aep/one-outcome", "failed"),
    timed_out: breaks("aep/one-outcome", "failed"),
    cancelled: breaks("aep/one-outcome", "failed"),
    denied: breaks("aep/ran-despite-denial", "failed"),
    ended: "failed",
  },
  succeeded: {
    requested: "succeeded",
    allow: breaks("aep/response-before-outcome", "succeeded"),
    deny: breaks("aep/response-before-outcome", "succeeded"),
    ask: breaks("aep/response-before-outcome", "succeeded"),
    defer: breaks("aep/response-before-outcome", "succeeded"),
    block: breaks("aep/response-before-outcome", "succeeded"),
    continue: breaks("aep/response-before-outcome", "succeeded"),
    stop: breaks("aep/response-before-outcome", "succeeded"),
    abstain: breaks("aep/response-before-outcome", "succeeded"),
    completed: breaks("aep/one-outcome", "succeeded"),
    failed: breaks("aep/one-outcome", "succeeded"),
    timed_out: breaks("aep/one-outcome", "succeeded"),
    cancelled: breaks("aep/one-outcome", "succeeded"),
    denied: breaks("aep/ran-despite-denial", "succeeded"),
    ended: "succeeded",
  },
};

/** The row after a signal, and the rule that was broken by it, if any. */
export function stepRow(state: RowState, signal: RowSignal): RowState | Broken {
  return ROW_STEPS[state][signal];
}

/** The row that a set of signals adds up to, whatever their order: for a hub that joins records of several sources. */
export function actionRow(signals: Iterable<RowSignal>, from: RowState = "absent"): RowState {
  let state = from;
  for (const signal of signals) {
    const next = ROW_STEPS[state][signal];
    state = typeof next === "string" ? next : next.becomes;
  }
  return state;
}

/** Whether the action is known to have ended, one way or the other. */
export function isOutcome(state: RowState): boolean {
  return state === "succeeded" || state === "failed" || state === "timed_out" || state === "cancelled";
}

/** Whether nothing more is expected. */
export function isSettled(state: RowState): boolean {
  return state === "denied" || state === "unknown" || isOutcome(state);
}

/** What an event of this canonical type says about its action; undefined when it says nothing. */
export function signalOf(type: string, action: JsonObject): RowSignal | undefined {
  switch (type) {
    case "action.requested":
      return "requested";
    case "action.completed":
      return "completed";
    case "action.denied":
      return "denied";
    case "action.failed":
      if (action["status"] === "timeout") return "timed_out";
      return action["status"] === "cancelled" ? "cancelled" : "failed";
    default:
      return undefined;
  }
}
