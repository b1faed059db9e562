import { type JsonObject, payloadOf, readAmount, readFieldText, readTimestamp } from "@earshot/protocol";

/** An AOP event as stored in the ledger. */
export interface CollectorEvent {
  readonly receivedAt: number;
  readonly session: string;
  readonly agent: string;
  readonly type: string;
  readonly sequence: number | null;
  readonly value: JsonObject;
}

/**
 * Session members that only the official AOP collector's rows show, in the session's own words: a plain value of bounded size. Event
 * order does not matter; the end of a session may arrive before its start.
 */
export interface CollectorFacts {
  started: Moment | null;
  lastSeen: Moment | null;
  agent: PlacedText | null;
  parent: PlacedText | null;
  parentsDisagree: boolean;
  goal: PlacedText | null;
  /** From the payload of `session.started`, which takes precedence, and from the envelope. */
  version: PlacedText | null;
  envelopeVersion: PlacedText | null;
  /** The `session.ended` with the highest number: outcome and time. */
  end: (PlacedText & { readonly at: string }) | null;
  endSteps: number | null;
  endTokens: number | null;
  endCostUsd: number | null;
  heartbeatStep: number | null;
  heartbeatTokens: number | null;
  toolStarts: number;
  /** Tokens of its tool calls, each counted once; null when none reported any. */
  callTokens: number | null;
}

interface Moment {
  readonly ms: number;
  readonly text: string;
}

/** A text and its place in the session. */
interface PlacedText {
  readonly text: string;
  readonly sequence: number;
  readonly ms: number;
}

type Place = Omit<PlacedText, "text">;

/** Bounds the size of session lists; the events keep the whole text. */
const MAX_GOAL = 4000;
const MAX_NAME = 256;
/** Sorts after every numbered event. */
const UNNUMBERED = 2 ** 53;

export function openCollectorFacts(): CollectorFacts {
  return {
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
    callTokens: null,
  };
}

export function foldCollectorEvent(facts: CollectorFacts, event: CollectorEvent): void {
  const { value } = event;
  const now = momentOf(event);
  if (facts.started === null || isEarlier(now, facts.started)) facts.started = now;
  if (facts.lastSeen === null || isEarlier(facts.lastSeen, now)) facts.lastSeen = now;
  const place: Place = { sequence: event.sequence ?? UNNUMBERED, ms: now.ms };
  facts.agent = first(facts.agent, event.agent, place);
  const version = value["agent_version"];
  if (typeof version === "string") facts.envelopeVersion = first(facts.envelopeVersion, cut(version, MAX_NAME), place);
  const parent = value["parent_session_id"];
  // A session that names itself as its parent has none.
  if (typeof parent === "string" && parent !== "" && parent !== event.session) {
    const name = cut(parent, MAX_NAME);
    if (facts.parent !== null && facts.parent.text !== name) facts.parentsDisagree = true;
    facts.parent = first(facts.parent, name, place);
  }
  foldPayload(facts, event, now, place);
}

function foldPayload(facts: CollectorFacts, { type, value }: CollectorEvent, now: Moment, place: Place): void {
  switch (type) {
    case "session.started": {
      const payload = payloadOf(value);
      const goal = readFieldText(type, payload, "goal");
      if (goal !== undefined) facts.goal = first(facts.goal, cut(goal, MAX_GOAL), place);
      const version = readFieldText(type, payload, "agent_version");
      if (version !== undefined) facts.version = first(facts.version, cut(version, MAX_NAME), place);
      break;
    }
    case "session.heartbeat": {
      const payload = payloadOf(value);
      facts.heartbeatStep = higher(facts.heartbeatStep, readAmount(type, payload, "step"));
      facts.heartbeatTokens = higher(facts.heartbeatTokens, readAmount(type, payload, "token_spend"));
      break;
    }
    case "session.ended": {
      const payload = payloadOf(value);
      const end = { ...place, text: outcomeOf(readFieldText(type, payload, "outcome")), at: now.text };
      if (facts.end === null || isBefore(facts.end, end)) facts.end = end;
      facts.endSteps = higher(facts.endSteps, readAmount(type, payload, "total_steps"));
      facts.endTokens = higher(facts.endTokens, readAmount(type, payload, "total_tokens"));
      facts.endCostUsd = higher(facts.endCostUsd, readAmount(type, payload, "total_cost_usd"));
      break;
    }
    case "operation.tool_start":
      facts.toolStarts++;
      break;
  }
}

/** By the emitter's clock, or by the hub's when the timestamp is unreadable. */
function momentOf({ value, receivedAt }: CollectorEvent): Moment {
  const text = value["timestamp"];
  const instant = typeof text === "string" ? readTimestamp(text) : undefined;
  if (instant === undefined || typeof text !== "string") return { ms: receivedAt, text: new Date(receivedAt).toISOString() };
  return { ms: instant.ms, text };
}

function isEarlier(left: Moment, right: Moment): boolean {
  return left.ms < right.ms || (left.ms === right.ms && left.text < right.text);
}

/** Ordered by sequence, then timestamp, then text; never by arrival. */
function isBefore(left: PlacedText, right: PlacedText): boolean {
  if (left.sequence !== right.sequence) return left.sequence < right.sequence;
  return left.ms === right.ms ? left.text < right.text : left.ms < right.ms;
}

function first(known: PlacedText | null, text: string, place: Place): PlacedText {
  // Most events end here, before an object is allocated.
  if (known !== null && known.sequence < place.sequence) return known;
  const said = { text, ...place };
  return known === null || isBefore(said, known) ? said : known;
}

function higher(known: number | null, given: number | undefined): number | null {
  return given === undefined ? known : Math.max(known ?? 0, given);
}

/** Unknown outcomes are shown as sent. A missing outcome, or `running`, means completed. */
function outcomeOf(outcome: string | undefined): string {
  return outcome === undefined || outcome === "" || outcome === "running" ? "completed" : cut(outcome, MAX_NAME);
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
