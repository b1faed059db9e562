import type { Activity } from "@earshot/protocol/activities";
import { shorten } from "../bounded.ts";
import { type CollectorCall, hearLikeCollector } from "./collector-loop.ts";
import type { AlertThresholds } from "./detector.ts";
import { type Detector, NOTHING, type Sighting, toldDuration } from "./detector.ts";
import { type JoinedCalls, joinCall, type WholeCall } from "./repeated-calls.ts";

/**
 * A loop: a tool is called again and again with similar input, and gives the same result every time. It is judged when a
 * call is whole, that is when both its input and its result are known, in whatever order they came. Another result to the
 * same input is progress, and ends the loop; so does a pause. Calls of other tools in between do not: agents also go round in
 * circles of several calls. Such a circle is told once, for the first of its calls that is made too often.
 */
export interface LoopState {
  readonly calls: JoinedCalls;
  /** What was asked last, the latest at the end. */
  readonly asked: Asked[];
  /** How many whole calls brought something new, and how many had when a loop was last told. */
  news: number;
  toldAt: number;
  /** For the rule of the official collector, in the place of all the above. */
  readonly collector: CollectorCall[];
}

/** One input of one tool, its last result, how often it came, when first and last, and whether that was told. */
type Asked = [input: number, result: number, times: number, since: number, last: number, told: 0 | 1];

/** An input that is not repeated while so many others are heard is in no loop. */
const MOST_ASKED = 32;
const MAX_NAME = 100;

export const loop: Detector<LoopState> = {
  open: () => ({ calls: [], asked: [], news: 0, toldAt: -1, collector: [] }),

  hear(state, { activities, position, receivedAt }, thresholds) {
    if (thresholds.loopCalls === 0) return NOTHING;
    let sighting: Sighting | undefined;
    for (const activity of activities) {
      const message = hearActivity(state, activity, receivedAt, thresholds);
      if (message !== undefined) sighting ??= { severity: "warning", message, position, at: receivedAt };
    }
    return sighting === undefined ? NOTHING : [sighting];
  },
};

function hearActivity(state: LoopState, activity: Activity, at: number, thresholds: AlertThresholds): string | undefined {
  switch (activity.kind) {
    case "tool.requested":
    case "tool.started":
    case "tool.ended": {
      if (thresholds.loopRule === "aop-collector") return hearLikeCollector(state.collector, activity, at);
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

/** Gives what was asked when that is too often for the first time. */
function count(state: LoopState, { input, result }: WholeCall, at: number, thresholds: AlertThresholds): Asked | undefined {
  const known = take(state.asked, input);
  const goesOn = known !== undefined && known[1] === result && at - known[4] <= thresholds.loopSeconds * 1000;
  const asked: Asked = goesOn ? [input, result, known[2] + 1, known[3], at, known[5]] : [input, result, 1, at, at, 0];
  state.asked.push(asked);
  if (!goesOn) state.news++;
  if (asked[2] < thresholds.loopCalls || asked[5] === 1 || state.toldAt === state.news) return undefined;
  asked[5] = 1;
  state.toldAt = state.news;
  return asked;
}

function take(all: Asked[], input: number): Asked | undefined {
  const index = all.findIndex((asked) => asked[0] === input);
  if (index >= 0) return all.splice(index, 1)[0];
  if (all.length >= MOST_ASKED) all.shift();
  return undefined;
}

function describe(tool: string, [, , times, since, last]: Asked): string {
  const name = tool === "" ? "A tool without a name" : `The tool "${shorten(tool, MAX_NAME)}"`;
  return `${name} was called ${times} times within ${toldDuration(last - since)} with similar input, and gave the same result each time.`;
}
