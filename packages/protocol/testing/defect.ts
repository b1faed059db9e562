import type { JsonObject } from "../src/json.ts";

/** A recording: events and messages in order of occurrence. */
export type Recording = readonly JsonObject[];

/** Returns integers below `bound`, repeatable from a seed. */
export type Pick = (bound: number) => number;

/** One kind of single mistake that a producer could make in an otherwise conforming recording. */
export interface Defect {
  readonly name: string;
  /** The error-level rule that must be reported. Several, if the mistake is visible in more than one way. */
  readonly rules: readonly string[];
  /** The recording with one instance of the mistake; undefined if this recording has no place for it. */
  apply(recording: Recording, pick: Pick): Recording | undefined;
}

/** A copy with the item at `index` changed. */
export function change(recording: Recording, index: number, edit: (item: Record<string, unknown>) => void): Recording {
  const copy = structuredClone(recording) as Record<string, unknown>[];
  const item = copy[index];
  if (item !== undefined) edit(item);
  return copy as Recording;
}

/** Index of one matching item, chosen by `pick`, or -1. A redelivered copy of an earlier item is never chosen. */
export function choose(recording: Recording, pick: Pick, fits: (item: JsonObject) => boolean): number {
  const indices = recording.flatMap((item, index) => (fits(item) && recording.indexOf(item) === index ? [index] : []));
  return indices.length === 0 ? -1 : (indices[pick(indices.length)] as number);
}

/** mulberry32: small, repeatable and good enough to choose positions. */
export function createPick(seed: number): Pick {
  let state = seed | 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

/** Applies the defect to recordings until it has been made `times` times; passes each broken recording to `judge`. */
export function applyOften(defect: Defect, recordings: readonly Recording[], times: number, judge: (broken: Recording) => void): number {
  const pick = createPick(defect.name.length);
  let applied = 0;
  for (const recording of recordings) {
    if (applied >= times) break;
    const broken = defect.apply(recording, pick);
    if (broken === undefined) continue;
    applied++;
    judge(broken);
  }
  return applied;
}
