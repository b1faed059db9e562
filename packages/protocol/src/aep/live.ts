import { boundText, joinBriefly, recordKeyOf } from "../brief.ts";
import type { Finding } from "../finding.ts";
import { isObject, type JsonObject, type JsonValue } from "../json.ts";
import type { FindingOfSession, KnownFacts, LiveLifecycle } from "../live.ts";
import type { ProtocolReading } from "../protocol.ts";
import { ageEntries, createRecent, dropEntry, entriesOf, keepEntry, type RecentEntries, recallEntry } from "../recent.ts";
import type { RecordedLifecycle } from "../recorded.ts";
import { clipText } from "../schema.ts";
import { isFirstTime, type ToldOnce } from "../told-once.ts";
import { readResponseAnswer } from "./answer.ts";
import { isNewFinding } from "./is-new-finding.ts";
import { type AnsweredEvent, actionIdOfReading, joinAnswer, mayBeAnswered } from "./join.ts";
import { type AepSessionState, closeAepSession, compactSession, openAepSession, stepAepSession } from "./lifecycle.ts";
import { MAX_DONE_ROWS } from "./rows.ts";
import { AEP_RULES, type AepRuleId } from "./rules.ts";
import { conversationOf, isBoundary } from "./scope.ts";

/** A session received live: each of its agents has its own lifecycle. */
export interface AepLiveSession {
  agents: LiveAgent[];
  /** Number of events from agents beyond the limit. */
  forgotten: number;
  /** The beginning of the session is known to be forgotten. */
  resumed?: true;
  /** The most recent events that a response may name: a hook waits for minutes, not for days. */
  answerable: RecentEntries<LiveEvent>;
  /** Findings reported once outside of any agent's lifecycle. */
  told: ToldOnce;
}

interface LiveAgent {
  readonly slug: string;
  readonly life: AepSessionState;
}

