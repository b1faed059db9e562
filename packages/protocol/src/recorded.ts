import type { Finding } from "./finding.ts";
import type { LiveFinding, LiveLifecycle } from "./live.ts";
import type { Reading, Told } from "./protocol.ts";
import type { Rule } from "./rule.ts";
import type { ToldOnce } from "./teller.ts";

/** Every protocol's state remembers what a session was told once. */
export interface RecordedState {
  readonly told: ToldOnce;
}

/** The same lifecycle for a recording, which has an end, and in which more is remembered of each session. */
export interface RecordedLifecycle<State extends RecordedState = RecordedState> extends LiveLifecycle<State> {
  /** How many events a message may still answer for certain. */
  readonly answerableEvents: number;
  /** Nothing more will be heard: what is missing stays missing. */
  end(state: State, audience: Audience | undefined): readonly LiveFinding[];
  /** What the session had to forget to stay within bounds: 0 means that everything told about it is exact. */
  forgotten(state: State): number;
  /** What a tombstone keeps of a session that is set aside: after its end, or `isSilent` for longest. */
  bury(state: State, isSilent: boolean): number;
  /** The session as its tombstone remembers it; undefined when nothing more can be said about it. */
  unearth(tomb: number): State | undefined;
  /** The id as it was said, where the key of a session is another; undefined for what is no session. */
  sessionId(key: string | undefined): string | undefined;
  /** What is kept of a message recorded before its event, with what is told when that event never comes. Without it, none waits. */
  waitForEvent?(message: Reading): Reading;
  /** What holds across sessions. `find` gives a session's state, or its tombstone. */
  beyond?(find: (key: string) => State | number | undefined): BeyondSessions<State>;
}

/** Who listens to a recorded stream. A hub hears every reply, and somebody can always answer there. */
export interface Audience {
  /** Whether anything said by a subscriber was recorded: from then on the lack of a reply means something. */
  readonly repliesRecorded: boolean;
  /** false when a handshake says that nobody who listens can reply. */
  readonly canReply: boolean;
}

export interface BeyondSessions<State extends RecordedState = RecordedState> {
  readonly audience: Audience | undefined;
  readonly forgotten: number;
  /** Called before the session takes an event or message. */
  before(reading: Reading, at: number): readonly Finding[];
  /** Called when a session has taken an event, and without one when it is finished. */
  after(key: string, state: State, reading: Reading | undefined, at: number): readonly LiveFinding[];
  /** Whether a finding may rest on an event that nobody was to get. */
  excuses(rule: Rule): boolean;
  end(): readonly Omit<Told, "eventId">[];
}

export const BEYOND_NOTHING: BeyondSessions = {
  audience: undefined,
  forgotten: 0,
  before: () => [],
  after: () => [],
  excuses: () => false,
  end: () => [],
};
