import { type JsonObject, payloadOf, readAmount, readText, readTimestamp } from "@earshot/protocol";
import { addSpend, openToolSpend, type ToolSpend } from "./tool-spend.ts";

/** An event as the views hear it: what the ledger wrote beside it, and its JSON. */
export interface HeardEvent {
  readonly position: number;
  /** Milliseconds since 1970, by the hub's clock. */
  readonly receivedAt: number;
  readonly session: string;
  readonly agent: string;
  readonly type: string;
  readonly sequence: number | null;
  readonly value: JsonObject;
}

/**
 * What is known about one session, as a plain JSON value of bounded size that is changed in place. Each event of the ledger
 * is folded in once; the order in which they come does not matter. Posts travel on parallel connections, so the end of a
 * session may be heard first and its start last.
 */
export interface SessionFold {
  events: number;
  firstPosition: number;
  lastPosition: number;
  lastReceivedAt: number;
  started: Moment | null;
  lastSeen: Moment | null;
  agent: Said | null;
  parent: Said | null;
  parentsDisagree: boolean;
  goal: Said | null;
  /** From the payload of `session.started`, which counts, and from the envelope. */
  version: Said | null;
  envelopeVersion: Said | null;
  /** The `session.ended` with the highest number: its outcome and its time. */
  end: (Said & { readonly at: string }) | null;
  endSteps: number | null;
  endTokens: number | null;
  endCostUsd: number | null;
  heartbeatStep: number | null;
  heartbeatTokens: number | null;
  toolStarts: number;
  readonly spend: ToolSpend;
}

interface Moment {
  readonly ms: number;
  /** As it was said. */
  readonly text: string;
}

/** Something said, and its place among what the session said. */
interface Said {
  readonly text: string;
  readonly sequence: number;
  readonly ms: number;
}

/** A list of sessions must stay small whatever their goals are; the events keep the whole text. */
const MAX_GOAL = 4000;
const MAX_NAME = 256;

/** The place of what has no number: after everything that has one. */
const UNNUMBERED = 2 ** 53;

export function openSessionFold(): SessionFold {
  return {
    events: 0,
    firstPosition: 0,
    lastPosition: 0,
    lastReceivedAt: 0,
    started: null,
    lastSeen: null,
    agent: null,
    parent: null,
    parentsDisagree: false,
    goal: null,
    version: null,
    envelopeVersion: null,
    end: null,
    endSteps: null,
    endTokens: null,
    endCostUsd: null,
    heartbeatStep: null,
    heartbeatTokens: null,
    toolStarts: 0,
    spend: openToolSpend(),
  };
}

export function foldEvent(fold: SessionFold, event: HeardEvent): void {
  fold.events++;
  if (fold.firstPosition === 0 || event.position < fold.firstPosition) fold.firstPosition = event.position;
  if (event.position > fold.lastPosition) fold.lastPosition = event.position;
  if (event.receivedAt > fold.lastReceivedAt) fold.lastReceivedAt = event.receivedAt;

  const { value } = event;
  const now = momentOf(event);
  if (fold.started === null || isEarlier(now, fold.started)) fold.started = now;
  if (fold.lastSeen === null || isEarlier(fold.lastSeen, now)) fold.lastSeen = now;

  const place = { sequence: event.sequence ?? UNNUMBERED, ms: now.ms };
  fold.agent = first(fold.agent, event.agent, place);
  const version = value["agent_version"];
  if (typeof version === "string") fold.envelopeVersion = first(fold.envelopeVersion, cut(version, MAX_NAME), place);
  const parent = value["parent_session_id"];
  // A session that calls itself its parent has none.
  if (typeof parent === "string" && parent !== "" && parent !== event.session) {
    const name = cut(parent, MAX_NAME);
    if (fold.parent !== null && fold.parent.text !== name) fold.parentsDisagree = true;
    fold.parent = first(fold.parent, name, place);
  }
  foldPayload(fold, event, now, place);
}

function foldPayload(fold: SessionFold, event: HeardEvent, now: Moment, place: Place): void {
  const { type } = event;
  switch (type) {
    case "session.started": {
      const payload = payloadOf(event.value);
      const goal = readText(type, payload, "goal");
      if (goal !== undefined) fold.goal = first(fold.goal, cut(goal, MAX_GOAL), place);
      const version = readText(type, payload, "agent_version");
      if (version !== undefined) fold.version = first(fold.version, cut(version, MAX_NAME), place);
      break;
    }
    case "session.heartbeat": {
      const payload = payloadOf(event.value);
      fold.heartbeatStep = higher(fold.heartbeatStep, readAmount(type, payload, "step"));
      fold.heartbeatTokens = higher(fold.heartbeatTokens, readAmount(type, payload, "token_spend"));
      break;
    }
    case "session.ended": {
      const payload = payloadOf(event.value);
      const end = { ...place, text: outcomeOf(readText(type, payload, "outcome")), at: now.text };
      if (fold.end === null || isBefore(fold.end, end)) fold.end = end;
      fold.endSteps = higher(fold.endSteps, readAmount(type, payload, "total_steps"));
      fold.endTokens = higher(fold.endTokens, readAmount(type, payload, "total_tokens"));
      fold.endCostUsd = higher(fold.endCostUsd, readAmount(type, payload, "total_cost_usd"));
      break;
    }
    case "operation.tool_start":
      fold.toolStarts++;
      break;
    case "operation.tool_end": {
      const payload = payloadOf(event.value);
      const tokens = readAmount(type, payload, "token_spend_delta");
      if (tokens === undefined) break;
      const id = payload["tool_call_id"];
      // Without an id of its own, the event's number tells the call from others.
      addSpend(fold.spend, typeof id === "string" ? `id ${cut(id, MAX_NAME)}` : `at ${event.agent} ${place.sequence} ${place.ms}`, tokens);
      break;
    }
  }
}

interface Place {
  readonly sequence: number;
  readonly ms: number;
}

/** By the emitter's clock; by ours where it says nothing that can be read. */
function momentOf({ value, receivedAt }: HeardEvent): Moment {
  const text = value["timestamp"];
  const instant = typeof text === "string" ? readTimestamp(text) : undefined;
  if (instant === undefined || typeof text !== "string") return { ms: receivedAt, text: new Date(receivedAt).toISOString() };
  return { ms: instant.ms, text };
}

function isEarlier(left: Moment, right: Moment): boolean {
  return left.ms < right.ms || (left.ms === right.ms && left.text < right.text);
}

/** Sequence, then timestamp; what is still equal is told apart by its text, never by its arrival. */
function isBefore(left: Said, right: Said): boolean {
  if (left.sequence !== right.sequence) return left.sequence < right.sequence;
  return left.ms === right.ms ? left.text < right.text : left.ms < right.ms;
}

function first(known: Said | null, text: string, place: Place): Said {
  // Most events lose here, without an object being made for them.
  if (known !== null && known.sequence < place.sequence) return known;
  const said = { text, sequence: place.sequence, ms: place.ms };
  return known === null || isBefore(said, known) ? said : known;
}

function higher(known: number | null, heard: number | undefined): number | null {
  return heard === undefined ? known : Math.max(known ?? 0, heard);
}

/** Unknown outcomes are shown as they were said. What says nothing, or that it goes on, has ended all the same. */
function outcomeOf(outcome: string | undefined): string {
  return outcome === undefined || outcome === "" || outcome === "running" ? "completed" : cut(outcome, MAX_NAME);
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
