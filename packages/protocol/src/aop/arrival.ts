import { readTimestamp } from "../timestamp.ts";

/** Progress of one counter: the highest number received, its agent and its timestamp as text. A plain value. */
export interface SequenceCounter {
  lowest: number | null;
  /** Consecutive events that arrived after a higher number although their timestamps are later. */
  overtaken: number;
  highest: number;
  highestTime: string | null;
  highestAgent: string | null;
}

/** Clock correction steps back by a few milliseconds, and threads read number and time at slightly different moments. */
const CLOCK_STEP_MS = 5;

export function openCounter(): SequenceCounter {
  return { lowest: null, overtaken: 0, highest: -1, highestTime: null, highestAgent: null };
}

/** The maximum distance, in numbers and in time, between two events that overtook each other. */
const OVERTAKING = 32;
const APART_MS = 500;

/**
 * Records the highest number and reports whether the emitter's counter went back. A lower number with an earlier or about equal timestamp
 * was overtaken in transit. One with a clearly later timestamp was emitted after the higher one, unless number and time were read apart
 * or a clock was set; that exception applies to a single event that fills a gap, not to two in a row. The lower number then becomes the
 * highest, so a restarted counter is reported once.
 */
export function hasCounterGoneBack(counter: SequenceCounter, sequence: number, agentId: string | undefined, timestamp: unknown): boolean {
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

function note(counter: SequenceCounter, sequence: number, agentId: string | undefined, timestamp: unknown): void {
  counter.highest = sequence;
  counter.highestAgent = agentId ?? null;
  counter.highestTime = typeof timestamp === "string" && timestamp.length <= 64 ? timestamp : null;
}
