import { brief, joinBriefly, keyOf } from "../brief.ts";
import type { Finding } from "../finding.ts";
import { isObject, type JsonObject, type JsonValue } from "../json.ts";
import type { Known, LiveFinding, LiveLifecycle } from "../live.ts";
import type { Reading } from "../protocol.ts";
import { age, createRecent, drop, entriesOf, keep, type Recent, recall } from "../recent.ts";
import type { RecordedLifecycle } from "../recorded.ts";
import { clip } from "../schema.ts";
import { isFirstTime, type ToldOnce } from "../teller.ts";
import { readAnswer } from "./answer.ts";
import { type Answered, actionIdOf, joinAnswer, mayBeAnswered } from "./join.ts";
import { closeSession, compactSession, openSession, type SessionState, stepSession } from "./lifecycle.ts";
import { DONE_ROWS } from "./rows.ts";
import { AEP_RULES, type AepRuleId } from "./rules.ts";
import { conversationOf, isBoundary } from "./scope.ts";
import { isNewCase } from "./told-cases.ts";

/** A session received live: each of its agents has its own lifecycle. */
export interface LiveSession {
  agents: LiveAgent[];
  /** Number of events from agents beyond the limit. */
  forgotten: number;
  /** The beginning of the session is known to be forgotten. */
  resumed?: true;
  /** The most recent events that a response may name: a hook waits for minutes, not for days. */
  answerable: Recent<LiveEvent>;
  /** Findings reported once outside of any agent's lifecycle. */
  told: ToldOnce;
}

interface LiveAgent {
  readonly slug: string;
  readonly life: SessionState;
}

interface LiveEvent extends Answered {
  /** Index of the agent in the list; omitted if the agent has no lifecycle here. */
  readonly agent?: number;
  /** Two agents used the id, and a response does not identify which of them it answers. */
  ambiguous?: true;
}

interface Limits {
  readonly agents: number;
  readonly answerable: number;
  /** Number of rows kept while the session is stored repeatedly; a recording keeps as many as `rows.ts` allows. */
  readonly storedRows?: number;
}

const LIVE_LIMITS: Limits = { agents: 64, answerable: 128, storedRows: 128 };
const RECORDED_LIMITS: Limits = { agents: 1024, answerable: 8192 };
/** Maximum number of outcomes without a request that a hub keeps for an ended session. */
const EARLY_OUTCOMES = 8;
/** Limit for the input kept with an answer that waits for its event; larger input is dropped. */
const MAX_WAITING_INPUT = 1000;

/**
 * AEP live. A response that arrives before its event is processed with its own state and not joined to the event later: a hub receives
 * the event first, because the response is its answer to it.
 */
export const AEP_LIVE: LiveLifecycle<LiveSession> = {
  open: () => ({ agents: [], forgotten: 0, answerable: createRecent(), told: {} }),
  hear: (session, reading, at, known) => hear(session, reading, { at, known, limits: LIVE_LIMITS }),
  hasEnded: ({ agents }) => agents.length > 0 && agents.every(({ life }) => life.phase === "ended"),
  session: (reading) => (reading.kind === "message" ? undefined : scopeOf(reading)),
  identity: ({ kind, agentId, eventId }) => {
    if (eventId === undefined) return null;
    // Responses have no agent. A joined identity begins with a digit, so the two forms never collide.
    return kind === "message" ? `response ${brief(eventId)}` : joinBriefly(agentId ?? "", eventId);
  },
  sequence: () => null,
  answerable: (reading) => (mayBeAnswered(reading) ? brief(reading.eventId ?? "") : undefined),
  answers: ({ kind, value }) => (kind === "message" ? readAnswer(value, 0).requestId : undefined),
};

/** AEP in a recording, where a response may precede the event it answers. */
export const AEP_RECORDED: RecordedLifecycle<LiveSession> = {
  ...AEP_LIVE,
  hear: (session, reading, at, known) => hear(session, reading, { at, known, limits: RECORDED_LIMITS }),
  answerableEvents: RECORDED_LIMITS.answerable,
  sessionId: (key) => (key?.startsWith(CONVERSATION) === true ? undefined : key),
  forgotten: ({ agents, forgotten }) => agents.reduce((sum, { life }) => sum + life.forgotten, forgotten),
  bury({ agents }, isSilent) {
    if (!isSilent) for (const { life } of agents) compactSession(life);
    return 0;
  },
  unearth: () => ({ ...AEP_LIVE.open(), resumed: true }),
  waitForEvent: (response) => ({ ...response, value: answerIn(response.value), findings: [lostAnswer(response)] }),
  end: ({ agents }) =>
    agents.flatMap(({ life }) =>
      closeSession(life).flatMap((finding) => (isNews(finding, life.told) ? [{ finding, at: finding.since ?? 0 }] : [])),
    ),
};

const CONVERSATION = "conversation/";

/** Keeps the members that join a response to other records. */
function answerIn({ id, request_event_id, action_id, control }: JsonObject): JsonObject {
  const { behavior, updated_input: input } = isObject(control) ? control : {};
  const kept: Record<string, JsonValue | undefined> = { behavior };
  if (input !== undefined && JSON.stringify(input).length <= MAX_WAITING_INPUT) kept["updated_input"] = input;
  return { id, request_event_id, action_id, control: kept };
}

