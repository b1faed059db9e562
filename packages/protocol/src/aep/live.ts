import { brief, joinBriefly, keyOf } from "../brief.ts";
import type { Finding } from "../finding.ts";
import type { LiveFinding, LiveLifecycle } from "../live.ts";
import type { Reading } from "../protocol.ts";
import { age, createRecent, drop, entriesOf, keep, type Recent, recall } from "../recent.ts";
import { isFirstTime, type ToldOnce } from "../teller.ts";
import { readAnswer } from "./answer.ts";
import { type Answered, actionIdOf, joinAnswer, mayBeAnswered } from "./join.ts";
import { compactSession, openSession, type SessionState, stepSession } from "./lifecycle.ts";
import { DONE_ROWS } from "./rows.ts";
import { AEP_RULES } from "./rules.ts";
import { conversationOf, isBoundary } from "./scope.ts";
import { isNewCase } from "./told-cases.ts";

/** A session heard live: each agent that speaks in it has a lifecycle of its own. */
export interface LiveSession {
  agents: LiveAgent[];
  /** Events of agents for whom there was no room. */
  forgotten: number;
  /** The events that a response may name, the last ones only: a hook waits for minutes, not for days. */
  answerable: Recent<LiveEvent>;
  /** What was told once outside of any agent's lifecycle. */
  told: ToldOnce;
}

interface LiveAgent {
  readonly slug: string;
  readonly life: SessionState;
}

interface LiveEvent extends Answered {
  /** Place of its agent in the list; left out when that has no lifecycle here. */
  readonly agent?: number;
  /** Two agents used the id, and a response does not say which of them it answers. */
  ambiguous?: true;
}

/** What a session remembers for certain: less than for a recording, because its state is stored again and again. */
const LIVE_LIMITS = { agents: 64, openRows: 128, doneRows: 128, answerable: 128, earlyOutcomes: 8 } as const;

/**
 * AEP live. A response that comes before the event it answers is heard with a state of its own, and not joined with the
 * event later: a hub hears the event first, because the response is its answer to it.
 */
export const AEP_LIVE: LiveLifecycle<LiveSession> = {
  open: () => ({ agents: [], forgotten: 0, answerable: createRecent(), told: {} }),
  hear: (session, reading, at) => (reading.kind === "message" ? hearResponse(session, reading, at) : hearEvent(session, reading, at)),
  hasEnded: ({ agents }) => agents.length > 0 && agents.every(({ life }) => life.phase === "ended"),
  session: (reading) => (reading.kind === "message" ? undefined : scopeOf(reading)),
  identity: ({ kind, agentId, eventId }) => {
    if (eventId === undefined) return null;
    // Responses have no agent. What is joined begins with a digit, so that the two are never taken for each other.
    return kind === "message" ? `response ${brief(eventId)}` : joinBriefly(agentId ?? "", eventId);
  },
  sequence: () => null,
  answerable: (reading) => (mayBeAnswered(reading) ? brief(reading.eventId ?? "") : undefined),
  answers: ({ kind, value }) => (kind === "message" ? readAnswer(value, 0).requestId : undefined),
};

/** The session of an event, or failing that its conversation; with neither, nothing about it can be joined. */
function scopeOf(reading: Reading): string | undefined {
  if (reading.sessionId !== undefined) return brief(reading.sessionId);
  const conversation = conversationOf(reading);
  return conversation === undefined ? undefined : `conversation/${brief(conversation)}`;
}

function hearEvent(session: LiveSession, reading: Reading, at: number): readonly LiveFinding[] {
  const agent = scopeOf(reading) === undefined ? undefined : agentOf(session, reading.agentId ?? "");
  const life = agent === undefined ? undefined : session.agents[agent]?.life;
  const told = news(reading.findings, at, life?.told ?? session.told);
  const wasOpen = life?.phase === "open";
  // A conversation may have many sessions: an event that does not say which one begins or ends none.
  if (life !== undefined && !(reading.sessionId === undefined && isBoundary(reading))) {
    const { findings } = stepSession(life, reading, at);
    if (findings.length > 0) told.push(...news(findings, at, life.told));
    keepSmall(life);
  }
  if (mayBeAnswered(reading)) remember(session, reading, at, agent);
  if (wasOpen && life.phase === "ended") forgetAnswerable(session, agent);
  return told;
}

function hearResponse(session: LiveSession, reading: Reading, at: number): readonly LiveFinding[] {
  const answer = readAnswer(reading.value, at);
  const event = answer.requestId === undefined ? undefined : recall(session.answerable, keyOf(answer.requestId));
  const life = event?.agent === undefined ? undefined : session.agents[event.agent]?.life;
  const told = news(reading.findings, at, life?.told ?? session.told);
  if (event === undefined || event.ambiguous === true) return told;
  told.push(...news(joinAnswer(answer, event, life), at, life?.told ?? session.told));
  if (life !== undefined) keepSmall(life);
  return told;
}

/** Place of an agent in the list; undefined when there is no room for it. */
function agentOf(session: LiveSession, agentId: string): number | undefined {
  const slug = brief(agentId);
  for (let index = 0; index < session.agents.length; index++) if (session.agents[index]?.slug === slug) return index;
  if (session.agents.length >= LIVE_LIMITS.agents) {
    session.forgotten++;
    return undefined;
  }
  return session.agents.push({ slug, life: openSession() }) - 1;
}

function remember({ answerable }: LiveSession, reading: Reading, at: number, agent: number | undefined): void {
  const key = keyOf(reading.eventId ?? "");
  const known = recall(answerable, key);
  if (known !== undefined) {
    known.ambiguous = true;
    return;
  }
  const actionId = actionIdOf(reading);
  // Written out, because spreading costs more than all the rest.
  const event: LiveEvent =
    actionId === undefined
      ? agent === undefined
        ? { at }
        : { at, agent }
      : agent === undefined
        ? { at, actionId }
        : { at, actionId, agent };
  keep(answerable, key, event, LIVE_LIMITS.answerable);
}

/** An agent that has ended does not wait for an answer. What it says after that, about to go on, may be answered again. */
function forgetAnswerable({ answerable }: LiveSession, agent: number | undefined): void {
  for (const [key, event] of entriesOf(answerable)) if (event.agent === agent) drop(answerable, key);
}

function keepSmall(life: SessionState): void {
  if (life.phase === "ended") leaveTombstone(life);
  else life.forgotten += age(life.open, LIVE_LIMITS.openRows) + age(life.done, LIVE_LIMITS.doneRows);
}

/** An outcome whose request is still on its way is kept: in a session that goes on, that request would seem to have none. */
function leaveTombstone(life: SessionState): void {
  const early = [...entriesOf(life.done)].filter(([, row]) => !row.requested).slice(-LIVE_LIMITS.earlyOutcomes);
  compactSession(life);
  for (const [key, row] of early) keep(life.done, key, row, DONE_ROWS);
  life.forgotten -= early.length;
}

function news(findings: readonly Finding[], at: number, told: ToldOnce): LiveFinding[] {
  if (findings.length === 0) return [];
  return findings.flatMap((finding) => (isNewCase(finding, told) && isFirstTime(AEP_RULES, finding, told) ? [{ finding, at }] : []));
}
