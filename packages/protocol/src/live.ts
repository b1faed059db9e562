import type { Finding } from "./finding.ts";
import type { ProtocolReading } from "./protocol.ts";
import type { Audience } from "./recorded.ts";

/**
 * One protocol as a hub receives it: session by session, without a known end; each event is judged once, on arrival. Unlike a `Judge`, it
 * keeps no state of its own: everything it must remember is in the state, a plain JSON value that is changed in place and may be stored
 * after any event and loaded by another process. Storing and loading it after any event does not change the findings.
 *
 * The hub drops redelivered events beforehand, by `identity` or `sequence`.
 */
export interface LiveLifecycle<State extends object = object> {
  open(): State;
  /**
   * Returns the reading's own findings, except those reported once per session and already reported, and any conflict with the session's
   * earlier events. Findings may be about earlier events of the session (posts that overtake each other, a tool that never ended).
   *
   * Events outside any session have a separate state per source, as do messages that answer no known event; other messages use the state
   * of the event they answer.
   */
  handle(state: State, reading: ProtocolReading, at: number, known: KnownFacts): readonly FindingOfSession[];
  /** The session has ended and its state is now a small tombstone. Later events may reopen it. */
  hasEnded(state: State): boolean;

  /**
   * The session of an event. Undefined for an event outside any session, and for a message, because the event it answers is not known
   * here.
   */
  session(reading: ProtocolReading): string | undefined;
  /** Identifies a redelivered event or message, together with the source. Null if `sequence` does that, or if nothing can. */
  identity(reading: ProtocolReading): string | null;
  /** AOP's sequence number, if usable. */
  sequence(reading: ProtocolReading): number | null;
  /** The name by which a message may answer this event. Names, identities and session ids are of bounded length. */
  answerable(reading: ProtocolReading): string | undefined;
  /** The name of the event that a message answers. */
  answers(reading: ProtocolReading): string | undefined;
}

export interface FindingOfSession {
  readonly finding: Finding;
  /** Position of the event concerned. */
  readonly at: number;
  /** The id of the earlier event concerned, if remembered. */
  readonly eventId?: string | undefined;
}

/** Facts about an event that a session's state does not hold. */
export interface KnownFacts {
  /** Its id, or in AOP its number in the session, was used for another event with different content. */
  readonly repeated: boolean;
  /** Where the same agent used its `answerable` name before; null if it did not. */
  readonly nameUsedAt: number | null;
  /** Whether the event that a message answers arrived, or may have arrived and been forgotten. */
  readonly isAnswerKnown?: boolean;
  /** The subscribers of a recorded stream. */
  readonly audience?: Audience | undefined;
}
