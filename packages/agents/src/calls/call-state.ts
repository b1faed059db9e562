/**
 * What is remembered about the calls of one session, so that the hooks of one call share an id: a plain value that can be
 * written as JSON. A step takes a state and returns a new one.
 */
export interface CallState {
  readonly calls: readonly KnownCall[];
  readonly moments: readonly KnownMoment[];
  /** How many ids were made. */
  readonly count: number;
  /** Before this, nothing of it is too old: so that it is not gone through for every hook. In milliseconds since 1970. */
  readonly freshUntil: number;
}

export interface KnownCall {
  /** Its hooks do not always tell the same of it: each key by which it was told. */
  readonly keys: readonly string[];
  readonly id: string;
  /** The agent's own id, where an earlier call of the session has it as well: then `id` is one that was made here. */
  readonly given?: string;
  /** Who told of it: registration and hook. The same call is told by each of them once. */
  readonly witnesses: readonly string[];
  readonly isOpen: boolean;
  /** Its outcome was told. A call that was refused is closed without one, unless it ran all the same. */
  readonly hasOutcome?: true;
  /** When it was last heard of, in milliseconds since 1970. */
  readonly at: number;
}

/** An event that is not about a call: a prompt, the end of a turn. */
export interface KnownMoment {
  readonly key: string;
  readonly witnesses: readonly string[];
  readonly at: number;
}

export const NO_CALLS: CallState = { calls: [], moments: [], count: 0, freshUntil: Number.MAX_SAFE_INTEGER };

/** A call may wait for a person, and then run for long. */
const OPEN_FOR_MS = 24 * 3_600_000;
/** The second of two runs of one hook comes at once. */
const AGAIN_WITHIN_MS = 60_000;
const MOST_CALLS = 500;
const MOST_MOMENTS = 200;

/** Without what is too old to be joined with anything; of too many, the oldest go first. */
export function expire(state: CallState, now: number): CallState {
  if (now < state.freshUntil) return bound(state);
  const calls = shareIds(
    state.calls,
    state.calls.filter((call) => now < callUntil(call)),
  );
  const moments = state.moments.filter((moment) => now < momentUntil(moment));
  const freshUntil = Math.min(NO_CALLS.freshUntil, ...calls.map(callUntil), ...moments.map(momentUntil));
  return bound({ ...state, calls, moments, freshUntil });
}

function bound(state: CallState): CallState {
  const { calls, moments } = state;
  if (calls.length <= MOST_CALLS && moments.length <= MOST_MOMENTS) return state;
  return { ...state, calls: shareIds(calls, calls.slice(-MOST_CALLS)), moments: moments.slice(-MOST_MOMENTS) };
}

/**
 * All ids of a list of calls, and some of those that have left it: which is not among them is new, and need not be looked for in
 * hundreds of calls. Beside the state, which is plain data; lists that were made from each other share theirs.
 */
const idsIn = new WeakMap<readonly KnownCall[], Set<string>>();
const MOST_IDS = 2 * MOST_CALLS;

/** The calls that the agent gave this id, oldest first. Agents take ids from their model, and some models reuse them. */
export function findCalls(calls: readonly KnownCall[], given: string): readonly KnownCall[] {
  if (calls.length === 0) return NONE; // the same empty list begins every session
  let ids = idsIn.get(calls);
  if (ids === undefined || ids.size > MOST_IDS) {
    ids = new Set(calls.map(givenId));
    idsIn.set(calls, ids);
  }
  return ids.has(given) ? calls.filter((call) => givenId(call) === given) : NONE;
}

const NONE: readonly KnownCall[] = [];

function givenId({ id, given }: KnownCall): string {
  return given ?? id;
}

function shareIds(before: readonly KnownCall[], after: readonly KnownCall[], added?: string): readonly KnownCall[] {
  const ids = idsIn.get(before);
  if (ids === undefined || ids.size > MOST_IDS) return after;
  if (added !== undefined) ids.add(added);
  idsIn.set(after, ids);
  return after;
}

/** With a call that is new, or in place of what was known of it. */
export function withCall(state: CallState, call: KnownCall, known?: KnownCall): CallState {
  const index = known === undefined ? state.calls.length : state.calls.lastIndexOf(known);
  const calls = index === state.calls.length ? [...state.calls, call] : state.calls.with(index, call);
  return { ...state, calls: shareIds(state.calls, calls, givenId(call)), freshUntil: Math.min(state.freshUntil, callUntil(call)) };
}

export function withMoment(state: CallState, moment: KnownMoment, known?: KnownMoment): CallState {
  const moments = known === undefined ? [...state.moments, moment] : state.moments.map((one) => (one === known ? moment : one));
  return { ...state, moments, freshUntil: Math.min(state.freshUntil, momentUntil(moment)) };
}

function callUntil({ isOpen, at }: KnownCall): number {
  return at + (isOpen ? OPEN_FOR_MS : AGAIN_WITHIN_MS);
}

function momentUntil({ at }: KnownMoment): number {
  return at + AGAIN_WITHIN_MS;
}

/** A call that was refused runs no more: what comes later under the same key is another one. */
export function closeCall(state: CallState, id: string): CallState {
  const call = state.calls.findLast((one) => one.id === id);
  return call === undefined ? state : withCall(state, { ...call, isOpen: false }, call);
}
