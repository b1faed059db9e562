import { boundText } from "./brief.ts";
import type { Finding } from "./finding.ts";
import { hashKey, hashText } from "./hash-text.ts";
import type { FindingOfSession, KnownFacts } from "./live.ts";
import {
  DEFAULT_ID_CAPACITY,
  type Judge,
  type JudgeOptions,
  type Protocol,
  type ProtocolReading,
  type ReadingFacts,
  SESSION_CAPACITY,
} from "./protocol.ts";
import { RecentMap } from "./recent-map.ts";
import { BEYOND_NOTHING, type BeyondSessions, type RecordedLifecycle, type RecordedState } from "./recorded.ts";
import { OpenSessionTable } from "./session-table.ts";
import { isFirstTime } from "./told-once.ts";

/** Ended sessions kept in the table, because their last events may be recorded late. */
const LINGERING_SESSIONS = 1024;

/** The location of an event that a message may answer. */
interface Answerable {
  /** Undefined for an event outside any session. */
  readonly session: string | undefined;
  readonly agentId: string | undefined;
  readonly at: number;
  /** Two events share this name, and a message does not say which of them it answers. */
  readonly isAmbiguous: boolean;
}

/** Judges a recording: passes each event and message to the lifecycle of its session and adds the checks across sessions. */
export function createJudge(protocol: Protocol, options: JudgeOptions): Judge {
  return new RecordingJudge(protocol, options);
}

class RecordingJudge implements Judge {
  readonly #rules: Protocol["rules"];
  readonly #lifecycle: RecordedLifecycle;
  readonly #beyond: BeyondSessions;
  readonly #tellOne: JudgeOptions["tell"];
  readonly #ids: RecentMap<number, number>;
  readonly #sharesIds: boolean;
  readonly #seed: number;
  readonly #sessions: OpenSessionTable<RecordedState>;
  /** The state for events outside any session. */
  readonly #nowhere: RecordedState;
  readonly #names: RecentMap<string, Answerable>;
  readonly #early: EarlyAnswers;
  readonly #lingering = new Set<string>();
  readonly #maxLingering: number;
  /** Facts forgotten by sessions, and answers whose event is remembered only by its id. */
  #forgotten = 0;

