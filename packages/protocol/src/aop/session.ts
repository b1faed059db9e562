import type { Finding } from "../finding.ts";
import type { Reading } from "../protocol.ts";
import type { ToldOnce } from "../teller.ts";
import { wentBack } from "./arrival.ts";
import { closeSession, type Order, openSession, type SessionState, sequenceOf, settleSession, stepSession } from "./lifecycle.ts";
import { fillHole, type Hole, hold, openReorder, place, type ReorderState, skip, takeLowest, takeReady } from "./reorder.ts";
import { type PlacedFinding, push } from "./tool-calls.ts";

/** One session as it is heard: the windows that restore its order, and what has been made of it. A plain value. */
export interface HeardSession {
  readonly window: ReorderState<Reading>;
  /** Counters of agents which count on their own inside a session that is not theirs. */
  readonly others: Record<string, ReorderState<Reading>>;
  otherCount: number;
  readonly life: SessionState;
  readonly told: ToldOnce;
  /** Events without a number: each may be one that seems to be missing. */
  placeless: number;
}

type Findings = PlacedFinding[] | undefined;

const NOTHING: readonly PlacedFinding[] = Object.freeze([]);
const MAX_OTHERS = 8;

export function openHeardSession(): HeardSession {
  return { window: openReorder(), others: {}, otherCount: 0, life: openSession(), told: {}, placeless: 0 };
}

/**
 * Hears one event in order of arrival and judges whatever is thereby in order of emission. Changes the session in place.
 * `repeated` says that its number has been used for another event before.
 */
export function hearSession(session: HeardSession, reading: Reading, at: number, repeated: boolean): readonly PlacedFinding[] {
  const sequence = sequenceOf(reading.value["sequence"]);
  const window = sequence === null ? undefined : windowFor(session, reading.agentId, sequence);
  let findings: Findings;
  if (sequence === null || window === undefined) {
    // Without a number nothing is known but the order of arrival.
    session.placeless++;
    findings = release(session, session.window, findings);
    findings = step(session, reading, at, "late", findings);
  } else {
    findings = hearNumbered(session, window, reading, { sequence, at, repeated });
  }
  return findings ?? NOTHING;
}

/** Nothing more will be heard: judges what is waiting and tells what is missing. */
export function closeHeardSession(session: HeardSession): readonly PlacedFinding[] {
  let findings = release(session, session.window, undefined);
  if (session.otherCount > 0) for (const window of Object.values(session.others)) findings = release(session, window, findings);
  const { window, life } = session;
  findings = append(findings, closeSession(life, lossHint(session)).findings);
  const missing = window.missing - session.placeless;
  if (missing > 0 && window.hole !== null) findings = push(findings, { at: window.hole.at, finding: holeFinding(missing, window.hole) });
  return findings ?? NOTHING;
}

interface Arrival {
  readonly sequence: number;
  readonly at: number;
  readonly repeated: boolean;
}

function hearNumbered(session: HeardSession, window: ReorderState<Reading>, reading: Reading, arrival: Arrival): Findings {
  const { sequence, at, repeated } = arrival;
  let findings: Findings;
  const { highest } = window;
  if (wentBack(window, sequence, reading.agentId, reading.value["timestamp"])) {
    if (!repeated) {
      const message = `The number ${sequence} was given to an event later than ${highest}.`;
      findings = push(findings, { at, finding: { rule: "aop/sequence-increases", pointer: "/sequence", message } });
    }
    // Its number says nothing about its place: it belongs where it arrived.
    skip(window, sequence);
    findings = step(session, reading, at, "late", findings);
    return releaseReady(session, window, findings);
  }
  // A counter beside the session's own begins where it is first noticed: it was noticed because time had passed.
  switch (place(window, sequence, reading.type === "session.started" || window !== session.window)) {
    case "now":
      findings = step(session, reading, at, "placed", findings);
      break;
    case "wait":
      hold(window, sequence, at, reading);
      break;
    case "late":
      if (!repeated) fillHole(window, sequence);
      findings = step(session, reading, at, "late", findings);
      break;
  }
  return releaseReady(session, window, findings);
}

function releaseReady(session: HeardSession, window: ReorderState<Reading>, before: Findings): Findings {
  let findings = before;
  for (let held = takeReady(window); held !== undefined; held = takeReady(window)) {
    findings = step(session, held.item, held.at, "placed", findings);
  }
  return findings;
}

/**
 * A session has one counter. When another agent joins in, it either goes on counting, which needs nothing special, or it
 * counts on its own, which shows by a number that has passed already.
 */
function windowFor(session: HeardSession, agentId: string | undefined, sequence: number): ReorderState<Reading> | undefined {
  const { window, life } = session;
  if (agentId === undefined || agentId === life.agentId || life.agentId === null) return window;
  const key = `:${agentId}`;
  const own = session.otherCount === 0 ? undefined : session.others[key];
  if (own !== undefined) return own;
  if (sequence >= window.next) return window;
  if (session.otherCount >= MAX_OTHERS) return undefined;
  const opened = openReorder<Reading>();
  session.others[key] = opened;
  session.otherCount++;
  return opened;
}

function release(session: HeardSession, window: ReorderState<Reading>, before: Findings): Findings {
  let findings = before;
  for (let held = takeLowest(window); held !== undefined; held = takeLowest(window)) {
    findings = step(session, held.item, held.at, "placed", findings);
  }
  return findings;
}

function step(session: HeardSession, reading: Reading, at: number, order: Order, before: Findings): Findings {
  const { life, window } = session;
  const { phase } = life;
  const findings = append(before, stepSession(life, reading, at, order).findings);
  if (life.phase === phase || life.phase !== "ended" || order === "late" || window.missing > 0 || session.otherCount > 0) return findings;
  // Everything before the end has been heard: what is open now stays open.
  return append(findings, settleSession(life).findings);
}

function append(findings: Findings, more: readonly PlacedFinding[]): Findings {
  if (more.length === 0) return findings;
  if (findings === undefined) return [...more];
  findings.push(...more);
  return findings;
}

/** Said with a tool end that has no start, when the start may simply not have been delivered. */
function lossHint(session: HeardSession): string | undefined {
  const { missing, first } = session.window;
  if (missing > 0) return `${notHeard(missing)}; the start may be among them.`;
  if (session.life.startedSequence === null && first > 1)
    return "The recording begins in the middle of this session; the start may lie before.";
  return undefined;
}

function holeFinding(missing: number, hole: Hole): Finding {
  const message = `${notHeard(missing)}; the first hole is before number ${hole.to}.`;
  return { rule: "aop/sequence-complete", pointer: "/sequence", message };
}

function notHeard(missing: number): string {
  return missing === 1 ? "1 event of this session was not heard" : `${missing} events of this session were not heard`;
}
