/**
 * What is remembered about the calls of one session, so that the hooks of one call share an id: a plain value that can be
 * written as JSON. A step takes a state and returns a new one.
 */
export interface CallState {
  readonly calls: readonly KnownCall[];
  readonly moments: readonly KnownMoment[];
  /** How many ids were made. */
  readonly count: number;
}

export interface KnownCall {
  /** Its hooks do not always tell the same of it: each key by which it was told. */
  readonly keys: readonly string[];
  readonly id: string;
  /** Who told of it: registration and hook. The same call is told by each of them once. */
  readonly witnesses: readonly string[];
  readonly isOpen: boolean;
  /** When it was last heard of, in milliseconds since 1970. */
  readonly at: number;
}

/** An event that is not about a call: a prompt, the end of a turn. */
export interface KnownMoment {
  readonly key: string;
  readonly witnesses: readonly string[];
  readonly at: number;
}

export const NO_CALLS: CallState = { calls: [], moments: [], count: 0 };

/** A call may wait for a person, and then run for long. */
const OPEN_FOR_MS = 24 * 3_600_000;
/** The second of two runs of one hook comes at once. */
const AGAIN_WITHIN_MS = 60_000;
const MOST_CALLS = 500;
const MOST_MOMENTS = 200;

/** Without what is too old to be joined with anything; of too many, the oldest go first. */
export function expire(state: CallState, now: number): CallState {
  const calls = keepLast(state.calls, (call) => now - call.at < (call.isOpen ? OPEN_FOR_MS : AGAIN_WITHIN_MS), MOST_CALLS);
  const moments = keepLast(state.moments, (moment) => now - moment.at < AGAIN_WITHIN_MS, MOST_MOMENTS);
  return { ...state, calls, moments };
}

/** Asked for every hook, so that nothing is copied where all of it stays, as nearly always. */
function keepLast<Value>(values: readonly Value[], stays: (value: Value) => boolean, most: number): readonly Value[] {
  const staying = values.every(stays) ? values : values.filter(stays);
  return staying.length > most ? staying.slice(-most) : staying;
}

/** A call that was refused runs no more: what comes later under the same key is another one. */
export function closeCall(state: CallState, id: string): CallState {
  const index = state.calls.findLastIndex((call) => call.id === id);
  const call = state.calls[index];
  return call === undefined ? state : { ...state, calls: state.calls.with(index, { ...call, isOpen: false }) };
}
