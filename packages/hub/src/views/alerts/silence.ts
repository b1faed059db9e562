import type { Activity } from "@earshot/protocol/activities";
import type { OpenQuestion } from "../open-questions.ts";
import { pauseOfState } from "../session-fold.ts";
import {
  type AlertThresholds,
  type Detector,
  describeDuration,
  NO_SIGHTINGS,
  type Sighting,
  type WatchContext,
  type WatchedEntry,
} from "./detector.ts";

/**
 * Detects silence of an active session: not ended, not waiting for a person, and not idle. The limit is shorter for sessions that send
 * heartbeats.
 */
export interface StallState {
  lastPosition: number;
  lastAt: number;
  heartbeats: boolean;
  working: boolean;
  opened: boolean;
  closed: boolean;
  raised: boolean;
}

export const stallDetector: Detector<StallState> = {
  open: () => ({
    lastPosition: 0,
    lastAt: 0,
    heartbeats: false,
    working: false,
    opened: false,
    closed: false,
    raised: false,
  }),

  apply(state, entry, context) {
    const late = noticeLate(silence(state, entry.receivedAt, context));
    applyEntry(state, entry);
    return late;
  },

  check: silence,

  dueAt(state, context) {
    return isExpected(state, context) ? dueOf(state, context) : undefined;
  },
};

function silence(state: StallState, now: number, context: WatchContext): readonly Sighting[] {
  if (!isExpected(state, context) || dueOf(state, context) > now) return NO_SIGHTINGS;
  state.raised = true;
  const limit = limitOf(state, context.thresholds);
  const message = `Nothing was heard from it for ${describeDuration(limit)}, although it had neither ended nor paused.`;
  return [{ severity: "warning", message, position: state.lastPosition, at: state.lastAt + limit }];
}

function isExpected(state: StallState, { thresholds, questions }: WatchContext): boolean {
  if (state.raised || state.closed || !state.working || state.lastPosition === 0) return false;
  return questions.open.length === 0 && limitOf(state, thresholds) > 0;
}

function dueOf(state: StallState, { thresholds, deafUntil = 0 }: WatchContext): number {
  return Math.max(state.lastAt, deafUntil) + limitOf(state, thresholds);
}

function limitOf({ heartbeats }: StallState, { stallSeconds, silenceSeconds }: AlertThresholds): number {
  return (heartbeats ? stallSeconds : silenceSeconds) * 1000;
}

function applyEntry(state: StallState, { activities, position, receivedAt }: WatchedEntry): void {
  state.lastPosition = position;
  state.lastAt = receivedAt;
  state.raised = false;
  for (const activity of activities) applyLife(state, activity);
}

function applyLife(state: StallState, activity: Activity): void {
  switch (activity.kind) {
    case "session.opened":
      // A late first start does not reopen an ended session; a second one does.
      if (state.opened) state.closed = false;
      state.opened = true;
      // Without a goal the session may be waiting for one.
      state.working = activity.goal !== undefined;
      break;
    case "session.closed":
      state.closed = true;
      state.heartbeats = false;
      break;
    case "turn.ended":
      state.working = false;
      break;
    case "heartbeat":
      state.heartbeats = true;
      if (activity.status !== undefined) state.working = pauseOfState(activity.status) === undefined;
      break;
    case "state":
      state.working = pauseOfState(activity.to) === undefined;
      break;
    case "notification":
    case "request.asked":
    case "request.answered":
    case "workspace.changed":
    case "context.compacted":
    case "custom":
      break; // happens while it works, and while it does not
    default:
      state.working = true;
  }
}

/** Detects a question that waits longer than the threshold, or than half of its own timeout if that is less. */
export const requestWaitingDetector: Detector<null> = {
  open: () => null,
  apply: (_, { receivedAt }, context) => noticeLate(overdue(receivedAt, context)),
  check: (_, now, context) => overdue(now, context),

  dueAt(_, context) {
    const due = context.questions.open.filter((question) => question[5] === 0).map((question) => answerDueAt(question, context));
    return due.length === 0 || context.thresholds.requestSeconds === 0 ? undefined : Math.min(...due);
  },
};

function overdue(now: number, context: WatchContext): readonly Sighting[] {
  const { thresholds, questions } = context;
  if (thresholds.requestSeconds === 0 || questions.open.length === 0) return NO_SIGHTINGS;
  const sightings: Sighting[] = [];
  for (const question of questions.open) {
    if (question[5] === 1 || answerDueAt(question, context) > now) continue;
    question[5] = 1;
    const [, , position, at] = question;
    const waited = patience(question, thresholds);
    const message = `A question has waited for an answer for ${describeDuration(waited)}.`;
    // Two questions in one entry are one alert.
    if (sightings.some((other) => other.position === position)) continue;
    sightings.push({ severity: "warning", message, position, at: at + waited });
  }
  return sightings;
}

function answerDueAt(question: OpenQuestion, { thresholds, deafUntil = 0 }: WatchContext): number {
  return Math.max(question[3], deafUntil) + patience(question, thresholds);
}

function patience([, , , , timeoutMs]: OpenQuestion, { requestSeconds }: AlertThresholds): number {
  return Math.min(requestSeconds * 1000, timeoutMs === null ? Number.POSITIVE_INFINITY : timeoutMs / 2);
}

/** Marks findings that had ended when an entry revealed them. */
function noticeLate(sightings: readonly Sighting[]): readonly Sighting[] {
  return sightings.map((sighting): Sighting => ({ ...sighting, late: true }));
}
