import { brief, joinBriefly, keyOf } from "../brief.ts";
import type { Finding } from "../finding.ts";
import type { Known, LiveFinding, LiveLifecycle } from "../live.ts";
import type { Reading } from "../protocol.ts";
import { age } from "../recent.ts";
import type { RecordedLifecycle } from "../recorded.ts";
import { isFirstTime, type ToldOnce } from "../teller.ts";
import { forgetDone } from "./asks.ts";
import type { Unseen } from "./authorise.ts";
import { inBrief } from "./in-brief.ts";
import { closeSession, stepSession, stepTomb, TOMBS } from "./lifecycle.ts";
import { AAEP_RULES, type AaepRuleId } from "./rules.ts";
import { type AaepSession, openSession } from "./session-state.ts";
import { isReplyType, type Signal, signalOf, text } from "./signal.ts";
import { Subscriptions } from "./subscriptions.ts";
import { forgetRunning } from "./tools.ts";
import { judgeReplied, judgeUnreplied } from "./unseen-replies.ts";

/** A session with all of its agents. */
export interface LiveSession {
  /** Null before the first event and after the end. */
  life: AaepSession | null;
  /** How the session ended; nothing else is kept after the end. */
  ended: keyof typeof TOMBS | null;
  /** Whether the session has received a reply: from then on, a missing reply is significant. */
  repliesRecorded: boolean;
  /** Invocations whose answer may still arrive, by reply token. */
  unseen: Record<string, Waiting>;
  told: ToldOnce;
}

interface Waiting {
  readonly unseen: Unseen;
  readonly at: number;
  readonly eventId?: string;
}

/** Entries that a session in a hub is guaranteed to remember: fewer than in a recording, because its state is stored repeatedly. */
const LIVE_LIMITS = { calls: 256, finishedOutputs: 128, tools: 128, asks: 16, unseen: 64 } as const;
const MAX_UNSEEN = 1000;

/** AAEP live. Handshakes are not tracked: the hub manages its own subscriptions and receives every event and reply. */
export const AAEP_LIVE: LiveLifecycle<LiveSession> = {
  open,
  hear: (session, reading, at, known) => hear(session, reading, { at, known, isLive: true }),
  hasEnded: ({ life, ended }) => life === null && ended !== null,
  session: ({ kind, sessionId = "" }) => (kind === "message" || sessionId === "" ? undefined : brief(sessionId)),
  identity: ({ agentId, eventId }) => (eventId === undefined ? null : joinBriefly(agentId ?? "", eventId)),
  sequence: () => null,
  answerable: (reading) => (isQuestion(reading) ? tokenOf(reading) : undefined),
  answers: (reading) => (isReply(reading) ? tokenOf(reading) : undefined),
};

/** AAEP in a recording that includes the handshakes and replies of its subscribers. */
export const AAEP_RECORDED: RecordedLifecycle<LiveSession> = {
  ...AAEP_LIVE,
  hear: (session, reading, at, known) => hear(session, reading, { at, known, isLive: false }),
  answerableEvents: 100_000,
  sessionId: (key) => key,
  forgotten: () => 0,
  bury: ({ ended }) => (ended === null ? SET_ASIDE : TOMBS[ended]),
  unearth: (tomb) => (tomb === SET_ASIDE ? undefined : { ...open(), ended: tomb === TOMBS.completed ? "completed" : "failed" }),
  beyond: () => new Subscriptions(),
  end({ life, unseen, repliesRecorded }, audience) {
    const told: LiveFinding[] = [];
    for (const { unseen: rest, at, eventId } of Object.values(unseen)) {
      const isRecorded = repliesRecorded || audience?.repliesRecorded === true;
      for (const finding of judgeUnreplied(rest, isRecorded)) told.push({ finding, at, eventId });
    }
    if (life !== null) for (const finding of closeSession(life)) told.push({ finding, at: finding.since ?? life.lastAt });
    return told;
  },
};

/** Tombstone of a session that has not ended. */
const SET_ASIDE = 0;

function open(): LiveSession {
  return { life: null, ended: null, repliesRecorded: false, unseen: {}, told: {} };
}

interface Heard {
  readonly at: number;
  readonly known: Known;
  readonly isLive: boolean;
}

type Tell = (findings: readonly Finding[], at: number, eventId?: string) => void;

function hear(session: LiveSession, reading: Reading, heard: Heard): readonly LiveFinding[] {
  const told: LiveFinding[] = [];
  const tell: Tell = (findings, at, eventId) => {
    for (const finding of findings) {
      if (isFirstTime(AAEP_RULES, finding, session.told)) told.push(eventId === undefined ? { finding, at } : { finding, at, eventId });
    }
  };
  if (isReply(reading)) hearReply(session, reading, heard, tell);
  else if (reading.kind === "message") tell(reading.findings, heard.at);
  else hearEvent(session, reading, heard, tell);
  return told;
}

