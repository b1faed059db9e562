import { placeOf } from "../fold/axis.ts";
import { type Bucket, type Section, STATES } from "../trace.ts";

/** One of equally wide columns of a picture, from all buckets that reach into it. */
export interface Column {
  /** How much of it each state has, in the order of `STATES`; all 0 where nothing was said. */
  readonly states: readonly number[];
  /** The most at once. */
  readonly tools: number;
  readonly subagents: number;
  /** Asked in it. */
  readonly requests: number;
  readonly toolsFailed: number;
  /** Characters put out, spread over the columns of their bucket. */
  readonly characters: number;
}

const EMPTY: Column = { states: STATES.map(() => 0), tools: 0, subagents: 0, requests: 0, toolsFailed: 0, characters: 0 };

/** A section's buckets on `count` columns: never more than can be seen, however many events there were. */
export function columnsOf(section: Section, count: number): readonly Column[] {
  const columns: Column[] = Array.from({ length: count }, () => EMPTY);
  const { buckets, axis } = section;
  const columnAt = (place: number) => Math.min(count - 1, Math.floor(place * count));
  buckets.forEach((bucket, index) => {
    // A bucket begins where the one before it ended: what went on in between is told by its first event.
    const before = buckets[index - 1]?.to ?? bucket.from;
    const first = columnAt(placeOf(axis, before));
    const last = Math.max(first, columnAt(placeOf(axis, bucket.to)));
    const share = last - first + 1;
    for (let at = first; at <= last; at++) columns[at] = join(columns[at] ?? EMPTY, bucket, share, at === last, axis.kind);
  });
  return columns;
}

/** Failures and questions are events and stand in the last column of their bucket; what lasts stands in all of them. */
function join(column: Column, bucket: Bucket, share: number, isLast: boolean, kind: "time" | "order"): Column {
  const weights = kind === "time" && bucket.stateMs.some((ms) => ms > 0) ? bucket.stateMs : bucket.stateEvents;
  return {
    states: column.states.map((weight, index) => weight + (weights[index] ?? 0) / share),
    tools: Math.max(column.tools, bucket.tools),
    subagents: Math.max(column.subagents, bucket.subagents),
    requests: column.requests + (isLast ? bucket.requestsAsked : 0),
    toolsFailed: column.toolsFailed + (isLast ? bucket.toolsFailed : 0),
    characters: column.characters + bucket.characters / share,
  };
}
