import type { Finding } from "./finding.ts";
import type { Reading } from "./protocol.ts";
import type { Audience } from "./recorded.ts";

/**
 * One protocol as a hub hears it: session by session, with no end in sight, each event judged when it arrives and never
 * again. Unlike a `Judge`, which keeps everything about a recording in itself, this keeps nothing: whatever it must
 * remember is in the state, a plain JSON value that is changed in place, may be stored after any event and taken up again
 * by another process. Stored and taken up again after any event, it gives the same findings as without.
 *
 * The hub leaves out redelivered events before, by `identity` or `sequence`.
 */
export interface LiveLifecycle<State extends object = object> {
  open(): State;
  /**
   * Gives the reading's own findings, without those that the session has been told before where once is enough, and what
   * does not fit what the session said before. Findings may be about earlier events of the session (posts that race each
   * other, a tool that never ended).
   *
   * What belongs to no session is heard with a state of its own, one for each source, and so is a message that answers
   * nothing known; other messages are heard with the state of what they answer.
   */
  hear(state: State, reading: Reading, at: number, known: Known): readonly LiveFinding[];
  /** The session is over; from now on its state is a small tombstone. It may be opened again by what it hears later. */
  hasEnded(state: State): boolean;

  /** The session an event belongs to; undefined for what belongs to none, and for a message: what it answers is not known here. */
  session(reading: Reading): string | undefined;
  /** With the source, what recognises an event or message when it comes again; null where `sequence` does, or nothing can. */
  identity(reading: Reading): string | null;
  /** AOP's number, where it can be used. */
  sequence(reading: Reading): number | null;
  /** The name under which a message may answer this event. Names, like identities and sessions, are of bounded length. */
  answerable(reading: Reading): string | undefined;
  /** The name of the event that a message answers. */
  answers(reading: Reading): string | undefined;
}

export interface LiveFinding {
  readonly finding: Finding;
  /** Position of the event meant. */
  readonly at: number;
  /** The id of an earlier event meant, where it is remembered. */
  readonly eventId?: string | undefined;
}

/** What a session's state does not know about an event. */
export interface Known {
  /** Its id, or in AOP its number in the session, was given to another event before, with other content. */
  readonly repeated: boolean;
  /** Where the same agent used its `answerable` name before; null when it did not. */
  readonly nameUsedAt: number | null;
  /** Whether what a message answers was heard, or may have been and is forgotten. */
  readonly isAnswerKnown?: boolean;
  /** Who listens to a recorded stream. */
  readonly audience?: Audience | undefined;
}
