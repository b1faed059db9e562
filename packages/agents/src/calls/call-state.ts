/**
 * The calls seen in one session, so that the hooks of one call share an id. A plain value, serializable as JSON; each step returns a new
 * state.
 */
export interface SessionCalls {
  readonly calls: readonly WitnessedCall[];
  readonly moments: readonly WitnessedEvent[];
  /** Number of ids created. */
  readonly count: number;
  /** No member expires before this time (Unix milliseconds), so most hooks skip the scan. */
  readonly freshUntil: number;
}

export interface WitnessedCall {
  /** All keys by which the hooks of this call named it; they may differ. */
  readonly keys: readonly string[];
  readonly id: string;
  /** The agent's own id, if an earlier call of the session used it as well. `id` was then created here. */
  readonly given?: string;
  /** Registration and hook of each report. Each of them reports a call once. */
  readonly witnesses: readonly string[];
  readonly isOpen: boolean;
  /** The outcome was reported. A refused call is closed without one unless it ran anyway. */
  readonly hasOutcome?: true;
  /** Last report, in Unix milliseconds. */
  readonly at: number;
}

/** An event that is not about a call, such as a prompt or the end of a turn. */
export interface WitnessedEvent {
  readonly key: string;
  readonly witnesses: readonly string[];
  readonly at: number;
}

export const NO_CALLS: SessionCalls = { calls: [], moments: [], count: 0, freshUntil: Number.MAX_SAFE_INTEGER };

/** A call may wait for a person and then run for a long time. */
const OPEN_FOR_MS = 24 * 3_600_000;
/** The two registrations of one hook run within this time. */
const AGAIN_WITHIN_MS = 60_000;
const MAX_CALLS = 500;
const MAX_MOMENTS = 200;

/** Drops members too old to be joined and, above the limit, the oldest ones. */
export function dropExpiredCalls(state: SessionCalls, now: number): SessionCalls {
  if (now < state.freshUntil) return bound(state);
  const calls = shareIds(
    state.calls,
    state.calls.filter((call) => now < callUntil(call)),
  );
  const moments = state.moments.filter((moment) => now < momentUntil(moment));
  const freshUntil = Math.min(NO_CALLS.freshUntil, ...calls.map(callUntil), ...moments.map(momentUntil));
  return bound({ ...state, calls, moments, freshUntil });
}

function bound(state: SessionCalls): SessionCalls {
  const { calls, moments } = state;
  if (calls.length <= MAX_CALLS && moments.length <= MAX_MOMENTS) return state;
  return { ...state, calls: shareIds(calls, calls.slice(-MAX_CALLS)), moments: moments.slice(-MAX_MOMENTS) };
}

/**
 * The ids in each list of calls, and some that have left it: an id that is missing here is new, which saves searching hundreds of calls.
 * Kept beside the state, which is plain data; lists derived from each other share one set.
 */
const idsIn = new WeakMap<readonly WitnessedCall[], Set<string>>();
const MAX_IDS = 2 * MAX_CALLS;

/** The calls to which the agent gave this id, oldest first. Some models reuse ids. */
export function findCalls(calls: readonly WitnessedCall[], given: string): readonly WitnessedCall[] {
  if (calls.length === 0) return NONE; // the same empty list begins every session
  let ids = idsIn.get(calls);
  if (ids === undefined || ids.size > MAX_IDS) {
    ids = new Set(calls.map(givenId));
    idsIn.set(calls, ids);
  }
  return ids.has(given) ? calls.filter((call) => givenId(call) === given) : NONE;
}

const NONE: readonly WitnessedCall[] = [];

function givenId({ id, given }: WitnessedCall): string {
  return given ?? id;
}

function shareIds(before: readonly WitnessedCall[], after: readonly WitnessedCall[], added?: string): readonly WitnessedCall[] {
  const ids = idsIn.get(before);
  if (ids === undefined || ids.size > MAX_IDS) return after;
  if (added !== undefined) ids.add(added);
  idsIn.set(after, ids);
  return after;
}

/** Adds a call, or replaces the known one. */
export function withCall(state: SessionCalls, call: WitnessedCall, known?: WitnessedCall): SessionCalls {
  const index = known === undefined ? state.calls.length : state.calls.lastIndexOf(known);
  const calls = index === state.calls.length ? [...state.calls, call] : state.calls.with(index, call);
  return { ...state, calls: shareIds(state.calls, calls, givenId(call)), freshUntil: Math.min(state.freshUntil, callUntil(call)) };
}

export function withEvent(state: SessionCalls, moment: WitnessedEvent, known?: WitnessedEvent): SessionCalls {
  const moments = known === undefined ? [...state.moments, moment] : state.moments.map((one) => (one === known ? moment : one));
  return { ...state, moments, freshUntil: Math.min(state.freshUntil, momentUntil(moment)) };
}

function callUntil({ isOpen, at }: WitnessedCall): number {
  return at + (isOpen ? OPEN_FOR_MS : AGAIN_WITHIN_MS);
}

function momentUntil({ at }: WitnessedEvent): number {
  return at + AGAIN_WITHIN_MS;
}

/** Closes a refused call, so that a later event with the same key is a new call. */
export function closeCall(state: SessionCalls, id: string): SessionCalls {
  const call = state.calls.findLast((one) => one.id === id);
  return call === undefined ? state : withCall(state, { ...call, isOpen: false }, call);
}
