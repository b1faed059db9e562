import type { StoryItem } from "@earshot/hub";
import { extentOf, STATE_WORDS, type Stretch, spanOfCall } from "./course.ts";
import { momentOf, type Row } from "./rows.ts";
import { toSpending } from "./spending.ts";

/** Returns the story as of the moment after an item: later facts are not known yet. */
export function asOf(rows: readonly Row[], last: number): readonly Row[] {
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

export interface Standing {
  readonly at: number;
  readonly state: string | undefined;
  readonly running: readonly string[];
  readonly costUsd: number | undefined;
  readonly tokens: number | undefined;
}

/** Returns the state at a moment. */
export function standingAt(items: readonly StoryItem[], stretches: readonly Stretch[], moment: number): Standing {
  const past = items.filter((item) => momentOf(item) <= moment);
  const end = extentOf(items, moment)?.to ?? moment;
  const running = past.flatMap((item) => {
    const [span] = spanOfCall(item, end);
    return span !== undefined && span.to > moment && item.call !== undefined ? [item.call.tool] : [];
  });
  const spent = toSpending(items).findLast(({ at }) => at <= moment);
  const stretch = stretches.findLast(({ from }) => from <= moment);
  return {
    at: moment,
    state: stretch === undefined ? undefined : STATE_WORDS[stretch.state],
    running,
    costUsd: spent?.costUsd,
    tokens: spent?.tokens,
  };
}
