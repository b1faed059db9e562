import type { Finding } from "./finding.ts";
import type { FindingOfSession, LiveLifecycle } from "./live.ts";
import type { ProtocolReading, TracedFinding } from "./protocol.ts";
import type { Rule } from "./rule.ts";
import type { ToldOnce } from "./told-once.ts";

/** Every protocol's state remembers which once-per-session findings were reported. */
export interface RecordedState {
  readonly told: ToldOnce;
}

/** The same lifecycle for a recording, which has an end and a larger memory per session. */
export interface RecordedLifecycle<State extends RecordedState = RecordedState> extends LiveLifecycle<State> {
  /** Number of past events guaranteed to be known when a message answers them. */
  readonly answerableEvents: number;
  /** No more events follow: missing parts stay missing. */
  end(state: State, audience: Audience | undefined): readonly FindingOfSession[];
  /** The number of entries dropped to bound memory: 0 means that every finding is exact. */
  forgotten(state: State): number;
  /** The tombstone of a session that is set aside: after its end, or as the least recently active one (`isSilent`). */
  bury(state: State, isSilent: boolean): number;
  /** The session restored from its tombstone; undefined if nothing more can be reported about it. */
  unearth(tomb: number): State | undefined;
  /** The original session id, if a session's key differs from it; undefined if the key is not a session. */
  sessionId(key: string | undefined): string | undefined;
  /**
   * The part to keep of a message recorded before its event, with the findings to report if that event never arrives. Without this
   * method, no message waits.
   */
  waitForEvent?(message: ProtocolReading): ProtocolReading;
  /** Checks across sessions. `find` returns a session's state or its tombstone. */
  beyond?(find: (key: string) => State | number | undefined): BeyondSessions<State>;
}

/** The subscribers of a recorded stream. A hub sees every reply, and a reply is always possible there. */
export interface Audience {
  /** Whether any subscriber message was recorded: from then on, a missing reply is meaningful. */
  readonly repliesRecorded: boolean;
  /** False if a handshake says that no subscriber can reply. */
  readonly canReply: boolean;
}

export interface BeyondSessions<State extends RecordedState = RecordedState> {
  readonly audience: Audience | undefined;
  readonly forgotten: number;
  /** Called before the session processes an event or message. */
  before(reading: ProtocolReading, at: number): readonly Finding[];
  /** Called after a session has processed an event, and without one when the session is finished. */
  after(key: string, state: State, reading: ProtocolReading | undefined, at: number): readonly FindingOfSession[];
  /** Whether a finding may depend on an event that no subscriber was to receive. */
  excuses(rule: Rule): boolean;
  end(): readonly Omit<TracedFinding, "eventId">[];
}

export const BEYOND_NOTHING: BeyondSessions = {
  audience: undefined,
  forgotten: 0,
  before: () => [],
  after: () => [],
  excuses: () => false,
  end: () => [],
};
