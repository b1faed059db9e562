import type { Activity, ActivityKind } from "@earshot/protocol/activities";
import type { AnnouncementSubject, Urgency } from "./announcement.ts";
import type { AnnouncerSettings } from "./settings.ts";

/** The importance of an activity to a listener. */
export interface Weight {
  readonly urgency: Urgency;
  readonly about: AnnouncementSubject;
  /** The lowest load at which it is announced on its own; `never` if it is only counted. */
  readonly from: AnnouncerSettings["load"] | "never";
  /** On overflow, items of higher worth stay longer. */
  readonly worth: number;
}

const BUSY: Weight = { urgency: "background", about: "message", from: "high", worth: 0 };
const SILENT: Weight = { ...BUSY, from: "never" };
const TOOL: Weight = { urgency: "normal", about: "tool", from: "medium", worth: 1 };
const MESSAGE: Weight = { urgency: "normal", about: "message", from: "medium", worth: 2 };
const FAILURE: Weight = { urgency: "normal", about: "failure", from: "medium", worth: 4 };
const ENDED: Weight = { urgency: "normal", about: "ended", from: "low", worth: 5 };
const REQUEST: Weight = { urgency: "critical", about: "request", from: "low", worth: 9 };

/** One entry per kind, so that the compiler finds a missing one. */
const WEIGHTS: Readonly<Record<ActivityKind, Weight>> = {
  "session.opened": { urgency: "normal", about: "started", from: "medium", worth: 3 },
  "session.closed": ENDED,
  "turn.started": BUSY,
  "turn.ended": { ...ENDED, urgency: "background", about: "state" },
  state: { urgency: "background", about: "state", from: "medium", worth: 0 },
  progress: { urgency: "background", about: "state", from: "medium", worth: 0 },
  thought: BUSY,
  goal: BUSY,
  decision: { ...MESSAGE, urgency: "background" },
  uncertainty: MESSAGE,
  prompt: BUSY,
  response: { urgency: "normal", about: "output", from: "low", worth: 4 },
  "output.chunk": { urgency: "normal", about: "output", from: "low", worth: 4 },
  "tool.requested": TOOL,
  "tool.decided": { ...TOOL, urgency: "background", from: "high" },
  "tool.started": TOOL,
  "tool.ended": { ...TOOL, urgency: "background", worth: 0 },
  "request.asked": REQUEST,
  "request.answered": SILENT,
  handoff: REQUEST,
  "subagent.started": TOOL,
  "subagent.ended": { ...MESSAGE, worth: 3 },
  memory: BUSY,
  "external.call": BUSY,
  "context.compacted": { ...MESSAGE, urgency: "background", worth: 1 },
  "workspace.changed": BUSY,
  plan: { ...MESSAGE, urgency: "background" },
  notification: MESSAGE,
  error: FAILURE,
  heartbeat: SILENT,
  custom: MESSAGE,
};

/** The end of a call this long is worth announcing. */
const LONG_MS = 10_000;

/**
 * The weight of an activity. Requests and failures are always critical, as are events marked critical. A failed tool or test is neither,
 * because the agent continues.
 */
export function weighActivity(activity: Activity, verbosity: AnnouncerSettings["verbosity"]): Weight {
  const weight = weightOf(activity, verbosity);
  if (weight.urgency === "critical" || activity.urgency === undefined) return weight;
  if (activity.urgency === "critical") return { ...weight, urgency: "critical", from: "low" };
  return activity.kind === "state" ? weight : { ...weight, urgency: activity.urgency };
}

function weightOf(activity: Activity, verbosity: AnnouncerSettings["verbosity"]): Weight {
  const weight = Object.hasOwn(WEIGHTS, activity.kind) ? WEIGHTS[activity.kind] : SILENT;
  switch (activity.kind) {
    case "session.closed":
      return activity.outcome === "failed" ? { ...weight, urgency: "critical", about: "failure" } : weight;
    case "tool.ended":
      if (activity.outcome === "failed" || activity.outcome === "timeout") return FAILURE;
      if (activity.outcome === "denied") return { ...TOOL, worth: 2 };
      // After an announced start, success is only announced with a written summary or after a long wait.
      if (activity.summary !== undefined || verbosity === "detailed" || (activity.durationMs ?? 0) >= LONG_MS) return weight;
      return SILENT;
    case "tool.decided":
      if (activity.verdict === "asked") return REQUEST;
      return activity.verdict === "denied" ? { ...TOOL, worth: 2 } : weight;
    case "output.chunk":
      return activity.of === "thought" ? SILENT : weight;
    case "custom":
      return activity.summary === undefined ? { ...weight, urgency: "background", worth: 0 } : weight;
    default:
      return weight;
  }
}

const LOADS = { low: 0, medium: 1, high: 2, never: 3 } as const;

export function isAnnouncedAt(load: AnnouncerSettings["load"], { from }: Weight): boolean {
  return LOADS[from] <= LOADS[load];
}
