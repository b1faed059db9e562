import { boundText, joinBriefly, recordKeyOf } from "../brief.ts";
import type { Finding } from "../finding.ts";
import type { FindingOfSession, KnownFacts, LiveLifecycle } from "../live.ts";
import type { ProtocolReading } from "../protocol.ts";
import { ageEntries } from "../recent.ts";
import type { RecordedLifecycle } from "../recorded.ts";
import { isFirstTime, type ToldOnce } from "../told-once.ts";
import { forgetFinishedAsks } from "./asks.ts";
import type { UnseenReply } from "./authorise.ts";
import { boundAaepTexts } from "./in-brief.ts";
import { closeAaepSession, ENDED_PHASE_CODES, stepAaepSession, stepEndedSession } from "./lifecycle.ts";
import { AAEP_RULES, type AaepRuleId } from "./rules.ts";
import { type AaepSessionState, openAaepSession } from "./session-state.ts";
import { type AaepSignal, isReplyType, readTextField, toAaepSignal } from "./signal.ts";
import { Subscriptions } from "./subscriptions.ts";
import { forgetRunning } from "./tools.ts";
import { judgeReplied, judgeUnreplied } from "./unseen-replies.ts";

/** A session with all of its agents. */
export interface AaepLiveSession {
  /** Null before the first event and after the end. */
  life: AaepSessionState | null;
  /** How the session ended; nothing else is kept after the end. */
  ended: keyof typeof ENDED_PHASE_CODES | null;
  /** Whether the session has received a reply: from then on, a missing reply is significant. */
  repliesRecorded: boolean;
  /** Invocations whose answer may still arrive, by reply token. */
  unseen: Record<string, Waiting>;
  told: ToldOnce;
}

interface Waiting {
  readonly unseen: UnseenReply;
  readonly at: number;
  readonly eventId?: string;
}

/** Entries that a session in a hub is guaranteed to remember: fewer than in a recording, because its state is stored repeatedly. */
const LIVE_LIMITS = { calls: 256, finishedOutputs: 128, tools: 128, asks: 16, unseen: 64 } as const;
const MAX_UNSEEN = 1000;

/** AAEP live. Handshakes are not tracked: the hub manages its own subscriptions and receives every event and reply. */
export const AAEP_LIVE: LiveLifecycle<AaepLiveSession> = {
  open,
  handle: (session, reading, at, known) => hear(session, reading, { at, known, isLive: true }),
  hasEnded: ({ life, ended }) => life === null && ended !== null,
  session: ({ kind, sessionId = "" }) => (kind === "message" || sessionId === "" ? undefined : boundText(sessionId)),
  identity: ({ agentId, eventId }) => (eventId === undefined ? null : joinBriefly(agentId ?? "", eventId)),
  sequence: () => null,
  answerable: (reading) => (isQuestion(reading) ? tokenOf(reading) : undefined),
  answers: (reading) => (isReply(reading) ? tokenOf(reading) : undefined),
};

/** AAEP in a recording that includes the handshakes and replies of its subscribers. */
export const AAEP_RECORDED: RecordedLifecycle<AaepLiveSession> = {
  ...AAEP_LIVE,
  handle: (session, reading, at, known) => hear(session, reading, { at, known, isLive: false }),
  answerableEvents: 100_000,
  sessionId: (key) => key,
  forgotten: () => 0,
  bury: ({ ended }) => (ended === null ? SET_ASIDE : ENDED_PHASE_CODES[ended]),
  unearth: (tomb) => (tomb === SET_ASIDE ? undefined : { ...open(), ended: tomb === ENDED_PHASE_CODES.completed ? "completed" : "failed" }),
  beyond: () => new Subscriptions(),
  end({ life, unseen, repliesRecorded }, audience) {
    const told: FindingOfSession[] = [];
    for (const { unseen: rest, at, eventId } of Object.values(unseen)) {
      const isRecorded = repliesRecorded || audience?.repliesRecorded === true;
      for (const finding of judgeUnreplied(rest, isRecorded)) told.push({ finding, at, eventId });
    }
    if (life !== null) for (const finding of closeAaepSession(life)) told.push({ finding, at: finding.since ?? life.lastAt });
    return told;
  },
};