function hearReply(session: LiveSession, reading: Reading, heard: Heard, tell: Tell): void {
  const { at, known } = heard;
  tell(reading.findings, at);
  const token = tokenOf(reading);
  if (session.life === null) {
    // The session has no state: no known question used this token.
    if (session.ended === null && token !== undefined && known.isAnswerKnown !== true) {
      tell([tokenFinding("aaep/reply-token-known", `No question with the token ${shown(token)} was asked before.`)], at);
    }
    return;
  }
  session.repliesRecorded = true;
  if (token === undefined) return;
  const key = keyOf(token);
  const waiting = session.unseen[key];
  if (waiting !== undefined) {
    delete session.unseen[key];
    tell(judgeReplied(waiting.unseen, reading), waiting.at, waiting.eventId);
  }
  tell(stepSession(session.life, toSignal(session, reading, heard)).findings, at);
}

function hearEvent(session: LiveSession, reading: Reading, heard: Heard, tell: Tell): void {
  const { at, known, isLive } = heard;
  const { eventId } = reading;
  const isInSession = AAEP_LIVE.session(reading) !== undefined;
  const signal = toSignal(session, reading, heard);
  if (isInSession && session.life === null) meet(session, signal, tell);
  tell(reading.findings, at);
  if (known.repeated) {
    const message = `The id ${JSON.stringify(eventId?.slice(0, 80))} was used for another event before.`;
    tell([{ rule: "aaep/event-id-unique" satisfies AaepRuleId, message, pointer: "/event_id" }], at);
  }
  const { life } = session;
  if (!isInSession || life === null) return;
  const token = tokenOf(reading);
  if (isQuestion(reading) && token !== undefined && known.nameUsedAt !== null) {
    tell([{ ...tokenFinding("aaep/reply-token-unique", `The token ${shown(token)} was used before.`), since: known.nameUsedAt }], at);
  }
  const step = stepSession(life, signal);
  tell(step.findings, at);
  if (step.unseen !== undefined && Object.keys(session.unseen).length < (isLive ? LIVE_LIMITS.unseen : MAX_UNSEEN)) {
    const place = isLive || eventId === undefined ? { at } : { at, eventId };
    session.unseen[keyOf(step.unseen.token)] = { unseen: step.unseen, ...place };
  }
  if (life.phase === "completed" || life.phase === "failed") {
    session.life = null;
    session.ended = life.phase;
    if (isLive) endLive(session, tell);
  } else if (isLive) keepSmall(life);
}

/** Handles the first event of a session, or an event after its end; after the end, only a start reopens the session. */
function meet(session: LiveSession, signal: Signal, tell: Tell): void {
  if (session.ended !== null) {
    const { findings, reopens } = stepTomb(session.ended, signal);
    tell(findings, signal.at);
    if (!reopens) return;
    session.told = {};
    session.repliesRecorded = false;
    session.ended = null;
  }
  session.life = openSession();
}

/** Judges the remaining invocations at the end of a live session. Only a recording may contain a reply after the end. */
function endLive(session: LiveSession, tell: Tell): void {
  for (const { unseen, at } of Object.values(session.unseen)) tell(judgeUnreplied(unseen, session.repliesRecorded), at);
  session.unseen = {};
}

function keepSmall(life: AaepSession): void {
  age(life.calls, LIVE_LIMITS.calls);
  age(life.finishedOutputs, LIVE_LIMITS.finishedOutputs);
  forgetRunning(life, LIVE_LIMITS.tools);
  forgetDone(life, LIVE_LIMITS.asks);
}

function toSignal({ repliesRecorded }: LiveSession, reading: Reading, { at, known: { audience }, isLive }: Heard): Signal {
  const listening = {
    repliesRecorded: repliesRecorded || audience?.repliesRecorded === true,
    canReply: audience?.canReply ?? true,
  };
  if (!isLive) return signalOf(reading, at, listening);
  const { kind, type, agentId = "?", value } = reading;
  return signalOf({ kind, type, agentId: brief(agentId), value: inBrief(value) }, at, listening);
}

function isQuestion({ kind, type }: Reading): boolean {
  return kind === "event" && (type === "agent.awaiting.confirmation" || type === "agent.awaiting.clarification");
}

function isReply({ kind, type }: Reading): boolean {
  return kind === "message" && isReplyType(type);
}

function tokenOf({ value }: Reading): string | undefined {
  const token = text(value, "reply_token");
  return token === undefined || token === "" ? undefined : brief(token);
}

function tokenFinding(rule: AaepRuleId, message: string): Finding {
  return { rule, message, pointer: "/reply_token" };
}

function shown(token: string): string {
  return JSON.stringify(token.slice(0, 80));
}
