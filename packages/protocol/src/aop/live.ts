import type { Finding } from "../finding.ts";
import type { Known, LiveFinding, LiveLifecycle } from "../live.ts";
import type { Reading } from "../protocol.ts";
import { forgetGoals } from "./goals.ts";
import { inBrief } from "./in-brief.ts";
import { hasEnded, sequenceOf } from "./lifecycle.ts";
import { isNews } from "./news.ts";
import { type HeardSession, hearSession, openHeardSession, repeatedFinding } from "./session.ts";
import { ageCalls, forgetCalls } from "./tool-calls.ts";

/** Calls and goals that a session remembers for certain: fewer than for a recording, because its state is stored again and again. */
const CALLS = 128;
const GOALS = 64;
const NOTHING: readonly LiveFinding[] = Object.freeze([]);

/**
 * AOP live. What holds across sessions, the tree of spawned agents, is left to whoever knows them all. A session is never
 * closed, since the missing half of a call may always be on its way: a call that never ends is told when a session ends of
 * which everything was heard.
 */
export const AOP_LIVE: LiveLifecycle<HeardSession> = {
  open: openHeardSession,
  hear,
  hasEnded: ({ life }) => hasEnded(life),
  session: ({ kind, sessionId }) => (kind === "event" ? sessionId : undefined),
  identity: () => null,
  sequence: ({ kind, value }) => (kind === "event" ? sequenceOf(value["sequence"]) : null),
  answerable: () => undefined,
  answers: () => undefined,
};

function hear(session: HeardSession, reading: Reading, at: number, { repeated }: Known): readonly LiveFinding[] {
  let told: LiveFinding[] | undefined;
  for (const finding of reading.findings) told = tell(told, session, finding, at);
  if (AOP_LIVE.session(reading) === undefined) return told ?? NOTHING;
  if (repeated) told = tell(told, session, repeatedFinding(reading), at);
  for (const placed of hearSession(session, reading, at, repeated, inBrief)) told = tell(told, session, placed.finding, placed.at);
  keepSmall(session);
  return told ?? NOTHING;
}

/** Adds what is news to a list that is made when the first one is found. */
function tell(told: LiveFinding[] | undefined, session: HeardSession, finding: Finding, at: number): LiveFinding[] | undefined {
  if (!isNews(finding, session.told)) return told;
  if (told === undefined) return [{ finding, at }];
  told.push({ finding, at });
  return told;
}

/**
 * When a session has ended and everything that it numbered before was heard, whatever follows is told as following the end
 * or as repeating a number: which call or goal it is about matters no more. Several agents count on their own, so that
 * nobody knows whether all of theirs was heard.
 */
function keepSmall({ life, window, mixed }: HeardSession): void {
  const isComplete = life.phase === "ended" && window.missing === 0 && window.held.length === 0 && !mixed;
  if (isComplete) forgetCalls(life.calls);
  else ageCalls(life.calls, CALLS);
  if (life.goals.count > (isComplete ? 0 : GOALS)) forgetGoals(life.goals);
}
