/** Limits of one shaper's waiting items. */
export const SHAPE_LIMITS = {
  /** Waiting events or merged groups. Above this, the longest session is condensed or summarized. */
  items: 4096,
  /** UTF-16 units of waiting text over all outputs. Above this, text no longer waits for a boundary. */
  heldText: 32_768,
  /** Above this, the session with most items is condensed or summarized. */
  waitingText: 1 << 20,
  /** UTF-16 units of one merged chunk: any script stays well within a message of 64 KiB. */
  mergedText: 8192,
  /** Outputs whose text is remembered beyond waiting items. */
  streams: 512,
} as const;

/** Boundaries by coarseness. Text is sent when it ends at the negotiated level; `none` is no boundary. */
export const BOUNDARY_LEVELS = { none: 0, word: 1, sentence: 2, paragraph: 3, completion: 4 } as const;
export type BoundaryLevel = (typeof BOUNDARY_LEVELS)[keyof typeof BOUNDARY_LEVELS];

/** How long text waits for a boundary of its level, in milliseconds. It is then sent up to its best boundary. */
export const BOUNDARY_HOLD_MS: Readonly<Record<BoundaryLevel, number>> = { 0: 0, 1: 1000, 2: 5000, 3: 20_000, 4: 60_000 };

/** Text that looks finished is sent after this pause: only the following text shows whether it was the end. */
export const FINISHED_TEXT_PAUSE_MS = 400;

/** At low load: the interval of progress, and how long a background state waits for the next one. */
export const LOW_LOAD_INTERVALS = { progressMs: 10_000, stateMs: 2000 } as const;

/** The maximum delay that a slow pace causes. */
export const MAX_PACE_WAIT_MS = 10_000;
