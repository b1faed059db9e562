import type { SessionCourse, StoryItem } from "@earshot/hub";
import { timeOfActivity } from "./rows.ts";
import { isOpen } from "./story-window.ts";

/** An agent's activity states, the same for all protocols. */
export const ACTIVITY_STATES = ["thinking", "working", "tool", "writing", "waiting", "idle"] as const;
export type CourseState = (typeof ACTIVITY_STATES)[number];

export const ACTIVITY_STATE_NAMES: Readonly<Record<CourseState, string>> = {
  thinking: "Thinking",
  working: "Working",
  tool: "Using a tool",
  writing: "Writing",
  waiting: "Waiting for you",
  idle: "Idle",
};

export interface Stretch {
  readonly state: CourseState;
  readonly from: number;
  readonly to: number;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** AAEP's standard states; agents may define others. */
const NAMED: Readonly<Record<string, CourseState>> = {
  idle: "idle",
  thinking: "thinking",
  deciding: "thinking",
  calling_tool: "tool",
  writing_output: "writing",
  awaiting_input: "waiting",
  handing_off: "waiting",
};

/** Maps activity kinds to the state that follows them, for agents that do not report states. */
const SAYS: Readonly<Partial<Record<StoryItem["activity"]["kind"], CourseState>>> = {
  "session.opened": "working",
  "turn.started": "working",
  prompt: "thinking",
  thought: "thinking",
  "output.chunk": "writing",
  response: "working",
  "turn.ended": "idle",
};

/**
 * Returns the agent's states over time, from the loaded part of the story. Calls and open questions override the last reported state: a
 * session that waits for a person is `waiting`.
 */
export function toStretches(items: readonly StoryItem[], now: number): readonly Stretch[] {
  const extent = extentOf(items, now);
  if (extent === undefined) return [];
  const changes = [
    ...baseOf(items).map(({ from, state }): Change => ({ at: from, tools: 0, waits: 0, state })),
    ...items.flatMap((item) => spanOfCall(item, extent.to)).flatMap((span) => edgesOf(span, { tools: 1, waits: 0 })),
    ...waitsOf(items, extent.to).flatMap((span) => edgesOf(span, { tools: 0, waits: 1 })),
    { at: extent.to, tools: 0, waits: 0 },
  ].sort((one, other) => one.at - other.at);
  const stretches: Stretch[] = [];
  let [from, tools, waits] = [extent.from, 0, 0];
  let base: CourseState = "working";
  for (const change of changes) {
    if (change.at > from) {
      const to = Math.min(change.at, extent.to);
      add(stretches, { state: waits > 0 ? "waiting" : tools > 0 ? "tool" : base, from, to });
      from = to;
    }
    tools += change.tools;
    waits += change.waits;
    base = change.state ?? base;
  }
  return stretches;
}

/** The states of a whole session by the hub's parts of its time. Calls alone are known: what an agent did between them is `working`. */
export function toWholeStretches({ from, to, buckets }: SessionCourse): readonly Stretch[] {
  const widthMs = (to - from) / buckets.length;
  const stretches: Stretch[] = [];
  for (const [index, { toolMs, waitingMs }] of buckets.entries()) {
    const state = waitingMs > 0 && waitingMs >= toolMs ? "waiting" : toolMs > widthMs / 4 ? "tool" : "working";
    add(stretches, { state, from: from + index * widthMs, to: from + (index + 1) * widthMs });
  }
  return stretches;
}

interface Change {
  readonly at: number;
  readonly tools: number;
  readonly waits: number;
  readonly state?: CourseState;
}

function edgesOf({ from, to }: Span, { tools, waits }: Pick<Change, "tools" | "waits">): readonly Change[] {
  return [
    { at: from, tools, waits },
    { at: to, tools: -tools, waits: -waits },
  ];
}

function add(stretches: Stretch[], stretch: Stretch): void {
  if (stretch.to <= stretch.from) return;
  const before = stretches.at(-1);
  if (before?.state === stretch.state) stretches[stretches.length - 1] = { ...before, to: stretch.to };
  else stretches.push(stretch);
}

/** Returns the time span of the items. A running session extends until now. */
export function extentOf(items: readonly StoryItem[], now: number): Span | undefined {
  const own = items.filter(({ continues }) => continues === undefined);
  if (own.length === 0) return undefined;
  const moments = own.map(timeOfActivity);
  const ends = own.flatMap((item) => spanOfCall(item, 0).map(({ to }) => to));
  const from = moments.reduce((least, at) => Math.min(least, at));
  const isOver = own.some(({ activity }) => activity.kind === "session.closed");
  const last = [...moments, ...ends].reduce((most, at) => Math.max(most, at));
  return { from, to: Math.max(from + 1, isOver || !own.some(isOpen) ? last : Math.max(last, now)) };
}

/**
 * Returns the start and end of a call by the producer's clock. The duration is measured by the hub's clock if the hub received both
 * events live.
 */
export function spanOfCall(item: StoryItem, now: number): readonly Span[] {
  const { call, continues, receivedAt } = item;
  if (call === undefined || continues !== undefined) return [];
  const from = timeOfActivity(item);
  if (call.endedAt === undefined) return isOpen(item) && now > from ? [{ from, to: now }] : [];
  const heardMs = call.endedAt - call.startedAt;
  const isLive = Math.abs(receivedAt - from) < LATE_MS && heardMs > SOON_MS;
  return [{ from, to: from + (isLive ? heardMs : (call.durationMs ?? heardMs)) }];
}

/** An event received this long after its own time was imported later. */
const LATE_MS = 60_000;
const SOON_MS = 20;

interface Mark {
  readonly from: number;
  readonly state: CourseState;
}

function baseOf(items: readonly StoryItem[]): readonly Mark[] {
  const isTold = items.some(({ activity }) => activity.kind === "state");
  return items.flatMap((item): readonly Mark[] => {
    const { activity } = item;
    if (activity.kind === "state") return [{ from: timeOfActivity(item), state: NAMED[activity.to] ?? "working" }];
    const state = isTold && activity.kind !== "session.opened" ? undefined : SAYS[activity.kind];
    return state === undefined ? [] : [{ from: timeOfActivity(item), state }];
  });
}

/** A call decided faster than this did not wait for a person. */
const MIN_WAIT_MS = 1000;

function waitsOf(items: readonly StoryItem[], now: number): readonly Span[] {
  return items.flatMap((item, index): readonly Span[] => {
    const { activity, call } = item;
    const from = timeOfActivity(item);
    if (call?.state === "waiting" && now > from) return [{ from, to: now }];
    if (call?.decidedAt !== undefined && call.decidedAt - from >= MIN_WAIT_MS) return [{ from, to: call.decidedAt }];
    if (activity.kind !== "request.asked" && activity.kind !== "handoff") return [];
    const answer = items
      .slice(index + 1)
      .find((one) => one.activity.kind === "request.answered" && one.activity.type !== "decision.extended");
    const next = items[index + 1];
    // Without a reported answer, the next item ends the wait.
    const end = answer ?? next;
    return [{ from, to: end === undefined ? now : timeOfActivity(end) }];
  });
}