/** Tombstone of a session that has not ended. */
const SET_ASIDE = 0;

function open(): AaepLiveSession {
  return { life: null, ended: null, repliesRecorded: false, unseen: {}, told: {} };
}

interface Heard {
  readonly at: number;
  readonly known: KnownFacts;
  readonly isLive: boolean;
}

type Tell = (findings: readonly Finding[], at: number, eventId?: string) => void;

function hear(session: AaepLiveSession, reading: ProtocolReading, heard: Heard): readonly FindingOfSession[] {
  const told: FindingOfSession[] = [];
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

function hearReply(session: AaepLiveSession, reading: ProtocolReading, heard: Heard, tell: Tell): void {
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
  const key = recordKeyOf(token);
  const waiting = session.unseen[key];
  if (waiting !== undefined) {
    delete session.unseen[key];
    tell(judgeReplied(waiting.unseen, reading), waiting.at, waiting.eventId);
  }
  tell(stepAaepSession(session.life, toSignal(session, reading, heard)).findings, at);
}

function hearEvent(session: AaepLiveSession, reading: ProtocolReading, heard: Heard, tell: Tell): void {
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
  const step = stepAaepSession(life, signal);
  tell(step.findings, at);
  if (step.unseen !== undefined && Object.keys(session.unseen).length < (isLive ? LIVE_LIMITS.unseen : MAX_UNSEEN)) {
    const place = isLive || eventId === undefined ? { at } : { at, eventId };
    session.unseen[recordKeyOf(step.unseen.token)] = { unseen: step.unseen, ...place };
  }
  if (life.phase === "completed" || life.phase === "failed") {
    session.life = null;
    session.ended = life.phase;
    if (isLive) endLive(session, tell);
  } else if (isLive) keepSmall(life);
}

/** Handles the first event of a session, or an event after its end; after the end, only a start reopens the session. */
function meet(session: AaepLiveSession, signal: AaepSignal, tell: Tell): void {
  if (session.ended !== null) {
    const { findings, reopens } = stepEndedSession(session.ended, signal);
    tell(findings, signal.at);
    if (!reopens) return;
    session.told = {};
    session.repliesRecorded = false;
    session.ended = null;
  }
  session.life = openAaepSession();
}

/** Judges the remaining invocations at the end of a live session. Only a recording may contain a reply after the end. */
function endLive(session: AaepLiveSession, tell: Tell): void {
  for (const { unseen, at } of Object.values(session.unseen)) tell(judgeUnreplied(unseen, session.repliesRecorded), at);
  session.unseen = {};
}

function keepSmall(life: AaepSessionState): void {
  ageEntries(life.calls, LIVE_LIMITS.calls);
  ageEntries(life.finishedOutputs, LIVE_LIMITS.finishedOutputs);
  forgetRunning(life, LIVE_LIMITS.tools);
  forgetFinishedAsks(life, LIVE_LIMITS.asks);
}

function toSignal({ repliesRecorded }: AaepLiveSession, reading: ProtocolReading, { at, known: { audience }, isLive }: Heard): AaepSignal {
  const listening = {
    repliesRecorded: repliesRecorded || audience?.repliesRecorded === true,
    canReply: audience?.canReply ?? true,
  };
  if (!isLive) return toAaepSignal(reading, at, listening);
  const { kind, type, agentId = "?", value } = reading;
  return toAaepSignal({ kind, type, agentId: boundText(agentId), value: boundAaepTexts(value) }, at, listening);
}

function isQuestion({ kind, type }: ProtocolReading): boolean {
  return kind === "event" && (type === "agent.awaiting.confirmation" || type === "agent.awaiting.clarification");
}

function isReply({ kind, type }: ProtocolReading): boolean {
  return kind === "message" && isReplyType(type);
}

function tokenOf({ value }: ProtocolReading): string | undefined {
  const token = readTextField(value, "reply_token");
  return token === undefined || token === "" ? undefined : boundText(token);
}

function tokenFinding(rule: AaepRuleId, message: string): Finding {
  return { rule, message, pointer: "/reply_token" };
}

function shown(token: string): string {
  return JSON.stringify(token.slice(0, 80));
}
