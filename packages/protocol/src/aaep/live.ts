import { brief, joinBriefly, keyOf } from "../brief.ts";
import type { Finding } from "../finding.ts";
import type { Known, LiveFinding, LiveLifecycle } from "../live.ts";
import type { Reading } from "../protocol.ts";
import { age } from "../recent.ts";
import { isFirstTime, type ToldOnce } from "../teller.ts";
import { forgetDone } from "./asks.ts";
import type { Unseen } from "./authorise.ts";
import { inBrief } from "./in-brief.ts";
import { stepSession, stepTomb, type TOMBS } from "./lifecycle.ts";
import { AAEP_RULES } from "./rules.ts";
import { type AaepSession, openSession } from "./session-state.ts";
import { isReplyType, type Signal, signalOf, text } from "./signal.ts";
import { reusedTokenFinding, unknownTokenFinding } from "./tokens.ts";
import { forgetRunning } from "./tools.ts";
import { judgeReplied, judgeUnreplied } from "./unseen-replies.ts";

/** A session heard live, with all its agents. */
export interface LiveSession {
  /** null before its first event and after its end. */
  life: AaepSession | null;
  /** How it ended: all that is left of it then. */
  ended: keyof typeof TOMBS | null;
  /** Whether a reply to this session was heard: from then on the lack of one means something. */
  repliesRecorded: boolean;
  /** Invocations whose answer may still turn up, by reply token. */
  unseen: Record<string, Waiting>;
  told: ToldOnce;
}

interface Waiting {
  readonly unseen: Unseen;
  readonly at: number;
}

/** What a session remembers for certain: less than for a recording, because its state is stored again and again. */
const LIVE_LIMITS = { calls: 256, finishedOutputs: 128, tools: 128, asks: 16, unseen: 64 } as const;

/**
 * AAEP live. Of the handshakes nothing is kept: who subscribes to a hub is the hub's affair, and it hears every event and
 * every reply.
 */
export const AAEP_LIVE: LiveLifecycle<LiveSession> = {
  open: () => ({ life: null, ended: null, repliesRecorded: false, unseen: {}, told: {} }),
  hear,
  hasEnded: ({ life, ended }) => life === null && ended !== null,
  session: ({ kind, sessionId = "" }) => (kind === "message" || sessionId === "" ? undefined : brief(sessionId)),
  identity: ({ agentId, eventId }) => (eventId === undefined ? null : joinBriefly(agentId ?? "", eventId)),
  sequence: () => null,
  answerable: (reading) => (isQuestion(reading) ? tokenOf(reading) : undefined),
  answers: (reading) => (isReply(reading) ? tokenOf(reading) : undefined),
};

function hear(session: LiveSession, reading: Reading, at: number, known: Known): readonly LiveFinding[] {
  const told: LiveFinding[] = [];
  const tell: Tell = (findings, place) => {
    for (const finding of findings) if (isFirstTime(AAEP_RULES, finding, session.told)) told.push({ finding, at: place });
  };
  if (isReply(reading)) hearReply(session, reading, at, tell);
  else if (AAEP_LIVE.session(reading) === undefined) tell(reading.findings, at);
  else hearEvent(session, reading, at, known, tell);
  return told;
}

type Tell = (findings: readonly Finding[], place: number) => void;

function hearReply(session: LiveSession, reading: Reading, at: number, tell: Tell): void {
  tell(reading.findings, at);
  const token = tokenOf(reading);
  if (session.life === null) {
    // A state without any session: nothing known has asked for this.
    if (session.ended === null && token !== undefined) tell([unknownTokenFinding(token)], at);
    return;
  }
  session.repliesRecorded = true;
  if (token === undefined) return;
  const key = keyOf(token);
  const waiting = session.unseen[key];
  if (waiting !== undefined) {
    delete session.unseen[key];
    tell(judgeReplied(waiting.unseen, reading), waiting.at);
  }
  tell(stepSession(session.life, toSignal(session, reading, at)).findings, at);
}

function hearEvent(session: LiveSession, reading: Reading, at: number, known: Known, tell: Tell): void {
  const signal = toSignal(session, reading, at);
  if (session.life === null) meet(session, signal, tell);
  tell(reading.findings, at);
  const { life } = session;
  if (life === null) return;
  const token = tokenOf(reading);
  if (isQuestion(reading) && token !== undefined && known.nameUsedAt !== null) tell([reusedTokenFinding(token, known.nameUsedAt)], at);
  const step = stepSession(life, signal);
  tell(step.findings, at);
  if (step.unseen !== undefined && Object.keys(session.unseen).length < LIVE_LIMITS.unseen) {
    session.unseen[keyOf(step.unseen.token)] = { unseen: step.unseen, at };
  }
  if (life.phase === "completed" || life.phase === "failed") end(session, life.phase, tell);
  else keepSmall(life);
}

/** A session heard of for the first time, or after its end: then only a start opens it again. */
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

function end(session: LiveSession, phase: keyof typeof TOMBS, tell: Tell): void {
  for (const { unseen, at } of Object.values(session.unseen)) tell(judgeUnreplied(unseen, session.repliesRecorded), at);
  session.life = null;
  session.ended = phase;
  session.unseen = {};
}

function keepSmall(life: AaepSession): void {
  age(life.calls, LIVE_LIMITS.calls);
  age(life.finishedOutputs, LIVE_LIMITS.finishedOutputs);
  forgetRunning(life, LIVE_LIMITS.tools);
  forgetDone(life, LIVE_LIMITS.asks);
}

function toSignal({ repliesRecorded }: LiveSession, reading: Reading, at: number): Signal {
  const { kind, type } = reading;
  const told = { kind, type, agentId: brief(reading.agentId ?? "?"), value: inBrief(reading.value) };
  return signalOf(told, at, { repliesRecorded, canReply: true });
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
