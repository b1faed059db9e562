import { readTimestamp } from "../timestamp.ts";

/** How far one counter has come: the highest number heard, who said it and its timestamp, as text. A plain value. */
export interface Counter {
  highest: number;
  highestTime: string | null;
  highestAgent: string | null;
}

/** A clock that is being corrected steps back by a few milliseconds, and threads take number and time a moment apart. */
const CLOCK_STEP_MS = 5;

export function openCounter(): Counter {
  return { highest: -1, highestTime: null, highestAgent: null };
}

/**
 * Notes the highest number heard and says whether the emitter's counter went back. A lower number with an earlier or
 * about equal timestamp was overtaken on the way. A lower number with a clearly later timestamp cannot be: it was emitted
 * after the higher one. From there on the lower number is the highest, so that a counter which began anew is told once.
 */
export function wentBack(counter: Counter, sequence: number, agentId: string | undefined, timestamp: unknown): boolean {
  if (sequence > counter.highest) {
    note(counter, sequence, agentId, timestamp);
    return false;
  }
  if (sequence === counter.highest || counter.highestTime === null || typeof timestamp !== "string") return false;
  if (counter.highestAgent !== (agentId ?? null)) return false;
  const now = readTimestamp(timestamp);
  const then = readTimestamp(counter.highestTime);
  if (now === undefined || then === undefined || now.ms - then.ms <= CLOCK_STEP_MS) return false;
  note(counter, sequence, agentId, timestamp);
  return true;
}

function note(counter: Counter, sequence: number, agentId: string | undefined, timestamp: unknown): void {
  counter.highest = sequence;
  counter.highestAgent = agentId ?? null;
  counter.highestTime = typeof timestamp === "string" && timestamp.length <= 64 ? timestamp : null;
}
