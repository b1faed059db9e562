import type { Heard } from "../feed.ts";
import type { Terms } from "../terms.ts";

/** One event as one subscription gets it. */
export interface Outgoing {
  readonly eventId: string;
  /** Compact JSON on one line. */
  readonly text: string;
  /** The last position it holds. */
  readonly position: number;
  readonly critical: boolean;
  /**
   * It is an event of the feed, and everything up to it was delivered or is not for this subscription: a stream can be resumed
   * after it. After any other event, a resumed stream repeats what followed the last event with an id.
   */
  readonly resumable: boolean;
}

/**
 * What one subscription gets of a stream, and when: filters, verbosity, language, load and pace; streaming output merged at
 * the negotiated boundary, progress and state merged under pressure; a smooth token bucket. In order within a session;
 * what is critical goes out in the `take` after it was heard, after what its own session said before it. What waits is bounded:
 * the longest session is condensed, and then summed up in one change of state. Pure: the time, in milliseconds of a monotonic
 * clock, is passed in.
 */
export interface Shaper {
  /** In the order of the feed. `isAside`: it has no place in the feed: summaries, and questions asked before the subscription began. */
  hear(heard: Heard, at: number, isAside?: boolean): void;
  /** What may go out now, in order; at most so many. */
  take(at: number, atMost: number): readonly Outgoing[];
  /** When `take` has something to give: now or earlier, later, or undefined when nothing waits. */
  dueAt(): number | undefined;
  /** New terms for all that was not taken yet. */
  renegotiate(terms: Terms, at: number): void;
  /** Whether something of the feed was heard and not taken. */
  readonly isWaiting: boolean;
}
