import type { Finding } from "../finding.ts";
import { HashTable, hashText } from "../hash-table.ts";
import {
  ID_CAPACITY,
  type Judge,
  type JudgeOptions,
  type Reading,
  type ReadingFacts,
  SESSION_CAPACITY,
  TOMB_CAPACITY,
  type Told,
} from "../protocol.ts";
import { SessionTable } from "../session-table.ts";
import { createTeller, type ToldOnce } from "../teller.ts";
import type { Unseen } from "./authorise.ts";
import { closeSession, stepSession, stepTomb, TOMBS } from "./lifecycle.ts";
import type { CoreType } from "./names.ts";
import { AAEP_RULES, type AaepRuleId } from "./rules.ts";
import { type AaepSession, openSession } from "./session-state.ts";
import { isReplyType, type Note, type Signal, signalOf } from "./signal.ts";
import { Subscriptions } from "./subscriptions.ts";
import { reusedTokenFinding, unknownTokenFinding } from "./tokens.ts";
import { judgeReplied, judgeUnreplied } from "./unseen-replies.ts";

const MAX_LIVE_TOKENS = 100_000;
const TOKEN_CAPACITY = 500_000;
const SAID_BY_SUBSCRIBERS = new Set(["subscription.request", "subscription.renegotiate", "confirmation.reply", "clarification.reply"]);
const MAX_UNSEEN = 10_000;

/** Rules that rest on the absence of an event, and the types whose absence a filter may explain. */
const NEEDS: Partial<Record<AaepRuleId, readonly CoreType[]>> = {
  "aaep/session-starts-first": ["agent.session.started"],
  "aaep/session-ends": ["agent.session.completed", "agent.session.errored", "agent.session.cancelled"],
  "aaep/tool-completed-needs-invoked": ["agent.tool.invoked"],
  "aaep/accepted-action-invoked": ["agent.tool.invoked"],
  "aaep/tool-completes": ["agent.tool.completed"],
  "aaep/tool-completed-before-state": ["agent.tool.completed"],
  "aaep/state-starts-idle": ["agent.state.changed"],
  "aaep/state-chain": ["agent.state.changed"],
  "aaep/state-announced": ["agent.state.changed"],
  "aaep/tool-state": ["agent.state.changed"],
  "aaep/awaiting-state-before": ["agent.state.changed"],
  "aaep/awaiting-state-after": ["agent.state.changed"],
  "aaep/outcome-announced": ["agent.state.changed"],
  "aaep/rejection-reported": ["agent.state.changed"],
  "aaep/clarification-followed": ["agent.state.changed"],
  "aaep/rejected-action-not-invoked": ["agent.state.changed"],
  "aaep/confirmation-not-repeated": ["agent.state.changed"],
  "aaep/confirmation-blocks": ["agent.state.changed"],
  "aaep/cancelled-token-dead": ["agent.state.changed"],
  "aaep/output-position": ["agent.output.streaming"],
  "aaep/output-completes": ["agent.output.streaming"],
};

/** An invocation whose answer may still turn up, with its place. */
interface Waiting {
  readonly unseen: Unseen;
  readonly place: Omit<Told, "finding">;
  readonly told: ToldOnce;
}

