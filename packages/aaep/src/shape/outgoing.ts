import type { FeedEvent } from "../feed.ts";
import type { Terms } from "../terms.ts";

/** An event as one subscription gets it. */
export interface OutgoingEvent {
  readonly eventId: string;
  /** Compact JSON on one line. */
  readonly text: string;
  /** The last position it includes. */
  readonly position: number;
  readonly critical: boolean;
  /**
   * Set if it is an event of the feed and everything up to it was delivered or filtered, so that a stream can resume after it. After any
   * other event, a resumed stream repeats what followed the last event with an id.
   */
  readonly resumable: boolean;
}

/**
 * Decides what one subscription gets and when: filters, verbosity, language, load and pace; output merged at the negotiated boundary;
 * progress and state merged under pressure; a smooth token bucket. Events are in order within a session; a critical event is sent in the
 * `take` after it was heard, after its session's earlier events. Waiting items are bounded: the longest session is condensed, then
 * summarized in one state change. Pure: times are milliseconds of a monotonic clock passed in.
 */
export interface Shaper {
  /**
   * In the order of the feed. `isAside`: without a position in the feed, such as summaries and questions asked before the subscription
   * began.
   */
  handle(heard: FeedEvent, at: number, isAside?: boolean): void;
  /** The events to send now, in order, up to a limit. */
  take(at: number, atMost: number): readonly OutgoingEvent[];
  /** When `take` has something to return; undefined when nothing waits. */
  dueAt(): number | undefined;
  /** New terms for everything not taken yet. */
  renegotiate(terms: Terms, at: number): void;
  /** Whether events of the feed were heard and not taken. */
  readonly isWaiting: boolean;
}
