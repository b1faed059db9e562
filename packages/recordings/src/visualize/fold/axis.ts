import type { Axis, TraceMoment } from "../trace.ts";

/** Share of the axis given to one silence. */
const SILENCE_SHARE = 0.04;
const MAX_SILENCES = 8;
/** A gap is a silence if it takes this share of the remaining range… */
const LONG_SILENCE_SHARE = 0.3;
/** …is this many times as long as the usual gap… */
const UNUSUAL = 10;
/** …and is long enough to be noticed. */
const SHORTEST_MS = 1000;

export interface AxisGap {
  readonly from: number;
  readonly to: number;
}

/** Lays out the axis for `events` events. `gaps` are the longest stretches without an event from the family. */
export function layAxis(kind: Axis["kind"], range: AxisGap, gaps: readonly AxisGap[], events: number): Axis {
  const longestFirst = [...gaps].sort((a, b) => lengthOf(b) - lengthOf(a)).slice(0, MAX_SILENCES);
  // Several nights are tested together: compared with each other, none of them looks long.
  let count = longestFirst.length;
  while (count > 0 && !areSilences(kind, longestFirst.slice(0, count), range, events)) count--;
  return { kind, ...range, silences: longestFirst.slice(0, count).sort((a, b) => a.from - b.from) };
}

function areSilences(kind: Axis["kind"], gaps: readonly AxisGap[], range: AxisGap, events: number): boolean {
  // If nearly every gap is long, that is the pace, not a silence.
  if (gaps.length > (events - 1) / 3) return false;
  const rest = lengthOf(range) - gaps.reduce((sum, gap) => sum + lengthOf(gap), 0);
  const usual = rest / Math.max(1, events - 1 - gaps.length);
  const shortest = Math.min(...gaps.map(lengthOf));
  return rest > 0 && shortest >= Math.max(LONG_SILENCE_SHARE * rest, UNUSUAL * usual, kind === "time" ? SHORTEST_MS : 2);
}

function lengthOf({ from, to }: AxisGap): number {
  return to - from;
}

/** The position of a moment on the axis, from 0 to 1. Moments outside are clamped to the ends. */
export function axisPlaceOf(axis: Axis, moment: TraceMoment): number {
  return placeAt(axis, coordinateOf(axis.kind, moment) ?? axis.from);
}

export function coordinateOf(kind: Axis["kind"], moment: TraceMoment): number | undefined {
  return kind === "time" ? moment.ms : moment.entry;
}

export function placeAt({ from, to, silences }: Axis, coordinate: number): number {
  const silent = silences.reduce((sum, silence) => sum + silence.to - silence.from, 0);
  const spoken = to - from - silent;
  if (spoken <= 0 && silences.length === 0) return 0.5;
  const scale = spoken <= 0 ? 0 : (1 - silences.length * SILENCE_SHARE) / spoken;
  let place = 0;
  let before = from;
  for (const silence of silences) {
    if (coordinate <= silence.from) break;
    place += (silence.from - before) * scale;
    if (coordinate < silence.to) return place + (SILENCE_SHARE * (coordinate - silence.from)) / (silence.to - silence.from);
    place += SILENCE_SHARE;
    before = silence.to;
  }
  return clamp(place + (coordinate - before) * scale);
}

function clamp(place: number): number {
  return Number.isFinite(place) ? Math.min(1, Math.max(0, place)) : 0;
}

/** Returns the intersection of two ordered lists of gaps. */
export function silentInBoth(one: readonly AxisGap[], other: readonly AxisGap[]): readonly AxisGap[] {
  return one
    .flatMap((a) => other.map((b) => ({ from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) })))
    .filter(({ from, to }) => to > from)
    .sort((a, b) => a.from - b.from);
}

const KEPT = 24;

/** The longest gaps between non-decreasing coordinates. */
export class Gaps {
  #longest: AxisGap[] = [];
  #last: number | undefined;
  #first: number | undefined;

  see(coordinate: number): void {
    if (this.#last === undefined) this.#first = coordinate;
    else if (coordinate > this.#last) this.#keep({ from: this.#last, to: coordinate });
    this.#last = Math.max(coordinate, this.#last ?? coordinate);
  }

  /** The gaps in order, including those before the first and after the last coordinate. */
  silent(): readonly AxisGap[] {
    if (this.#first === undefined || this.#last === undefined) return [{ from: -Infinity, to: Infinity }];
    const inside = [...this.#longest].sort((a, b) => a.from - b.from);
    return [{ from: -Infinity, to: this.#first }, ...inside, { from: this.#last, to: Infinity }];
  }

  #keep(gap: AxisGap): void {
    const length = gap.to - gap.from;
    const shortest = this.#longest.at(-1);
    if (this.#longest.length === KEPT && shortest !== undefined && length <= shortest.to - shortest.from) return;
    const place = this.#longest.findIndex((one) => one.to - one.from < length);
    this.#longest.splice(place < 0 ? this.#longest.length : place, 0, gap);
    if (this.#longest.length > KEPT) this.#longest.pop();
  }
}