/** Judges an AAEP stream: each session by its lifecycle, and what holds across sessions here. */
export function createAaepJudge(options: JudgeOptions): Judge {
  const idCapacity = options.idCapacity ?? ID_CAPACITY;
  const sessions = new SessionTable<AaepSession>({
    sessions: options.sessionCapacity ?? SESSION_CAPACITY,
    tombs: Math.min(idCapacity, TOMB_CAPACITY),
  });
  const ids = options.ids ?? new HashTable(idCapacity);
  const tokens = new HashTable(Math.min(idCapacity, TOKEN_CAPACITY));
  const heardTokens = new HashTable(Math.min(idCapacity, TOKEN_CAPACITY));
  const askedIn = new Map<string, { readonly sessionId: string; readonly at: number; readonly ambiguous: boolean }>();
  const subscriptions = new Subscriptions();
  const toldOutside: ToldOnce = {};
  const tellPlain = createTeller(AAEP_RULES, options.tell);
  const teller = (finding: Finding, place: Omit<Told, "finding">, told: ToldOnce) => {
    const needed = NEEDS[finding.rule as AaepRuleId];
    if (needed?.some((type) => subscriptions.mayBeHidden(`aaep:${type}`)) !== true) tellPlain(finding, place, told);
  };
  const unseen = new Map<string, Waiting>();
  let repliesRecorded = false;
  // Event ids are unique per agent; the agent's part of the hash is kept, because it rarely changes.
  let seededFor: string | undefined;
  let seedA = 0;
  let seedB = 0;

  // What is being heard, for notes that are made on the way.
  let heard: Reading | undefined;
  let heardAt = 0;
  let heardTold: ToldOnce = toldOutside;
  const note: Note = (rule, message, detail) => {
    teller({ rule, message, ...detail }, { at: heardAt, eventId: heard?.eventId, sessionId: heard?.sessionId }, heardTold);
  };
  const tellAll = (findings: readonly Finding[], reading: Reading, at: number, sessionId: string | undefined, told: ToldOnce) => {
    for (const finding of findings) teller(finding, { at, eventId: reading.eventId, sessionId }, told);
  };

  function hear(reading: Reading, at: number, facts: ReadingFacts): void {
    if (reading.kind === "message") hearMessage(reading, at);
    else hearEvent(reading, at, facts);
  }

  function hearMessage(reading: Reading, at: number): void {
    const { value } = reading;
    // What a subscriber says is in the recording: so its replies would be too.
    if (SAID_BY_SUBSCRIBERS.has(reading.type)) repliesRecorded = true;
    const isReply = isReplyType(reading.type);
    const token = isReply && typeof value["reply_token"] === "string" ? value["reply_token"] : undefined;
    const asked = token === undefined ? undefined : askedIn.get(token);
    const told = (asked === undefined ? undefined : sessions.get(asked.sessionId)?.told) ?? toldOutside;
    tellAll(reading.findings, reading, at, asked?.sessionId, told);
    heard = reading;
    heardAt = at;
    heardTold = told;
    if (!isReply) {
      subscriptions.hear(value, at, note);
      return;
    }
    subscriptions.hearReply(value, note);
    if (token === undefined) return;
    if (asked === undefined) {
      if (heardTokens.get(hashText(token, 11), hashText(token, 13)) === undefined && heardTokens.forgotten === 0) {
        tellAll([unknownTokenFinding(token)], reading, at, undefined, told);
      }
      return;
    }
    if (asked.ambiguous) return;
    judgeUnseen(token, reading);
    const session = sessions.get(asked.sessionId);
    if (session === undefined) return;
    const step = stepSession(session, toSignal(reading, at));
    tellAll(step.findings, reading, at, asked.sessionId, told);
  }

  function hearEvent(reading: Reading, at: number, facts: ReadingFacts): void {
    const { sessionId, eventId } = reading;
    const agentId = reading.agentId ?? "?";
    let conflict = false;
    if (eventId !== undefined) {
      if (agentId !== seededFor) {
        seededFor = agentId;
        seedA = hashText(agentId, 0x01234567);
        seedB = hashText(agentId, 0x76543210);
      }
      const kept = ids.add(hashText(eventId, seedA), hashText(eventId, seedB), facts.bodyHash);
      if (kept !== undefined && kept === (facts.bodyHash | 0)) return; // the same event, delivered again
      conflict = kept !== undefined;
    }
    let session = sessionId === undefined ? undefined : sessions.get(sessionId);
    const signal = toSignal(reading, at);
    const { type } = signal;
    if (session === undefined && sessionId !== undefined) session = meetSession(reading, signal, sessionId);
    const told = session?.told ?? toldOutside;
    tellAll(reading.findings, reading, at, sessionId, told);
    heard = reading;
    heardAt = at;
    heardTold = told;
    if (conflict)
      note("aaep/event-id-unique", `The id ${JSON.stringify(eventId?.slice(0, 80))} was used for another event before.`, {
        pointer: "/event_id",
      });
    subscriptions.hearEvent(reading.value, type === "extension" ? reading.type : `aaep:${type}`, signal.ms, note);
    if (session === undefined || sessionId === undefined) return;

    if (type === "agent.awaiting.confirmation" || type === "agent.awaiting.clarification") registerToken(reading, at, sessionId);
    const step = stepSession(session, signal);
    tellAll(step.findings, reading, at, sessionId, told);
    if (step.unseen !== undefined && unseen.size < MAX_UNSEEN) {
      unseen.set(step.unseen.token, { unseen: step.unseen, place: { at, eventId, sessionId }, told });
    }
    if (session.phase === "completed" || session.phase === "failed") {
      for (const asked of session.asks) askedIn.delete(asked.token);
      sessions.close(sessionId, TOMBS[session.phase]);
    } else {
      sessions.touch(sessionId, session);
    }
  }

  /** A session heard of for the first time, or after its end; undefined when nothing more can be said about it. */
  function meetSession(reading: Reading, signal: Signal, sessionId: string): AaepSession | undefined {
    const tomb = sessions.tomb(sessionId);
    if (tomb === 0) return undefined; // set aside to stay within bounds
    if (tomb !== undefined) {
      const { findings, reopens } = stepTomb(tomb === TOMBS.completed ? "completed" : "failed", signal);
      tellAll(findings, reading, signal.at, sessionId, toldOutside);
      if (!reopens) return undefined;
    }
    const session = openSession();
    sessions.open(sessionId, session);
    return session;
  }

  function judgeUnseen(token: string, reading: Reading): void {
    const waiting = unseen.get(token);
    if (waiting === undefined) return;
    unseen.delete(token);
    for (const finding of judgeReplied(waiting.unseen, reading)) teller(finding, waiting.place, waiting.told);
  }

  function judgeRemaining({ unseen: rest, place, told }: Waiting): void {
    for (const finding of judgeUnreplied(rest, repliesRecorded)) teller(finding, place, told);
  }

  function registerToken(reading: Reading, at: number, sessionId: string): void {
    const token = reading.value["reply_token"];
    if (typeof token !== "string") return;
    const agentId = reading.agentId ?? "?";
    heardTokens.add(hashText(token, 11), hashText(token, 13), 1);
    const kept = tokens.add(hashText(token, hashText(agentId, 11)), hashText(token, hashText(agentId, 13)), at);
    if (kept !== undefined) {
      tellAll([reusedTokenFinding(token, kept)], reading, at, sessionId, heardTold);
    }
    if (askedIn.size >= MAX_LIVE_TOKENS) {
      const oldest = askedIn.keys().next();
      if (!oldest.done) askedIn.delete(oldest.value);
    }
    // Tokens are unique per producer only: which of two questions a reply is for cannot be said.
    const other = askedIn.get(token);
    const ambiguous = other !== undefined && kept === undefined;
    askedIn.set(token, { sessionId, at, ambiguous: ambiguous || other?.ambiguous === true });
  }

  function toSignal(reading: Reading, at: number): Signal {
    return signalOf(reading, at, { repliesRecorded, canReply: subscriptions.canReply });
  }

  return {
    hear,
    end() {
      for (const waiting of unseen.values()) judgeRemaining(waiting);
      for (const [sessionId, session] of sessions.entries()) {
        for (const finding of closeSession(session))
          teller(finding, { at: finding.since ?? session.lastAt, eventId: undefined, sessionId }, session.told);
      }
      for (const at of subscriptions.unanswered()) {
        teller(
          { rule: "aaep/handshake-answered", message: "The request is neither accepted nor rejected." },
          { at, eventId: undefined, sessionId: undefined },
          toldOutside,
        );
      }
    },
    get sessions() {
      return sessions.total;
    },
    get forgotten() {
      return sessions.forgotten + (options.ids === undefined ? ids.forgotten : 0) + tokens.forgotten;
    },
  };
}