  constructor(protocol: Protocol, { tell, ids, idCapacity = DEFAULT_ID_CAPACITY, sessionCapacity = SESSION_CAPACITY }: JudgeOptions) {
    const { name, recorded: lifecycle, rules } = protocol;
    this.#rules = rules;
    this.#lifecycle = lifecycle;
    this.#tellOne = tell;
    this.#ids = ids ?? new RecentMap(idCapacity);
    this.#sharesIds = ids !== undefined;
    this.#seed = hashText(name, 0);
    this.#nowhere = lifecycle.open();
    this.#names = new RecentMap(lifecycle.answerableEvents);
    const bare = { protocol: name, kind: "event", type: "?", value: {}, sessionId: undefined, findings: [] } as const;
    this.#early = new EarlyAnswers(lifecycle.answerableEvents, (agentId, eventId) => {
      const identity = lifecycle.identity({ ...bare, agentId, eventId });
      return this.#ids.forgotten > 0 || (identity !== null && this.#ids.get(hashKey(identity, this.#seed)) !== undefined);
    });
    this.#maxLingering = Math.max(1, Math.min(LINGERING_SESSIONS, sessionCapacity >> 2));
    const bury = (state: RecordedState, isSilent: boolean) => {
      const tomb = lifecycle.bury(state, isSilent);
      this.#forgotten += lifecycle.forgotten(state);
      return tomb;
    };
    this.#sessions = new OpenSessionTable({ sessions: sessionCapacity, tombs: idCapacity, bury });
    this.#beyond = lifecycle.beyond?.((id) => this.#sessions.get(id) ?? this.#sessions.tomb(id)) ?? BEYOND_NOTHING;
  }

  get sessions(): number {
    return this.#sessions.total;
  }

  get forgotten(): number {
    let inside = this.#lifecycle.forgotten(this.#nowhere);
    for (const [, state] of this.#sessions.entries()) inside += this.#lifecycle.forgotten(state);
    const ids = this.#sharesIds ? 0 : this.#ids.forgotten;
    return ids + this.#sessions.forgotten + this.#early.forgotten + this.#beyond.forgotten + this.#forgotten + inside;
  }

  handle(reading: ProtocolReading, at: number, facts: ReadingFacts): void {
    const answers = this.#lifecycle.answers(reading);
    const answered = answers === undefined ? undefined : this.#names.get(answers);
    const id = this.#lifecycle.session(reading) ?? (answered?.isAmbiguous === false ? answered.session : undefined);
    const before = this.#remember(reading, id, facts);
    if (before === (facts.bodyHash | 0)) return; // delivered again: everything about it was told the first time
    const waiting = answers === undefined || answered !== undefined ? undefined : this.#lifecycle.waitForEvent?.(reading);
    const known: KnownFacts = {
      repeated: before !== undefined,
      nameUsedAt: this.#addName(reading, id, at, before !== undefined),
      isAnswerKnown: answered !== undefined || this.#names.forgotten > 0,
      audience: this.#beyond.audience,
    };
    this.#hearIn(id, reading, at, known);
    if (answers !== undefined && waiting !== undefined) {
      if (this.#early.mayHaveHeard(answers)) this.#forgotten++;
      else this.#early.add(answers, { reading: waiting, at });
    } else if (reading.kind === "event" && reading.eventId !== undefined) this.#hearEarly(reading, id, known);
  }

  end(): void {
    for (const [id, state] of this.#sessions.entries()) this.#finish(id, state);
    for (const { reading, at } of this.#early.rest()) this.#report(reading.findings, reading, at, undefined, this.#nowhere);
    for (const { finding, at, sessionId } of this.#beyond.end()) this.#tellOne({ finding, at, eventId: undefined, sessionId });
  }

  /** The stored hash of this event if it arrived before, found by its id or by its number in its session. */
  #remember(reading: ProtocolReading, id: string | undefined, facts: ReadingFacts): number | undefined {
    const sequence = this.#lifecycle.sequence(reading);
    const numbered = id === undefined ? null : `${sequence} ${reading.agentId ?? ""} ${id}`;
    const identity = sequence === null ? this.#lifecycle.identity(reading) : numbered;
    return identity === null ? undefined : this.#ids.add(hashKey(identity, this.#seed), facts.bodyHash | 0);
  }

  /** Registers an event that a message may answer; returns where the same agent used the name before. */
  #addName(reading: ProtocolReading, session: string | undefined, at: number, isRepeated: boolean): number | null {
    const name = this.#lifecycle.answerable(reading);
    if (name === undefined) return null;
    const { agentId } = reading;
    const other = this.#names.get(name);
    const isOwn = other !== undefined && other.agentId === agentId && !isRepeated;
    const isAmbiguous = other !== undefined && (!isOwn || other.isAmbiguous);
    this.#names.set(name, { session, agentId, at: isOwn ? other.at : at, isAmbiguous });
    return isOwn ? other.at : null;
  }

  #hearIn(id: string | undefined, reading: ProtocolReading, at: number, known: KnownFacts): void {
    const open = id === undefined ? this.#nowhere : this.#sessions.get(id);
    const tomb = id === undefined || open !== undefined ? undefined : this.#sessions.tomb(id);
    const state = open ?? (tomb === undefined ? this.#lifecycle.open() : this.#lifecycle.unearth(tomb));
    const sessionId = reading.kind === "event" ? reading.sessionId : this.#lifecycle.sessionId(id);
    this.#report(this.#beyond.before(reading, at), reading, at, sessionId, state ?? this.#nowhere);
    if (state === undefined) {
      this.#report(reading.findings, reading, at, sessionId, this.#nowhere);
      return;
    }
    this.#tellLive(this.#lifecycle.handle(state, reading, at, known), sessionId, reading, at);
    const hasEnded = this.#lifecycle.hasEnded(state);
    if (id === undefined || (tomb !== undefined && hasEnded)) return; // what follows the end of a session does not open it again
    if (open === undefined) this.#sessions.open(id, state);
    else this.#sessions.touch(id, state);
    this.#tellLive(this.#beyond.after(id, state, reading, at), sessionId, reading, at);
    if (hasEnded) this.#linger(id);
    else if (this.#lingering.size > 0) this.#lingering.delete(id);
  }

  /** Judges the answers that were recorded before the current event. */
  #hearEarly(event: ProtocolReading, id: string | undefined, known: KnownFacts): void {
    if (this.#lifecycle.waitForEvent === undefined) return;
    this.#early.addAgent(event.agentId ?? "");
    const answers = this.#early.take(boundText(event.eventId ?? ""));
    if (answers.length === 0 || this.#lifecycle.answerable(event) === undefined) return;
    for (const { reading, at } of answers) this.#hearIn(id, { ...reading, findings: [] }, at, { ...known, repeated: false });
  }

  #linger(id: string): void {
    this.#lingering.add(id);
    if (this.#lingering.size <= this.#maxLingering) return;
    const [oldest = ""] = this.#lingering;
    this.#lingering.delete(oldest);
    const state = this.#sessions.get(oldest);
    if (state === undefined) return;
    this.#finish(oldest, state);
    this.#sessions.close(oldest, state);
  }

  #finish(id: string, state: RecordedState): void {
    const sessionId = this.#lifecycle.sessionId(id);
    this.#tellLive(this.#lifecycle.end(state, this.#beyond.audience), sessionId);
    this.#tellLive(this.#beyond.after(id, state, undefined, 0), sessionId);
  }

  #report(
    findings: readonly Finding[],
    { eventId }: ProtocolReading,
    at: number,
    sessionId: string | undefined,
    { told }: RecordedState,
  ): void {
    for (const finding of findings) if (isFirstTime(this.#rules, finding, told)) this.#tellOne({ finding, at, eventId, sessionId });
  }

  #tellLive(findings: readonly FindingOfSession[], sessionId: string | undefined, reading?: ProtocolReading, at?: number): void {
    for (const { finding, at: place, eventId } of findings) {
      const rule = this.#rules[finding.rule];
      if (rule !== undefined && this.#beyond.excuses(rule)) continue;
      this.#tellOne({ finding, at: place, eventId: eventId ?? (place === at ? reading?.eventId : undefined), sessionId });
    }
  }
}

interface EarlyAnswer {
  readonly reading: ProtocolReading;
  readonly at: number;
}

/** Above this number of agents, an id is assumed to belong to one of them without a lookup. */
const MAX_AGENTS = 1000;

/** Messages recorded before the event they answer: a log written by two processes, or two logs in one file. */
class EarlyAnswers {
  readonly #answers: RecentMap<string, readonly EarlyAnswer[]>;
  readonly #agents = new Set<string>();
  readonly #hasId: (agentId: string, eventId: string) => boolean;

  /** `hasId`: whether an agent has sent an event with that id. */
  constructor(capacity: number, hasId: (agentId: string, eventId: string) => boolean) {
    this.#answers = new RecentMap(capacity);
    this.#hasId = hasId;
  }

  get forgotten(): number {
    return this.#answers.forgotten;
  }

  addAgent(agentId: string): void {
    if (this.#agents.size < MAX_AGENTS) this.#agents.add(agentId);
  }

  /** Whether an event with this id may have arrived from any agent. Called only if an answer seems lost. */
  mayHaveHeard(eventId: string): boolean {
    if (this.#agents.size >= MAX_AGENTS) return true;
    for (const agentId of this.#agents) if (this.#hasId(agentId, eventId)) return true;
    return false;
  }

  add(eventId: string, answer: EarlyAnswer): void {
    this.#answers.set(eventId, [...(this.#answers.get(eventId) ?? []), answer]);
  }

  /** Removes and returns the answers to an event, in recording order. */
  take(eventId: string): readonly EarlyAnswer[] {
    return this.#answers.size === 0 ? NO_ANSWERS : (this.#answers.take(eventId) ?? NO_ANSWERS);
  }

  rest(): readonly EarlyAnswer[] {
    return [...this.#answers.entries()].flatMap(([, answers]) => answers);
  }
}

const NO_ANSWERS: readonly EarlyAnswer[] = Object.freeze([]);
