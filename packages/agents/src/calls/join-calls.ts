import type { AepEvent } from "@earshot/protocol";
import type { JsonValue } from "@earshot/protocol/json";
import { digestValue } from "../mapping/call-key.ts";
import type { MappedCall, MappedEvent } from "../mapping/map-payload.ts";
import {
  dropExpiredCalls,
  findCalls,
  type SessionCalls,
  type WitnessedCall,
  type WitnessedEvent,
  withCall,
  withEvent,
} from "./call-state.ts";

export interface JoinOptions {
  /** The agent the hook was registered for; other agents may run the same registration. */
  readonly registered: string;
  readonly now: number;
}

export interface JoinedEvent {
  readonly event: AepEvent;
  /** Another hook or registration already reported this. It need not be recorded again. */
  readonly again: boolean;
  /** The agent used this call's id for another call of the session, with another tool or input. */
  readonly reusesId?: true;
}

/**
 * Gives the events of one payload the ids of their calls. Calls without an agent id are matched by key, first in, first out, because
 * agents run tools in parallel and the latest call may be the wrong one. A hook that reports a key a second time reports a second call; a
 * different hook that reports it for the first time refers to the oldest call it has not reported.
 *
 * An agent id alone does not identify a call, because models choose it. A request belongs to a known call only if the key is equal and
 * the call has not ended, or if another kind of hook reports it.
 */
export function joinCalls(
  state: SessionCalls,
  mapped: readonly MappedEvent[],
  options: JoinOptions,
): { readonly state: SessionCalls; readonly events: readonly JoinedEvent[] } {
  let current = dropExpiredCalls(state, options.now);
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

/** Agent, session, call or content, and event kind: equal for two reports of one event. */
export function dedupeKey({ id: _id, time: _time, ...event }: AepEvent): string {
  const { agent, session, type, action } = event;
  const about = type.startsWith("action.") && action?.id !== undefined ? action.id : digestValue(event as JsonValue);
  return `${agent.slug}|${session?.id ?? ""}|${type}|${about}`;
}

interface Step {
  readonly state: SessionCalls;
  readonly joined: JoinedEvent;
}

function joinCall(state: SessionCalls, event: AepEvent, { key, derived }: MappedCall, { registered, now }: JoinOptions): Step {
  const hook = event.hook ?? event.type;
  const witness = `${registered}/${hook}`;
  const isRequest = event.type === "action.requested";
  const given = derived ? undefined : event.action?.id;
  const sameId = given === undefined ? [] : findCalls(state.calls, given);
  const known = given === undefined ? findByKey(state.calls, key, witness, isRequest) : findById(sameId, { key, witness, hook, isRequest });
  if (known === undefined) {
    // The outcome of an unknown call keeps its own id and is marked as unjoined.
    if (!isRequest && derived) return { state, joined: { event, again: false } };
    const count = state.count + 1;
    const id = given === undefined ? `act_${key}_${count}` : sameId.length === 0 ? given : `${given}~${count}`;
    const renamed = given === undefined || id === given ? {} : { given };
    const call: WitnessedCall = { keys: [key], id, ...renamed, witnesses: [witness], ...outcomeOf(isRequest), isOpen: isRequest, at: now };
    const reuses = isRequest && sameId.some(({ keys }) => !keys.includes(key));
    const joined = { event: withId(event, id), again: false, ...(reuses ? { reusesId: true as const } : {}) };
    return { state: { ...withCall(state, call), count }, joined };
  }
  const again = isRequest || known.hasOutcome === true;
  const keys = known.keys.includes(key) ? known.keys : [...known.keys, key];
  const isOpen = known.isOpen && isRequest;
  const call = { ...known, keys, witnesses: [...known.witnesses, witness], ...outcomeOf(isRequest), isOpen, at: now };
  return { state: withCall(state, call, known), joined: { event: withId(event, known.id), again } };
}

function outcomeOf(isRequest: boolean): Pick<WitnessedCall, "hasOutcome"> {
  return isRequest ? {} : { hasOutcome: true };
}

/** The call, among those with one id, that a hook refers to. */
function findById(
  calls: readonly WitnessedCall[],
  told: { readonly key: string; readonly witness: string; readonly hook: string; readonly isRequest: boolean },
): WitnessedCall | undefined {
  const { key, witness, hook, isRequest } = told;
  const isUntold = ({ witnesses }: WitnessedCall) => !witnesses.includes(witness);
  const equal = calls.filter(({ keys }) => keys.includes(key));
  const same = equal.find(({ isOpen }) => isOpen) ?? equal.findLast(isUntold);
  // Different hooks of one call may report different inputs; the same hook does not.
  const isOtherKind = ({ isOpen, witnesses }: WitnessedCall) => isOpen && witnesses.every((one) => !one.endsWith(`/${hook}`));
  if (isRequest) return same ?? calls.findLast(isOtherKind);
  return same ?? calls.findLast(({ isOpen }) => isOpen) ?? calls.at(-1);
}

function findByKey(calls: readonly WitnessedCall[], key: string, witness: string, isRequest: boolean): WitnessedCall | undefined {
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

/** Two reports within a short time by two registrations are one event; two by one registration are two. */
function hearMoment(state: SessionCalls, event: AepEvent, { registered, now }: JoinOptions): Step {
  const key = dedupeKey(event);
  const known = state.moments.find((moment) => moment.key === key && !moment.witnesses.includes(registered));
  const moment: WitnessedEvent = { key, witnesses: [...(known?.witnesses ?? []), registered], at: known?.at ?? now };
  return { state: withEvent(state, moment, known), joined: { event, again: known !== undefined } };
}