interface LiveEvent extends AnsweredEvent {
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
export const AEP_LIVE: LiveLifecycle<AepLiveSession> = {
  open: () => ({ agents: [], forgotten: 0, answerable: createRecent(), told: {} }),
  handle: (session, reading, at, known) => hear(session, reading, { at, known, limits: LIVE_LIMITS }),
  hasEnded: ({ agents }) => agents.length > 0 && agents.every(({ life }) => life.phase === "ended"),
  session: (reading) => (reading.kind === "message" ? undefined : scopeOf(reading)),
  identity: ({ kind, agentId, eventId }) => {
    if (eventId === undefined) return null;
    // Responses have no agent. A joined identity begins with a digit, so the two forms never collide.
    return kind === "message" ? `response ${boundText(eventId)}` : joinBriefly(agentId ?? "", eventId);
  },
  sequence: () => null,
  answerable: (reading) => (mayBeAnswered(reading) ? boundText(reading.eventId ?? "") : undefined),
  answers: ({ kind, value }) => (kind === "message" ? readResponseAnswer(value, 0).requestId : undefined),
};

/** AEP in a recording, where a response may precede the event it answers. */
export const AEP_RECORDED: RecordedLifecycle<AepLiveSession> = {
  ...AEP_LIVE,
  handle: (session, reading, at, known) => hear(session, reading, { at, known, limits: RECORDED_LIMITS }),
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
      closeAepSession(life).flatMap((finding) => (isNews(finding, life.told) ? [{ finding, at: finding.since ?? 0 }] : [])),
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

function lostAnswer({ value }: ProtocolReading): Finding {
  const message = `No event with the id ${clipText(String(value["request_event_id"]), 60)} was heard.`;
  return { rule: "aep/response-needs-request" satisfies AepRuleId, message, pointer: "/request_event_id" };
}

interface Heard {
  readonly at: number;
  readonly known: KnownFacts;
  readonly limits: Limits;
}

/** Returns the session of an event, or else its conversation. With neither, the event cannot be joined to others. */
function scopeOf(reading: ProtocolReading): string | undefined {
  if (reading.sessionId !== undefined) return boundText(reading.sessionId);
  const conversation = conversationOf(reading);
  return conversation === undefined ? undefined : CONVERSATION + boundText(conversation);
}

function hear(session: AepLiveSession, reading: ProtocolReading, heard: Heard): readonly FindingOfSession[] {
  const told = reading.kind === "message" ? hearResponse(session, reading, heard) : hearEvent(session, reading, heard);
  if (!heard.known.repeated) return told;
  const message = `The id ${clipText(reading.eventId ?? "", 60)} was used before, for something else.`;
  return [{ finding: { rule: "aep/id-unique" satisfies AepRuleId, message, pointer: "/id" }, at: heard.at }, ...told];
}

function hearEvent(session: AepLiveSession, reading: ProtocolReading, { at, limits }: Heard): readonly FindingOfSession[] {
  const agent = scopeOf(reading) === undefined ? undefined : agentOf(session, reading.agentId ?? "", limits);
  const life = agent === undefined ? undefined : session.agents[agent]?.life;
  const told = news(reading.findings, at, life?.told ?? session.told);
  const wasOpen = life?.phase === "open";
  // A conversation may have many sessions: a start or end event that names none does not start or end any of them.
  if (life !== undefined && !(reading.sessionId === undefined && isBoundary(reading))) {
    const { findings } = stepAepSession(life, reading, at);
    if (findings.length > 0) told.push(...news(findings, at, life.told));
    keepSmall(life, limits);
  }
  if (mayBeAnswered(reading)) remember(session, reading, at, agent, limits);
  if (wasOpen && life.phase === "ended" && limits.storedRows !== undefined) forgetAnswerable(session, agent);
  return told;
}

function hearResponse(session: AepLiveSession, reading: ProtocolReading, { at, limits }: Heard): readonly FindingOfSession[] {
  const answer = readResponseAnswer(reading.value, at);
  const event = answer.requestId === undefined ? undefined : recallEntry(session.answerable, recordKeyOf(answer.requestId));
  const life = event?.agent === undefined ? undefined : session.agents[event.agent]?.life;
  const told = news(reading.findings, at, life?.told ?? session.told);
  if (event === undefined || event.ambiguous === true) return told;
  told.push(...news(joinAnswer(answer, event, life), at, life?.told ?? session.told));
  if (life !== undefined) keepSmall(life, limits);
  return told;
}

/** Returns the index of an agent in the list; undefined if the list is full. */
function agentOf(session: AepLiveSession, agentId: string, limits: Limits): number | undefined {
  const slug = boundText(agentId);
  for (let index = 0; index < session.agents.length; index++) if (session.agents[index]?.slug === slug) return index;
  if (session.agents.length >= limits.agents) {
    session.forgotten++;
    return undefined;
  }
  return session.agents.push({ slug, life: openAepSession(session.resumed) }) - 1;
}

function remember({ answerable }: AepLiveSession, reading: ProtocolReading, at: number, agent: number | undefined, limits: Limits): void {
  const key = recordKeyOf(reading.eventId ?? "");
  const known = recallEntry(answerable, key);
  if (known !== undefined) {
    known.ambiguous = true;
    return;
  }
  const actionId = actionIdOfReading(reading);
  // Written out, because spreading costs more than the rest of this function.
  const event: LiveEvent =
    actionId === undefined
      ? agent === undefined
        ? { at }
        : { at, agent }
      : agent === undefined
        ? { at, actionId }
        : { at, actionId, agent };
  keepEntry(answerable, key, event, limits.answerable);
}

/** Drops the events of an ended agent, which does not wait for an answer. Events after a restart may be answered again. */
function forgetAnswerable({ answerable }: AepLiveSession, agent: number | undefined): void {
  for (const [key, event] of entriesOf(answerable)) if (event.agent === agent) dropEntry(answerable, key);
}

function keepSmall(life: AepSessionState, { storedRows }: Limits): void {
  if (storedRows === undefined) return;
  if (life.phase === "ended") leaveTombstone(life);
  else life.forgotten += ageEntries(life.open, storedRows) + ageEntries(life.done, storedRows);
}

/**
 * Compacts an ended session but keeps outcomes whose request may still arrive: if the session continues, that request would otherwise
 * seem to have no outcome.
 */
function leaveTombstone(life: AepSessionState): void {
  const early = [...entriesOf(life.done)].filter(([, row]) => !row.requested).slice(-EARLY_OUTCOMES);
  compactSession(life);
  for (const [key, row] of early) keepEntry(life.done, key, row, MAX_DONE_ROWS);
  life.forgotten -= early.length;
}

function news(findings: readonly Finding[], at: number, told: ToldOnce): FindingOfSession[] {
  if (findings.length === 0) return [];
  return findings.flatMap((finding) => (isNews(finding, told) ? [{ finding, at }] : []));
}

function isNews(finding: Finding, told: ToldOnce): boolean {
  return isNewFinding(finding, told) && isFirstTime(AEP_RULES, finding, told);
}
