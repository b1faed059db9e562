import { axisPlaceOf, placeAt } from "../fold/axis.ts";
import { type Axis, type Bucket, type Section, TRACE_STATES } from "../trace.ts";

export interface Tick {
  /** From 0 to 1. */
  readonly place: number;
  readonly label: string;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TIME_STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 20, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 20, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14, 30, 90, 365, 3650].map((days) => days * DAY),
];
const ORDER_STEPS = [1, 2, 5].flatMap((step) => [0, 1, 2, 3, 4, 5, 6, 7, 8].map((zeros) => step * 10 ** zeros)).sort((a, b) => a - b);

/** Round numbers along the axis, at most about `most`, never inside a silence and never closer than `apart` to each other. */
export function ticksOf(axis: Axis, most: number, apart: number): readonly Tick[] {
  const parts = spokenParts(axis);
  const spoken = parts.reduce((sum, part) => sum + part.to - part.from, 0);
  const steps = axis.kind === "time" ? TIME_STEPS : ORDER_STEPS;
  const step = steps.find((one) => spoken / one <= most) ?? steps.at(-1) ?? 1;
  // Elapsed time starts at the first event; entry numbers are absolute.
  const origin = axis.kind === "time" ? axis.from : 0;
  const ticks: Tick[] = [];
  for (const { from, to } of parts) {
    for (let times = Math.ceil((from - origin) / step); origin + times * step <= to && ticks.length < 2 * most; times++) {
      const place = placeAt(axis, origin + times * step);
      const last = ticks.at(-1);
      if (last !== undefined && place - last.place < apart) continue;
      ticks.push({ place, label: axis.kind === "time" ? formatElapsed(times * step) : String(times * step) });
    }
  }
  return ticks;
}

export function spokenParts({ from, to, silences }: Axis): readonly { readonly from: number; readonly to: number }[] {
  const starts = [from, ...silences.map((silence) => silence.to)];
  const ends = [...silences.map((silence) => silence.from), to];
  return starts.map((start, index) => ({ from: start, to: ends[index] ?? to }));
}

/** Short format of the two largest units: `0 s`, `0.2 s`, `45 s`, `4 min 30 s`, `2 h 15 min`, `3 d 2 h`. */
export function formatElapsed(ms: number): string {
  if (ms < MINUTE) return `${Number((ms / SECOND).toFixed(3))} s`;
  const [large, name, small, smallName] = ms < HOUR ? UNITS.minutes : ms < DAY ? UNITS.hours : UNITS.days;
  const rest = Math.round((ms % large) / small);
  const whole = Math.floor(ms / large);
  if (rest * small === large) return `${whole + 1} ${name}`;
  return rest === 0 ? `${whole} ${name}` : `${whole} ${name} ${rest} ${smallName}`;
}

const UNITS = {
  minutes: [MINUTE, "min", SECOND, "s"],
  hours: [HOUR, "h", MINUTE, "min"],
  days: [DAY, "d", HOUR, "h"],
} as const;

/** One of equally wide columns of a picture, combined from all buckets that overlap it. */
export interface Column {
  /** The weight of each state, in the order of `STATES`; all 0 without events. */
  readonly states: readonly number[];
  /** The maximum number at the same time. */
  readonly tools: number;
  readonly subagents: number;
  /** Requests made in this column. */
  readonly requests: number;
  readonly toolsFailed: number;
  /** Output characters, spread over the columns of their bucket. */
  readonly characters: number;
}

const EMPTY: Column = { states: TRACE_STATES.map(() => 0), tools: 0, subagents: 0, requests: 0, toolsFailed: 0, characters: 0 };

/** Maps a section's buckets to `count` columns, so the size of the picture does not depend on the number of events. */
export function columnsOf(section: Section, count: number): readonly Column[] {
  const columns: Column[] = Array.from({ length: count }, () => EMPTY);
  const { buckets, axis } = section;
  const columnAt = (place: number) => Math.min(count - 1, Math.floor(place * count));
  buckets.forEach((bucket, index) => {
    // A bucket begins where the previous one ended: its first event covers the time in between.
    const before = buckets[index - 1]?.to ?? bucket.from;
    const first = columnAt(axisPlaceOf(axis, before));
    const last = Math.max(first, columnAt(axisPlaceOf(axis, bucket.to)));
    const share = last - first + 1;
    for (let at = first; at <= last; at++) columns[at] = join(columns[at] ?? EMPTY, bucket, share, at === last, axis.kind);
  });
  return columns;
}

/** Failures and requests are single events and count in the last column of their bucket; lasting activities count in all columns. */
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
