import { openCounter, type SequenceCounter } from "./arrival.ts";

/**
 * AOP posts each event separately without awaiting the response, so posts overtake each other and a recording is in order of arrival.
 * This window restores one counter's order of emission: the next event passes immediately; others wait until the gap before them is
 * filled, until more than `REORDER_LIMIT` are waiting, or until the end.
 *
 * A counter may begin anywhere. `session.started` and the number 0 begin it immediately; any other first event waits, because earlier
 * ones may still be in transit. An in-order stream therefore never waits and allocates nothing.
 *
 * The state is a plain value, so it can be stored. Functions change it in place.
 */
export interface ReorderState<Item> extends SequenceCounter {
  /** The number that passes immediately; -1 while the beginning is unknown. */
  next: number;
  /** The number that passed first; -1 before that. */
  first: number;
  /** Numbers between `first` and `next` that have not arrived. */
  missing: number;
  /** The first detected gap: the position of the item after it. */
  hole: SequenceHole | null;
  /** Waiting items by ascending number; equal numbers in order of arrival. */
  held: HeldItem<Item>[];
}

export interface HeldItem<Item> {
  readonly sequence: number;
  readonly at: number;
  readonly item: Item;
}

export interface SequenceHole {
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

export const REORDER_LIMIT = 32;

/** now: it is next. wait: pass it to `hold`. late: its place has passed; process it immediately. */
export type ReorderPlace = "now" | "wait" | "late";

export function openReorder<Item>(): ReorderState<Item> {
  return { next: -1, first: -1, missing: 0, hole: null, held: [], ...openCounter() };
}

/**
 * The place of an event that just arrived. `begins`: no event can precede it. After `now` and after `hold`, call `takeReady` until it
 * returns undefined.
 */
export function placeInOrder<Item>(state: ReorderState<Item>, sequence: number, begins: boolean): ReorderPlace {
  const { next } = state;
  if (sequence === next) {
    state.next = sequence + 1;
    return "now";
  }
  if (next < 0) {
    const lowest = state.held[0];
    if (!(begins || sequence === 0) || (lowest !== undefined && lowest.sequence < sequence)) return "wait";
    state.first = sequence;
    state.next = sequence + 1;
    return "now";
  }
  if (sequence > next) return "wait";
  return "late";
}

/** Records that a late event fills a gap. Call it only for events that have not arrived before. */
export function fillHole<Item>(state: ReorderState<Item>, sequence: number): void {
  if (state.missing > 0 && sequence >= state.first) state.missing--;
}

/** Does not wait for a number that was used out of order. */
export function skipNumber<Item>(state: ReorderState<Item>, sequence: number): void {
  if (sequence === state.next) state.next = sequence + 1;
  else if (sequence < state.next) fillHole(state, sequence);
}

export function holdItem<Item>(state: ReorderState<Item>, sequence: number, at: number, item: Item): void {
  const { held } = state;
  let index = held.length;
  while (index > 0 && (held[index - 1] as HeldItem<Item>).sequence > sequence) index--;
  if (index === held.length) held.push({ sequence, at, item });
  else held.splice(index, 0, { sequence, at, item });
}

/** The next waiting item that is due, or undefined. */
export function takeReady<Item>(state: ReorderState<Item>): HeldItem<Item> | undefined {
  const lowest = state.held[0];
  if (lowest === undefined) return undefined;
  const due = state.next >= 0 && lowest.sequence <= state.next;
  return due || state.held.length > REORDER_LIMIT ? takeLowest(state) : undefined;
}

/** The lowest waiting item, regardless of gaps before it: for the end of a session or recording. */
export function takeLowest<Item>(state: ReorderState<Item>): HeldItem<Item> | undefined {
  const lowest = state.held.shift();
  if (lowest === undefined) return undefined;
  const { sequence, at } = lowest;
  if (state.next < 0) {
    state.first = sequence;
  } else if (sequence > state.next) {
    state.missing += sequence - state.next;
    state.hole ??= { at, from: state.next, to: sequence };
  }
  // Equal numbers are adjacent: the second must not move the counter back.
  if (sequence >= state.next) state.next = sequence + 1;
  return lowest;
}
