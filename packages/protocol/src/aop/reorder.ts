import { type Counter, openCounter } from "./arrival.ts";

/**
 * AOP posts every event alone and awaits none, so posts overtake each other and a recording is in order of arrival. This
 * window puts one counter's events back into order of emission: an event that is next passes at once, others wait until
 * the gap before them is filled, until more than `REORDER_LIMIT` are waiting, or until the end.
 *
 * A counter may begin anywhere. `session.started`, and the number 0, begin it at once; anything else heard first waits,
 * because what comes before it may still be on its way. An in-order stream therefore never waits and makes no object.
 *
 * The state is a plain value, so that it can be stored. Functions change it in place.
 */
export interface ReorderState<Item> extends Counter {
  /** The number that passes at once; -1 while the beginning is not known. */
  next: number;
  /** The number that passed first; -1 before. */
  first: number;
  /** Numbers between the first and the next that were not heard. */
  missing: number;
  /** Where the first hole was noticed: the item after it. */
  hole: Hole | null;
  /** Waiting items, lowest number first; equal numbers in order of arrival. */
  held: Held<Item>[];
}

export interface Held<Item> {
  readonly sequence: number;
  readonly at: number;
  readonly item: Item;
}

export interface Hole {
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

export const REORDER_LIMIT = 32;

/** now: it is next. wait: hand it to `hold`. late: its place has passed, deal with it now. */
export type Place = "now" | "wait" | "late";

export function openReorder<Item>(): ReorderState<Item> {
  return { next: -1, first: -1, missing: 0, hole: null, held: [], ...openCounter() };
}

/**
 * Where an event that just arrived belongs. `begins` says that nothing can come before it. After `now` and after `hold`,
 * call `takeReady` until it gives nothing.
 */
export function place<Item>(state: ReorderState<Item>, sequence: number, begins: boolean): Place {
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

/** A late event fills a hole; to be called for those that were not heard before. */
export function fillHole<Item>(state: ReorderState<Item>, sequence: number): void {
  if (state.missing > 0 && sequence >= state.first) state.missing--;
}

/** A number that was used out of its turn is not waited for. */
export function skip<Item>(state: ReorderState<Item>, sequence: number): void {
  if (sequence === state.next) state.next = sequence + 1;
  else if (sequence < state.next) fillHole(state, sequence);
}

export function hold<Item>(state: ReorderState<Item>, sequence: number, at: number, item: Item): void {
  const { held } = state;
  let index = held.length;
  while (index > 0 && (held[index - 1] as Held<Item>).sequence > sequence) index--;
  if (index === held.length) held.push({ sequence, at, item });
  else held.splice(index, 0, { sequence, at, item });
}

/** The next waiting item whose time has come, or undefined. */
export function takeReady<Item>(state: ReorderState<Item>): Held<Item> | undefined {
  const lowest = state.held[0];
  if (lowest === undefined) return undefined;
  const due = state.next >= 0 && lowest.sequence <= state.next;
  return due || state.held.length > REORDER_LIMIT ? takeLowest(state) : undefined;
}

/** The lowest waiting item, whatever is missing before it: for the end of a session or recording. */
export function takeLowest<Item>(state: ReorderState<Item>): Held<Item> | undefined {
  const lowest = state.held.shift();
  if (lowest === undefined) return undefined;
  const { sequence, at } = lowest;
  if (state.next < 0) {
    state.first = sequence;
  } else if (sequence > state.next) {
    state.missing += sequence - state.next;
    state.hole ??= { at, from: state.next, to: sequence };
  }
  // Equal numbers stand one behind the other: the second must not move the counter back.
  if (sequence >= state.next) state.next = sequence + 1;
  return lowest;
}
