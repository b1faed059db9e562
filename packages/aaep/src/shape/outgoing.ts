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
   * Everything up to `position` was delivered with it or before it, or was not for this subscription: who has it resumes
   * after it. Where it is false, something older still waits, and the frame carries no id to resume from.
   */
  readonly resumable: boolean;
}

/**
 * How an event comes: `next` is what follows in the feed, in order; `ahead` comes before its turn; `aside` has no place in the
 * feed that anybody could resume from.
 */
export type Place = "next" | "ahead" | "aside";

/**
 * What one subscription gets of a stream, and when: filters, verbosity, language, load and pace; streaming output merged at
 * the negotiated boundary, progress and state merged under pressure; a smooth token bucket. In order within a session;
 * what is critical goes out in the `take` after it was heard, after what its own session said before it. Pure: the time,
 * in milliseconds of a monotonic clock, is passed in. Everything it holds is bounded.
 */
export interface Shaper {
  /**
   * In the order of a session's positions. A critical event, and what its session said before it, may be heard ahead of the
   * positions of other sessions, which follow then; also while full.
   */
  hear(heard: Heard, at: number, place?: Place): void;
  /** What may go out now, in order; at most so many. */
  take(at: number, atMost: number): readonly Outgoing[];
  /** When `take` has something to give: now or earlier, later, or undefined when nothing waits. */
  dueAt(): number | undefined;
  /** New terms for all that was not taken yet. */
  renegotiate(terms: Terms, at: number): void;
  /** Whether no more should be heard until something was taken: read on from the feed then, nothing is lost. */
  readonly isFull: boolean;
  /** Everything up to here was taken, or is not for this subscription. */
  readonly settledUpTo: number;
}
