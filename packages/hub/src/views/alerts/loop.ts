import type { Activity } from "@earshot/protocol/activities";
import { beginningOf, hash53, shorten } from "../bounded.ts";
import { type AlertThresholds, type Detector, describeDuration, NO_SIGHTINGS, type Sighting } from "./detector.ts";
import { joinCall, type RecentCalls, type WholeCall } from "./repeated-calls.ts";

/**
 * Detects a tool that is called repeatedly with similar input and returns the same result each time. A call is judged once both input and
 * result are known, in any order. A different result for the same input is progress and ends the loop, as does a pause. Calls of other
 * tools in between do not, because agents also loop through several calls; such a loop is raised once, for the first of its calls that
 * repeats too often.
 */
export interface LoopState {
  readonly calls: RecentCalls;
  /** Recent inputs, latest last. */
  readonly asked: Asked[];
  /** Number of complete calls with a new result, now and when a loop was last raised. */
  news: number;
  raisedAt: number;
  /** Used by the official collector's rule instead of the members above. */
  readonly collector: CollectorCall[];
}

/** One input of one tool: its last result, number of calls, first and last time, and whether an alert was raised. */
type Asked = [input: number, result: number, times: number, since: number, last: number, raised: 0 | 1];

/** An input not repeated within this many others is not in a loop. */
const MAX_COMPARED_INPUTS = 32;
const MAX_NAME = 100;

export const loopDetector: Detector<LoopState> = {
  open: () => ({ calls: [], asked: [], news: 0, raisedAt: -1, collector: [] }),

  apply(state, { activities, position, receivedAt }, { thresholds }) {
    if (thresholds.loopCalls === 0) return NO_SIGHTINGS;
    let sighting: Sighting | undefined;
    for (const activity of activities) {
      const message = applyActivity(state, activity, receivedAt, thresholds);
      if (message !== undefined) sighting ??= { severity: "warning", message, position, at: receivedAt };
    }
    return sighting === undefined ? NO_SIGHTINGS : [sighting];
  },
};

function applyActivity(state: LoopState, activity: Activity, at: number, thresholds: AlertThresholds): string | undefined {
  switch (activity.kind) {
    case "tool.requested":
    case "tool.started":
    case "tool.ended": {
      if (thresholds.loopRule === "aop-collector") return applyCollectorRule(state.collector, activity, at);
      const call = joinCall(state.calls, activity);
      const asked = call === undefined ? undefined : count(state, call, at, thresholds);
      return asked === undefined ? undefined : describe(activity.tool, asked);
    }
    case "session.closed":
      state.calls.length = 0;
      state.asked.length = 0;
      state.collector.length = 0;
      return undefined;
    default:
      return undefined;
  }
}

/** Returns the input when its count first exceeds the threshold. */
function count(state: LoopState, { input, result }: WholeCall, at: number, thresholds: AlertThresholds): Asked | undefined {
  const known = take(state.asked, input);
  const goesOn = known !== undefined && known[1] === result && at - known[4] <= thresholds.loopSeconds * 1000;
  const asked: Asked = goesOn ? [input, result, known[2] + 1, known[3], at, known[5]] : [input, result, 1, at, at, 0];
  state.asked.push(asked);
  if (!goesOn) state.news++;
  if (asked[2] < thresholds.loopCalls || asked[5] === 1 || state.raisedAt === state.news) return undefined;
  asked[5] = 1;
  state.raisedAt = state.news;
  return asked;
}

function take(all: Asked[], input: number): Asked | undefined {
  const index = all.findIndex((asked) => asked[0] === input);
  if (index >= 0) return all.splice(index, 1)[0];
  if (all.length >= MAX_COMPARED_INPUTS) all.shift();
  return undefined;
}

function describe(tool: string, [, , times, since, last]: Asked): string {
  const name = tool === "" ? "A tool without a name" : `The tool "${shorten(tool, MAX_NAME)}"`;
  return `${name} was called ${times} times within ${describeDuration(last - since)} with similar input, and gave the same result each time.`;
}

/** Hashes of the tool's name and of the beginning of its input, and the time the call was stored. */
type CollectorCall = readonly [tool: number, input: number, at: number];

/** Limits of the official AOP collector. */
const COLLECTOR_CALLS = 5;
const COLLECTOR_WINDOW_MS = 60_000;
const COLLECTOR_SIMILARITY = 0.4;
const COLLECTOR_INPUT_CHARACTERS = 200;
/** Of more calls within the window, only the last ones count. */
const MAX_COLLECTOR_CALLS = 128;

/**
 * The loop rule of the official AOP collector: one tool starts this often within a minute and this share of its inputs repeats. Results
 * are ignored. An alert clears the list.
 */
function applyCollectorRule(calls: CollectorCall[], activity: Activity, at: number): string | undefined {
  if (activity.kind !== "tool.started") return undefined;
  const tool = hash53(activity.tool);
  calls.push([tool, hash53(beginningOf(activity.input, COLLECTOR_INPUT_CHARACTERS)), at]);
  let gone = Math.max(0, calls.length - MAX_COLLECTOR_CALLS);
  while (gone < calls.length && at - (calls[gone]?.[2] ?? at) >= COLLECTOR_WINDOW_MS) gone++;
  calls.splice(0, gone);

  const inputs = calls.filter((call) => call[0] === tool).map((call) => call[1]);
  if (inputs.length < COLLECTOR_CALLS || 1 - new Set(inputs).size / inputs.length < COLLECTOR_SIMILARITY) return undefined;
  calls.length = 0;
  return `The tool "${shorten(activity.tool, MAX_NAME)}" was called ${inputs.length} times within 60 seconds with similar inputs.`;
}
