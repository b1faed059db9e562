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

/** A session heard live: each agent that speaks in it has a lifecycle of its own. */
export interface LiveSession {
  agents: LiveAgent[];
  /** Events of agents for whom there was no room. */
  forgotten: number;
  /** The session's beginning is known to have been forgotten. */
  resumed?: true;
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

interface Limits {
  readonly agents: number;
  readonly answerable: number;
  /** How many rows are kept while the session is stored again and again; a recording keeps what `rows.ts` allows. */
  readonly storedRows?: number;
}

const LIVE_LIMITS: Limits = { agents: 64, answerable: 128, storedRows: 128 };
const RECORDED_LIMITS: Limits = { agents: 1024, answerable: 8192 };
/** Outcomes without a request that a hub keeps of a session that has ended. */
const EARLY_OUTCOMES = 8;
/** Larger input in an answer that waits for its event is not kept. */
const MAX_WAITING_INPUT = 1000;

/**
 * AEP live. A response that comes before the event it answers is heard with a state of its own, and not joined with the
 * event later: a hub hears the event first, because the response is its answer to it.
 */
export const AEP_LIVE: LiveLifecycle<LiveSession> = {
  open: () => ({ agents: [], forgotten: 0, answerable: createRecent(), told: {} }),
  hear: (session, reading, at, known) => hear(session, reading, { at, known, limits: LIVE_LIMITS }),
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

/** AEP in a recording, where a response may stand before the event that it answers. */
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

/** What joins a response with other records. */
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

/** The session of an event, or failing that its conversation; with neither, nothing about it can be joined. */
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
  // A conversation may have many sessions: an event that does not say which one begins or ends none.
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

/** Place of an agent in the list; undefined when there is no room for it. */
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
  // Written out, because spreading costs more than all the rest.
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

/** An agent that has ended does not wait for an answer. What it says after that, about to go on, may be answered again. */
function forgetAnswerable({ answerable }: LiveSession, agent: number | undefined): void {
  for (const [key, event] of entriesOf(answerable)) if (event.agent === agent) drop(answerable, key);
}

function keepSmall(life: SessionState, { storedRows }: Limits): void {
  if (storedRows === undefined) return;
  if (life.phase === "ended") leaveTombstone(life);
  else life.forgotten += age(life.open, storedRows) + age(life.done, storedRows);
}

/** An outcome whose request is still on its way is kept: in a session that goes on, that request would seem to have none. */
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
