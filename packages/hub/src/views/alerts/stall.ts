import type { Activity } from "@earshot/protocol/activities";
import type { AlertThresholds } from "./detector.ts";
import { type Detector, type HeardEntry, NOTHING, type Sighting, type TimeOptions, toldDuration } from "./detector.ts";
import { hearQuestion, type OpenQuestions, openQuestions } from "./open-questions.ts";

/**
 * Silence of a session that should be at work. One that ended, that waits for a person, or that said that it does nothing may
 * be silent. Who sends heartbeats promises to be heard often, and is missed sooner than who sends none.
 */
export interface StallState {
  lastPosition: number;
  lastAt: number;
  heartbeats: boolean;
  working: boolean;
  opened: boolean;
  closed: boolean;
  told: boolean;
  readonly questions: OpenQuestions;
}

export const stall: Detector<StallState> = {
  open: () => ({
    lastPosition: 0,
    lastAt: 0,
    heartbeats: false,
    working: false,
    opened: false,
    closed: false,
    told: false,
    questions: openQuestions(),
  }),

  hear(state, entry, thresholds) {
    const late = silence(state, entry.receivedAt, { thresholds }).map((sighting): Sighting => ({ ...sighting, late: true }));
    take(state, entry);
    return late;
  },

  check: silence,

  dueAt(state, options) {
    return isExpected(state, options.thresholds) ? dueOf(state, options) : undefined;
  },
};

function silence(state: StallState, now: number, options: TimeOptions): readonly Sighting[] {
  const { thresholds } = options;
  if (!isExpected(state, thresholds) || dueOf(state, options) > now) return NOTHING;
  state.told = true;
  const limit = limitOf(state, thresholds);
  const message = `Nothing was heard from it for ${toldDuration(limit)}, although it had neither ended nor paused.`;
  return [{ severity: "warning", message, position: state.lastPosition, at: state.lastAt + limit }];
}

function isExpected(state: StallState, thresholds: AlertThresholds): boolean {
  if (state.told || state.closed || !state.working || state.lastPosition === 0) return false;
  return state.questions.open.length === 0 && limitOf(state, thresholds) > 0;
}

function dueOf(state: StallState, { thresholds, deafUntil = 0 }: TimeOptions): number {
  return Math.max(state.lastAt, deafUntil) + limitOf(state, thresholds);
}

function limitOf({ heartbeats }: StallState, { stallSeconds, silenceSeconds }: AlertThresholds): number {
  return (heartbeats ? stallSeconds : silenceSeconds) * 1000;
}

function take(state: StallState, { activities, position, receivedAt }: HeardEntry): void {
  state.lastPosition = position;
  state.lastAt = receivedAt;
  state.told = false;
  for (const activity of activities) {
    hearQuestion(state.questions, activity, position, receivedAt);
    hearLife(state, activity);
  }
}

function hearLife(state: StallState, activity: Activity): void {
  switch (activity.kind) {
    case "session.opened":
      // A start that comes late does not open what has ended; a second one does.
      if (state.opened) state.closed = false;
      state.opened = true;
      // Without a goal it may wait for one to be told.
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
      if (activity.status !== undefined) state.working = !isPause(activity.status);
      break;
    case "state":
      state.working = !isPause(activity.to);
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

function isPause(state: string): boolean {
  return /wait|await|paused|blocked/i.test(state) || /^(?:idle|ready|done|stopped|sleeping)$/i.test(state);
}
