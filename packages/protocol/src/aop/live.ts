import type { Finding } from "../finding.ts";
import type { FindingOfSession, KnownFacts, LiveLifecycle } from "../live.ts";
import type { ProtocolReading } from "../protocol.ts";
import type { RecordedLifecycle } from "../recorded.ts";
import { forgetGoals } from "./goals.ts";
import { boundAopReading } from "./in-brief.ts";
import { isNewForSession } from "./is-new-for-session.ts";
import { hasEnded, sequenceOf } from "./lifecycle.ts";
import {
  closeReceivedSession,
  forgottenIn,
  openReceivedSession,
  type ReceivedSession,
  type ReduceHeld,
  receiveIntoSession,
  repeatedNumberFinding,
} from "./session.ts";
import { ageCalls, forgetCalls } from "./tool-calls.ts";
import { SpawnTree } from "./tree.ts";

/** Calls and goals that a session is guaranteed to remember. Fewer than for a recording, because the state is stored again and again. */
const CALLS = 128;
const GOALS = 64;
const NOTHING: readonly FindingOfSession[] = Object.freeze([]);

/**
 * AOP live. The tree of spawned agents spans sessions and is left to code that sees all of them. A session is never closed, because the
 * missing half of a call may still arrive; an unfinished call is reported when a session ends of which every event has arrived.
 */
export const AOP_LIVE: LiveLifecycle<ReceivedSession> = {
  open: openReceivedSession,
  handle(session, reading, at, known) {
    const told = hear(session, reading, at, known, boundAopReading);
    if (AOP_LIVE.session(reading) !== undefined) keepSmall(session);
    return told;
  },
  hasEnded: ({ life }) => hasEnded(life),
  session: ({ kind, sessionId }) => (kind === "event" ? sessionId : undefined),
  identity: () => null,
  sequence: ({ kind, value }) => (kind === "event" ? sequenceOf(value["sequence"]) : null),
  answerable: () => undefined,
  answers: () => undefined,
};

/** Tombstone bits: none; or that the session has ended, whether it had begun, and the sequence number of its end in the higher bits. */
const SET_ASIDE = 0;
const ENDED = 1;
const ANNOUNCED = 2;
const MAX_TOMB_SEQUENCE = 0x0fff_ffff;

/** AOP in a recording. A session is closed some time after its end, or with the recording. */
export const AOP_RECORDED: RecordedLifecycle<ReceivedSession> = {
  ...AOP_LIVE,
  handle: (session, reading, at, known) => hear(session, reading, at, known, undefined),
  answerableEvents: 1,
  sessionId: (key) => key,
  forgotten: forgottenIn,
  bury({ life, mixed }, isSilent) {
    if (isSilent) return SET_ASIDE;
    // With several agents' counters, the number of the end does not order the other agents' later events.
    const end = mixed ? MAX_TOMB_SEQUENCE : (life.endedSequence ?? MAX_TOMB_SEQUENCE);
    return (Math.min(end, MAX_TOMB_SEQUENCE) << 2) | (life.phase === "ended" ? ANNOUNCED : 0) | ENDED;
  },
  unearth(tomb) {
    if (tomb === SET_ASIDE) return undefined;
    const session = openReceivedSession();
    const { life, window } = session;
    life.phase = (tomb & ANNOUNCED) === 0 ? "endedUnannounced" : "ended";
    const end = tomb >>> 2;
    life.endedSequence = end < MAX_TOMB_SEQUENCE ? end : null;
    window.next = Number.MAX_SAFE_INTEGER; // every number is late
    return session;
  },
  beyond: (find) => new SpawnTree(find),
  end(session) {
    let told: FindingOfSession[] | undefined;
    for (const placed of closeReceivedSession(session)) told = tell(told, session, placed.finding, placed.at);
    return told ?? NOTHING;
  },
};

function hear(
  session: ReceivedSession,
  reading: ProtocolReading,
  at: number,
  { repeated }: KnownFacts,
  waits: ReduceHeld | undefined,
): readonly FindingOfSession[] {
  let told: FindingOfSession[] | undefined;
  for (const finding of reading.findings) told = tell(told, session, finding, at);
  if (AOP_LIVE.session(reading) === undefined) return told ?? NOTHING;
  if (repeated) told = tell(told, session, repeatedNumberFinding(reading), at);
  for (const placed of receiveIntoSession(session, reading, at, repeated, waits)) told = tell(told, session, placed.finding, placed.at);
  return told ?? NOTHING;
}

/** Appends a finding not reported yet; creates the list on first use. */
function tell(
  told: FindingOfSession[] | undefined,
  session: ReceivedSession,
  finding: Finding,
  at: number,
): FindingOfSession[] | undefined {
  if (!isNewForSession(finding, session.told)) return told;
  if (told === undefined) return [{ finding, at }];
  told.push({ finding, at });
  return told;
}

/**
 * Once a session has ended and every event numbered before the end has arrived, each later event is reported as following the end or
 * repeating a number, so its call or goal no longer matters. Several agents have counters of their own, so completeness is unknown.
 */
function keepSmall({ life, window, mixed }: ReceivedSession): void {
  const isComplete = life.phase === "ended" && window.missing === 0 && window.held.length === 0 && !mixed;
  if (isComplete) forgetCalls(life.calls);
  else ageCalls(life.calls, CALLS);
  if (life.goals.count > (isComplete ? 0 : GOALS)) forgetGoals(life.goals);
}
