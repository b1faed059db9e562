import { readTimestamp } from "../timestamp.ts";
import type { ReorderState } from "./reorder.ts";

/**
 * Notes the highest number heard and says whether the emitter's counter went back. A lower number with an earlier or
 * equal timestamp was overtaken on the way. A lower number with a strictly later timestamp cannot be: it was emitted
 * after the higher one. From there on the lower number is the highest, so that a counter which began anew is told once.
 */
export function wentBack<Item>(state: ReorderState<Item>, sequence: number, agentId: string | undefined, timestamp: unknown): boolean {
  if (sequence > state.highest) {
    note(state, sequence, agentId, timestamp);
    return false;
  }
  if (sequence === state.highest || state.highestTime === null || typeof timestamp !== "string") return false;
  if (state.highestAgent !== (agentId ?? null)) return false;
  const now = readTimestamp(timestamp);
  const then = readTimestamp(state.highestTime);
  if (now === undefined || then === undefined || now.ms <= then.ms) return false;
  note(state, sequence, agentId, timestamp);
  return true;
}

function note<Item>(state: ReorderState<Item>, sequence: number, agentId: string | undefined, timestamp: unknown): void {
  state.highest = sequence;
  state.highestAgent = agentId ?? null;
  state.highestTime = typeof timestamp === "string" && timestamp.length <= 64 ? timestamp : null;
}
