import { recordKeyOf } from "../brief.ts";
import type { Finding } from "../finding.ts";
import type { ProtocolReading } from "../protocol.ts";
import { defineRule } from "../rule.ts";
import type { ToldOnce } from "../told-once.ts";
import { hasCounterGoneBack, openCounter, type SequenceCounter } from "./arrival.ts";
import { ended, goal, run, started, thought } from "./example-events.ts";
import {
  type AopSessionState,
  type ArrivalOrder,
  closeAopSession,
  openAopSession,
  sequenceOf,
  settleSession,
  stepAopSession,
} from "./lifecycle.ts";
import {
  fillHole,
  holdItem,
  openReorder,
  placeInOrder,
  type ReorderState,
  type SequenceHole,
  skipNumber,
  takeLowest,
  takeReady,
} from "./reorder.ts";
import { EVENT_TYPES_PAGE, TRANSPORT } from "./sections.ts";
import { appendFinding, type PlacedFinding } from "./tool-calls.ts";

const ANY = ["*"];

export const SESSION_RULES = {
  "aop/sequence-unique": defineRule(["error", "recording", 0, EVENT_TYPES_PAGE, ANY], {
    title: "A sequence number stands for one event of a session and agent.",
    hint: "Do two processes use one session id, or does a restart begin to count anew? Give each run its own session id.",
    examples: () => ({ passes: run(thought(2)), fails: [started(), thought(2), goal(2, "set"), ended(3)] }),
  }),
  "aop/sequence-increases": defineRule(["error", "recording", 0, EVENT_TYPES_PAGE, ANY], {
    title: "The sequence rises with every event emitted.",
    hint: "A later event has a lower number, which no race on the way explains. Keep one counter per session and only ever add to it.",
    examples: () => ({
      // The posts of 2 and 3 overtook each other in transit.
      passes: [started(), goal(3, "set"), thought(2), ended(4)],
      // The number 2 was assigned after the number 4: its timestamp is later.
      fails: [started(), goal(3, "set"), thought(4), thought(2), ended(5)].map((item, index) => ({
        ...item,
        timestamp: `2026-03-01T10:00:0${index + 1}.000Z`,
      })),
    }),
  }),
  "aop/sequence-complete": defineRule(["info", "recording", 0, TRANSPORT, ANY], {
    title: "No sequence number is missing.",
    hint: "Events that could not be delivered in time are dropped, by design. Many of them point to a slow or absent collector.",
    oncePerSession: true,
    examples: () => ({ passes: run(thought(2)), fails: [started(), thought(2), ended(6)] }),
  }),
} as const;

/** One session as received: the window that restores its order, and the state derived from it. A plain value. */
export interface ReceivedSession {
  readonly window: ReorderState<ProtocolReading>;
  /** The agent received first. */
  agentId: string | null;
  /** Whether events of another agent arrived. See `hearMixed`. */
  mixed: boolean;
  /** Counters of the other agents in a mixed session. */
  readonly others: Record<string, SequenceCounter>;
  otherCount: number;
  /** Events of agents for whose counters there was no room. */
  uncounted: number;
  readonly life: AopSessionState;
  readonly told: ToldOnce;
  /** Events without a number: each may be one that seems to be missing. */
  placeless: number;
}

type Findings = PlacedFinding[] | undefined;

const NOTHING: readonly PlacedFinding[] = Object.freeze([]);
const MAX_OTHERS = 8;

export function openReceivedSession(): ReceivedSession {
  return {
    window: openReorder(),
    agentId: null,
    mixed: false,
    others: {},
    otherCount: 0,
    uncounted: 0,
    life: openAopSession(),
    told: {},
    placeless: 0,
  };
}

/** The part of a held event to keep; it must give the same findings. */
export type ReduceHeld = (reading: ProtocolReading) => ProtocolReading;

const asItIs: ReduceHeld = (reading) => reading;

/**
 * Takes one event in order of arrival and judges every event that becomes ready, in order of emission. Changes the session in place.
 * `repeated`: its number was used for another event before.
 */
export function receiveIntoSession(
  session: ReceivedSession,
  reading: ProtocolReading,
  at: number,
  repeated: boolean,
  waits: ReduceHeld = asItIs,
): readonly PlacedFinding[] {
  const sequence = sequenceOf(reading.value["sequence"]);
  const { agentId } = reading;
  let findings: Findings;
  if (agentId !== undefined && agentId !== session.agentId && !session.mixed) {
    if (session.agentId === null) {
      session.agentId = agentId;
    } else {
      session.mixed = true;
      findings = release(session, findings);
    }
  }
  if (sequence === null) {
    // Without a number, only the order of arrival is known.
    session.placeless++;
    findings = release(session, findings);
    findings = step(session, reading, at, "adrift", findings);
  } else {
    const arrival = { sequence, at, repeated };
    findings = session.mixed ? hearMixed(session, reading, arrival, findings) : hearNumbered(session, reading, arrival, waits);
  }
  return findings ?? NOTHING;
}

/** The number of entries dropped to bound memory: 0 means that every finding is exact. */
export function forgottenIn(session: ReceivedSession): number {
  return session.life.calls.forgotten + session.life.goals.forgotten + session.uncounted;
}

