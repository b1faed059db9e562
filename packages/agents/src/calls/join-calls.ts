import type { AepEvent } from "@earshot/protocol";
import type { JsonValue } from "@earshot/protocol/json";
import { digest } from "../mapping/digest.ts";
import type { Call, MappedEvent } from "../mapping/map-payload.ts";
import { type CallState, expire, findCall, type KnownCall, type KnownMoment, withCall, withMoment } from "./call-state.ts";

export interface JoinOptions {
  /** For which agent the hook was registered that told of this: other agents run the same registration. */
  readonly registered: string;
  readonly now: number;
}

export interface JoinedEvent {
  readonly event: AepEvent;
  /** The same thing was told before, by another hook or another registration. It need not be recorded again. */
  readonly again: boolean;
}

/**
 * Gives the events of one payload the ids of the calls they belong to. Calls without an id of the agent's own are matched by
 * their key, first in, first out: agents run tools in parallel, so that the most recent call may be the wrong one. A hook that
 * tells of a key for the second time tells of a second call; another hook that tells of it for the first time tells of the
 * oldest call that it has not told of yet.
 */
export function joinCalls(
  state: CallState,
  mapped: readonly MappedEvent[],
  options: JoinOptions,
): { readonly state: CallState; readonly events: readonly JoinedEvent[] } {
  let current = expire(state, options.now);
  const events = mapped.map(({ event, call }) => {
    const step =
      call !== undefined && event.type.startsWith("action.")
        ? joinCall(current, event, call, options)
        : hearMoment(current, event, options);
    current = step.state;
    return step.joined;
  });
  return { state: current, events };
}

/** Agent, session, call or content, and moment: equal for two tellings of one thing. */
export function dedupeKey({ id: _id, time: _time, ...event }: AepEvent): string {
  const { agent, session, type, action } = event;
  const about = type.startsWith("action.") && action?.id !== undefined ? action.id : digest(event as JsonValue);
  return `${agent.slug}|${session?.id ?? ""}|${type}|${about}`;
}

interface Step {
  readonly state: CallState;
  readonly joined: JoinedEvent;
}

function joinCall(state: CallState, event: AepEvent, { key, derived }: Call, { registered, now }: JoinOptions): Step {
  const witness = `${registered}/${event.hook ?? event.type}`;
  const isRequest = event.type === "action.requested";
  const given = derived ? undefined : event.action?.id;
  const known = given === undefined ? findByKey(state.calls, key, witness, isRequest) : findCall(state.calls, given);
  if (known === undefined) {
    // An outcome of a call that nobody told of keeps the id of its own, and says that it stands alone.
    if (!isRequest && derived) return { state, joined: { event, again: false } };
    const count = state.count + 1;
    const id = given ?? `act_${key}_${count}`;
    const call: KnownCall = { keys: [key], id, witnesses: [witness], isOpen: isRequest, at: now };
    return { state: { ...withCall(state, call), count }, joined: { event: withId(event, id), again: false } };
  }
  const again = isRequest || !known.isOpen;
  const keys = known.keys.includes(key) ? known.keys : [...known.keys, key];
  const call = { ...known, keys, witnesses: [...known.witnesses, witness], isOpen: known.isOpen && isRequest, at: now };
  return { state: withCall(state, call, known), joined: { event: withId(event, known.id), again } };
}

function findByKey(calls: readonly KnownCall[], key: string, witness: string, isRequest: boolean): KnownCall | undefined {
  const untold = calls.filter((call) => call.keys.includes(key) && !call.witnesses.includes(witness));
  return untold.find(({ isOpen }) => isOpen) ?? (isRequest ? undefined : untold[0]);
}

function withId(event: AepEvent, id: string): AepEvent {
  if (event.action?.id === id) return event;
  const { "x-unjoined": _joined, ...extensions } = event.extensions ?? {};
  const { extensions: _old, ...rest } = event;
  const joined = { ...rest, action: { ...event.action, id } };
  return Object.keys(extensions).length === 0 ? joined : { ...joined, extensions };
}

/** What is told twice in a short time by two registrations is one thing; told twice by one, it happened twice. */
function hearMoment(state: CallState, event: AepEvent, { registered, now }: JoinOptions): Step {
  const key = dedupeKey(event);
  const known = state.moments.find((moment) => moment.key === key && !moment.witnesses.includes(registered));
  const moment: KnownMoment = { key, witnesses: [...(known?.witnesses ?? []), registered], at: known?.at ?? now };
  return { state: withMoment(state, moment, known), joined: { event, again: known !== undefined } };
}
