import { readTimestamp } from "../timestamp.ts";

/** How far one counter has come: the highest number heard, who said it and its timestamp, as text. A plain value. */
export interface Counter {
  lowest: number | null;
  /** Events in a row that were overtaken although they say that they are later. */
  overtaken: number;
  highest: number;
  highestTime: string | null;
  highestAgent: string | null;
}

/** A clock that is being corrected steps back by a few milliseconds, and threads take number and time a moment apart. */
const CLOCK_STEP_MS = 5;

export function openCounter(): Counter {
  return { lowest: null, overtaken: 0, highest: -1, highestTime: null, highestAgent: null };
}

/** How far apart, in numbers and in time, two events may be that overtook each other. */
const OVERTAKING = 32;
const APART_MS = 500;

/**
 * Notes the highest number heard and says whether the emitter's counter went back. A lower number with an earlier or
 * about equal timestamp was overtaken on the way. One with a clearly later timestamp was emitted after the higher one,
 * unless number and time were taken apart or a clock was set: that is believed of a single event that fills a gap, not of
 * two in a row. From there on the lower number is the highest, so that a counter which began anew is told once.
 */
export function wentBack(counter: Counter, sequence: number, agentId: string | undefined, timestamp: unknown): boolean {
  const fillsGap = counter.lowest !== null && sequence > counter.lowest && counter.highest - sequence <= OVERTAKING;
  if (counter.lowest === null || sequence < counter.lowest) counter.lowest = sequence;
  if (sequence > counter.highest) {
    counter.overtaken = 0;
    note(counter, sequence, agentId, timestamp);
    return false;
  }
  if (sequence === counter.highest || counter.highestTime === null || typeof timestamp !== "string") return false;
  if (counter.highestAgent !== (agentId ?? null)) return false;
  const now = readTimestamp(timestamp);
  const then = readTimestamp(counter.highestTime);
  if (now === undefined || then === undefined || now.ms - then.ms <= CLOCK_STEP_MS) return false;
  if (fillsGap && now.ms - then.ms <= APART_MS && counter.overtaken++ === 0) return false;
  counter.overtaken = 0;
  note(counter, sequence, agentId, timestamp);
  return true;
}

function note(counter: Counter, sequence: number, agentId: string | undefined, timestamp: unknown): void {
  counter.highest = sequence;
  counter.highestAgent = agentId ?? null;
  counter.highestTime = typeof timestamp === "string" && timestamp.length <= 64 ? timestamp : null;
}
