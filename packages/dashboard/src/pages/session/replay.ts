import type { StoryItem } from "@earshot/hub";
import { ACTIVITY_STATE_NAMES, extentOf, type Stretch, spanOfCall } from "./course.ts";
import { type TimelineRow, timeOfActivity } from "./rows.ts";
import { toSpending } from "./spending.ts";

/** Returns the story as of the moment after an item: later facts are not known yet. */
export function storyAsOf(rows: readonly TimelineRow[], last: number): readonly TimelineRow[] {
  const moment = rows[last]?.at;
  if (moment === undefined) return rows;
  return rows.slice(0, last + 1).map((row) => {
    const item = before(row.item, moment);
    return item === row.item ? row : { ...row, item };
  });
}

/** Shows a call that had not ended at this moment as running. */
function before(item: StoryItem, moment: number): StoryItem {
  const { call } = item;
  const [span] = spanOfCall(item, moment);
  if (call === undefined || call.endedAt === undefined || span === undefined || span.to <= moment) return item;
  const { endedAt: _ended, durationMs: _duration, result: _result, error: _error, metadata: _metadata, ...begun } = call;
  return { ...item, call: { ...begun, state: "running", marks: [] } };
}

export interface ReplayState {
  readonly at: number;
  readonly state: string | undefined;
  readonly running: readonly string[];
  readonly costUsd: number | undefined;
  readonly tokens: number | undefined;
}

/** Returns the state at a moment. */
export function replayStateAt(items: readonly StoryItem[], stretches: readonly Stretch[], moment: number): ReplayState {
  const past = items.filter((item) => timeOfActivity(item) <= moment);
  const end = extentOf(items, moment)?.to ?? moment;
  const running = past.flatMap((item) => {
    const [span] = spanOfCall(item, end);
    return span !== undefined && span.to > moment && item.call !== undefined ? [item.call.tool] : [];
  });
  const spent = toSpending(items).findLast(({ at }) => at <= moment);
  const stretch = stretches.findLast(({ from }) => from <= moment);
  return {
    at: moment,
    state: stretch === undefined ? undefined : ACTIVITY_STATE_NAMES[stretch.state],
    running,
    costUsd: spent?.costUsd,
    tokens: spent?.tokens,
  };
}