/** No more events follow: judges the waiting events and reports the missing ones. */
export function closeReceivedSession(session: ReceivedSession): readonly PlacedFinding[] {
  let findings = release(session, undefined);
  const { window, life } = session;
  findings = append(findings, closeAopSession(life, lossHint(session)).findings);
  const missing = session.mixed ? 0 : window.missing - session.placeless;
  if (missing > 0 && window.hole !== null)
    findings = appendFinding(findings, { at: window.hole.at, finding: holeFinding(missing, window.hole) });
  return findings ?? NOTHING;
}

interface Arrival {
  readonly sequence: number;
  readonly at: number;
  readonly repeated: boolean;
}

function hearNumbered(session: ReceivedSession, reading: ProtocolReading, arrival: Arrival, waits: ReduceHeld): Findings {
  const { window } = session;
  const { sequence, at, repeated } = arrival;
  let findings: Findings;
  const { highest } = window;
  if (hasCounterGoneBack(window, sequence, reading.agentId, reading.value["timestamp"])) {
    if (!repeated) findings = appendFinding(findings, backFinding(arrival, highest));
    skipNumber(window, sequence);
    findings = step(session, reading, at, "adrift", findings);
    return releaseReady(session, findings);
  }
  switch (placeInOrder(window, sequence, reading.type === "session.started")) {
    case "now":
      findings = step(session, reading, at, "placed", findings);
      break;
    case "wait":
      holdItem(window, sequence, at, waits(reading));
      break;
    case "late":
      if (!repeated) fillHole(window, sequence);
      findings = step(session, reading, at, "late", findings);
      break;
  }
  return releaseReady(session, findings);
}

/**
 * A session is one run of one agent. A second agent may continue the counter or use its own, and unordered events do not show which. So
 * no event waits any more, and numbers are compared only within one agent: what they prove is reported, and what requires one order for
 * the whole session is not.
 */
function hearMixed(session: ReceivedSession, reading: ProtocolReading, arrival: Arrival, before: Findings): Findings {
  const { sequence, at, repeated } = arrival;
  const { agentId, type } = reading;
  const counter = agentId === undefined ? undefined : counterFor(session, agentId);
  if (counter === undefined) return step(session, reading, at, "adrift", before);
  const { highest } = counter;
  if (hasCounterGoneBack(counter, sequence, agentId, reading.value["timestamp"])) {
    const findings = repeated ? before : appendFinding(before, backFinding(arrival, highest));
    return step(session, reading, at, "adrift", findings);
  }
  const follows = type === "session.ended" && highest > sequence;
  return step(session, reading, at, follows ? "late" : "apart", before);
}

function counterFor(session: ReceivedSession, agentId: string): SequenceCounter | undefined {
  if (agentId === session.agentId) return session.window;
  const key = recordKeyOf(agentId);
  const known = session.others[key];
  if (known !== undefined) return known;
  if (session.otherCount >= MAX_OTHERS) {
    session.uncounted++;
    return undefined;
  }
  const opened = openCounter();
  session.others[key] = opened;
  session.otherCount++;
  return opened;
}

function releaseReady(session: ReceivedSession, before: Findings): Findings {
  const { window } = session;
  let findings = before;
  for (let held = takeReady(window); held !== undefined; held = takeReady(window)) {
    findings = step(session, held.item, held.at, "placed", findings);
  }
  return findings;
}

function release(session: ReceivedSession, before: Findings): Findings {
  const { window } = session;
  let findings = before;
  for (let held = takeLowest(window); held !== undefined; held = takeLowest(window)) {
    findings = step(session, held.item, held.at, "placed", findings);
  }
  return findings;
}

function step(session: ReceivedSession, reading: ProtocolReading, at: number, order: ArrivalOrder, before: Findings): Findings {
  const { life, window } = session;
  const { phase } = life;
  const findings = append(before, stepAopSession(life, reading, at, order).findings);
  if (life.phase === phase || life.phase !== "ended" || order !== "placed" || window.missing > 0 || session.mixed) return findings;
  // Every event before the end has arrived.
  return append(findings, settleSession(life).findings);
}

function append(findings: Findings, more: readonly PlacedFinding[]): Findings {
  if (more.length === 0) return findings;
  if (findings === undefined) return [...more];
  findings.push(...more);
  return findings;
}

/** Hint for a tool end without a start, if the start may not have been delivered. */
function lossHint(session: ReceivedSession): string | undefined {
  if (session.mixed) return undefined;
  const { missing, first } = session.window;
  if (missing > 0) return `${notHeard(missing)}; the start may be among them.`;
  if (session.life.startedSequence === null && first > 1)
    return "The recording begins in the middle of this session; the start may lie before.";
  return undefined;
}

/** The finding for a number already used for another event. */
export function repeatedNumberFinding({ value }: ProtocolReading): Finding {
  const message = `The number ${String(value["sequence"])} was given to another event of this session before.`;
  return { rule: "aop/sequence-unique", pointer: "/sequence", message };
}

function backFinding({ sequence, at }: Arrival, highest: number): PlacedFinding {
  const message = `The number ${sequence} was given to an event later than ${highest}.`;
  return { at, finding: { rule: "aop/sequence-increases", pointer: "/sequence", message } };
}

function holeFinding(missing: number, hole: SequenceHole): Finding {
  const message = `${notHeard(missing)}; the first hole is before number ${hole.to}.`;
  return { rule: "aop/sequence-complete", pointer: "/sequence", message };
}

function notHeard(missing: number): string {
  return missing === 1 ? "1 event of this session was not heard" : `${missing} events of this session were not heard`;
}
