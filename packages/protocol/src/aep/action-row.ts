import type { JsonObject } from "../json.ts";
import type { AepRuleId } from "./rules.ts";

/**
 * One activity row: everything received about one action id of one session. `absent` is a row without any record; `left` was left to the
 * agent's own judgment; `waiting` waits on the agent's own prompt; `unknown` is a request whose session ended without an outcome, and
 * never counts as a success.
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

/** The state that each signal alone leads to. */
const AMOUNTS_TO: Readonly<Record<RowSignal, RowState>> = {
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
};
const RANKS: ReadonlyMap<RowState, number> = new Map(ROW_STATES.map((state, rank) => [state, rank]));

/** The result of a signal. An unexpected signal still moves the row, because it reports what happened. */
export interface RowStep {
  readonly state: RowState;
  readonly breaks: AepRuleId | undefined;
}

/**
 * Returns the row after a signal. The states are listed from weak to strong, and a row only moves to a stronger one, so any order and any
 * repetition of the same signals leads to the same state.
 */
export function stepRow(state: RowState, signal: RowSignal): RowStep {
  const target = AMOUNTS_TO[signal];
  const stronger = (RANKS.get(target) ?? 0) > (RANKS.get(state) ?? 0) ? target : state;
  return { state: stronger, breaks: brokenRule(state, signal) };
}

function brokenRule(state: RowState, signal: RowSignal): AepRuleId | undefined {
  const tells = signal === "denied" ? "denial" : isOutcome(AMOUNTS_TO[signal]) ? "outcome" : "answer";
  if (signal === "requested" || signal === "ended") return undefined;
  if (state === "absent") return tells === "answer" ? undefined : "aep/outcome-needs-request";
  if (state === "denied") return tells === "outcome" && signal !== "cancelled" ? "aep/ran-despite-denial" : undefined;
  if (!isOutcome(state)) return undefined;
  if (tells === "denial") return state === "cancelled" ? undefined : "aep/ran-despite-denial";
  return tells === "outcome" ? "aep/one-outcome" : "aep/response-before-outcome";
}

/** Whether the action is known to have ended, successfully or not. */
export function isOutcome(state: RowState): boolean {
  return state === "succeeded" || state === "failed" || state === "timed_out" || state === "cancelled";
}

/** Whether no further record is expected. */
export function isSettled(state: RowState): boolean {
  return state === "denied" || state === "unknown" || isOutcome(state);
}

/** Returns the signal that an event of this canonical type carries for its action; undefined if none. */
export function rowSignalOf(type: string, action: JsonObject): RowSignal | undefined {
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