function lostAnswer({ value }: Reading): Finding {
  const message = `No event with the id ${clip(String(value["request_event_id"]), 60)} was heard.`;
  return { rule: "aep/response-needs-request" satisfies AepRuleId, message, pointer: "/request_event_id" };
}

interface Heard {
  readonly at: number;
  readonly known: Known;
  readonly limits: Limits;
}

/** Returns the session of an event, or else its conversation. With neither, the event cannot be joined to others. */
function scopeOf(reading: Reading): string | undefined {
  if (reading.sessionId !== undefined) return brief(reading.sessionId);
  const conversation = conversationOf(reading);
  return conversation === undefined ? undefined : CONVERSATION + brief(conversation);
}

function hear(session: LiveSession, reading: Reading, heard: Heard): readonly LiveFinding[] {
  const told = reading.kind === "message" ? hearResponse(session, reading, heard) : hearEvent(session, reading, heard);
  if (!heard.known.repeated) return told;
  const message = `The id ${clip(reading.eventId ?? "", 60)} was used before, for something else.`;
  return [{ finding: { rule: "aep/id-unique" satisfies AepRuleId, message, pointer: "/id" }, at: heard.at }, ...told];
}

function hearEvent(session: LiveSession, reading: Reading, { at, limits }: Heard): readonly LiveFinding[] {
  const agent = scopeOf(reading) === undefined ? undefined : agentOf(session, reading.agentId ?? "", limits);
  const life = agent === undefined ? undefined : session.agents[agent]?.life;
  const told = news(reading.findings, at, life?.told ?? session.told);
  const wasOpen = life?.phase === "open";
  // A conversation may have many sessions: a start or end event that names none does not start or end any of them.
  if (life !== undefined && !(reading.sessionId === undefined && isBoundary(reading))) {
    const { findings } = stepSession(life, reading, at);
    if (findings.length > 0) told.push(...news(findings, at, life.told));
    keepSmall(life, limits);
  }
  if (mayBeAnswered(reading)) remember(session, reading, at, agent, limits);
  if (wasOpen && life.phase === "ended" && limits.storedRows !== undefined) forgetAnswerable(session, agent);
  return told;
}

function hearResponse(session: LiveSession, reading: Reading, { at, limits }: Heard): readonly LiveFinding[] {
  const answer = readAnswer(reading.value, at);
  const event = answer.requestId === undefined ? undefined : recall(session.answerable, keyOf(answer.requestId));
  const life = event?.agent === undefined ? undefined : session.agents[event.agent]?.life;
  const told = news(reading.findings, at, life?.told ?? session.told);
  if (event === undefined || event.ambiguous === true) return told;
  told.push(...news(joinAnswer(answer, event, life), at, life?.told ?? session.told));
  if (life !== undefined) keepSmall(life, limits);
  return told;
}

/** Returns the index of an agent in the list; undefined if the list is full. */
function agentOf(session: LiveSession, agentId: string, limits: Limits): number | undefined {
  const slug = brief(agentId);
  for (let index = 0; index < session.agents.length; index++) if (session.agents[index]?.slug === slug) return index;
  if (session.agents.length >= limits.agents) {
    session.forgotten++;
    return undefined;
  }
  return session.agents.push({ slug, life: openSession(session.resumed) }) - 1;
}

function remember({ answerable }: LiveSession, reading: Reading, at: number, agent: number | undefined, limits: Limits): void {
  const key = keyOf(reading.eventId ?? "");
  const known = recall(answerable, key);
  if (known !== undefined) {
    known.ambiguous = true;
    return;
  }
  const actionId = actionIdOf(reading);
  // Written out, because spreading costs more than the rest of this function.
  const event: LiveEvent =
    actionId === undefined
      ? agent === undefined
        ? { at }
        : { at, agent }
      : agent === undefined
        ? { at, actionId }
        : { at, actionId, agent };
  keep(answerable, key, event, limits.answerable);
}

/** Drops the events of an ended agent, which does not wait for an answer. Events after a restart may be answered again. */
function forgetAnswerable({ answerable }: LiveSession, agent: number | undefined): void {
  for (const [key, event] of entriesOf(answerable)) if (event.agent === agent) drop(answerable, key);
}

function keepSmall(life: SessionState, { storedRows }: Limits): void {
  if (storedRows === undefined) return;
  if (life.phase === "ended") leaveTombstone(life);
  else life.forgotten += age(life.open, storedRows) + age(life.done, storedRows);
}

/**
 * Compacts an ended session but keeps outcomes whose request may still arrive: if the session continues, that request would otherwise
 * seem to have no outcome.
 */
function leaveTombstone(life: SessionState): void {
  const early = [...entriesOf(life.done)].filter(([, row]) => !row.requested).slice(-EARLY_OUTCOMES);
  compactSession(life);
  for (const [key, row] of early) keep(life.done, key, row, DONE_ROWS);
  life.forgotten -= early.length;
}

function news(findings: readonly Finding[], at: number, told: ToldOnce): LiveFinding[] {
  if (findings.length === 0) return [];
  return findings.flatMap((finding) => (isNews(finding, told) ? [{ finding, at }] : []));
}

function isNews(finding: Finding, told: ToldOnce): boolean {
  return isNewCase(finding, told) && isFirstTime(AEP_RULES, finding, told);
}
