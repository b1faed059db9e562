import { isObject, type JsonValue } from "@earshot/protocol";
import { isAnswerWord, type RequestAnswer } from "./answer.ts";
import type { HoldingView } from "./api.ts";

/** Settings by people for all requests or for a session. A plain value: each change is stored whole. */
export interface Control {
  readonly pause: { readonly until: number; readonly by: string; readonly reason: string } | null;
  readonly away: { readonly since: number; readonly by: string } | null;
  readonly stopped: readonly StoppedSession[];
  readonly kept: readonly KeptAnswer[];
  readonly deferred: readonly string[];
  readonly remembered: readonly RememberedRule[];
}

/** A permission for more than one action: `always` is in the rules file, the others only here. */
export interface RememberedRule {
  readonly name: string;
  readonly yaml: string;
  readonly scope: "session" | "project" | "always";
  /** The decision that it came from. */
  readonly request: string;
  readonly source: string;
  readonly session: string;
  readonly by: string;
  readonly at: number;
  readonly until: number | null;
}

export interface StoppedSession {
  readonly protocol: string;
  readonly source: string;
  readonly session: string;
  readonly by: string;
  readonly at: number;
  readonly reason?: string;
}

/** An answer for the next identical question: same session, same digest, once. */
export interface KeptAnswer {
  readonly request: string;
  readonly source: string;
  readonly session: string;
  readonly digest: string;
  readonly answer: RequestAnswer;
  readonly by: string;
  readonly until: number;
}

export const NO_CONTROL: Control = { pause: null, away: null, stopped: [], kept: [], deferred: [], remembered: [] };
/** The oldest are dropped. */
const MAX_KEPT = 100;
const MAX_STOPPED = 1000;
const MAX_REMEMBERED = 100;

/** The settings at a time: pauses and kept answers expire by themselves. */
export function controlAt(control: Control, now: number): Control {
  const { pause } = control;
  return {
    ...control,
    pause: pause !== null && pause.until > now ? pause : null,
    kept: control.kept.filter(({ until }) => until > now).slice(-MAX_KEPT),
    stopped: control.stopped.slice(-MAX_STOPPED),
    deferred: control.deferred.slice(-MAX_KEPT),
    remembered: control.remembered.filter(({ until }) => until === null || until > now).slice(-MAX_REMEMBERED),
  };
}

/** Parses stored settings, possibly of another version. */
export function readControl(value: JsonValue | undefined): Control {
  if (!isObject(value)) return NO_CONTROL;
  const { pause, away, stopped, kept, deferred, remembered } = value as unknown as Partial<Control>;
  return {
    pause: pause ?? null,
    away: away ?? null,
    stopped: Array.isArray(stopped) ? stopped : [],
    kept: Array.isArray(kept) ? kept.filter((one: KeptAnswer) => isAnswerWord(one?.answer?.word)) : [],
    deferred: Array.isArray(deferred) ? deferred : [],
    remembered: Array.isArray(remembered) ? remembered : [],
  };
}

export interface Presence {
  readonly isPaused: boolean;
  readonly isAway: boolean;
  readonly isActive: boolean;
  readonly hasApprover: boolean;
}

export function describeHolding({ isPaused, isAway, isActive, hasApprover }: Presence): HoldingView {
  if (isPaused) {
    return { holds: "nothing", words: "Nothing is held: Earshot is paused.", change: "End the pause: earshot pause off." };
  }
  if (isAway)
    return { holds: "everything", words: "Everything that a rule asks about waits: an approver is away and can be reached.", change: null };
  if (isActive) return { holds: "everything", words: "Everything that a rule asks about waits: an approver is here.", change: null };
  if (hasApprover) {
    return {
      holds: "dangerous",
      words: "Only what is dangerous waits: no approver was active in the last five minutes. The rest is left to the agents.",
      change: "Do something in the Inbox, or let everything wait with earshot away.",
    };
  }
  return {
    holds: "nothing",
    words: "Nothing is held: no approver is set up.",
    change: "Run earshot start in a terminal and follow the link.",
  };
}
