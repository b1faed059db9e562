/** Bounds of what waits in one shaper. */
export const SHAPE_LIMITS = {
  /** Events, or groups of merged ones, that wait. Past this, the longest session is condensed or summed up. */
  items: 4096,
  /** UTF-16 units of text that wait, over all outputs. Past this, text no longer waits for a boundary. */
  heldText: 32_768,
  /** Past this, the session with most items is condensed or summed up. */
  waitingText: 1 << 20,
  /** UTF-16 units of one merged chunk: a chunk of a schema's size, in any script, stays well within a message of 64 KiB. */
  mergedText: 8192,
  /** Outputs whose text is remembered beyond what waits. */
  streams: 512,
} as const;

/**
 * How coarse a boundary is. Text goes out when it ends at the level that was negotiated; `none` is no boundary at all.
 */
export const LEVELS = { none: 0, word: 1, sentence: 2, paragraph: 3, completion: 4 } as const;
export type Level = (typeof LEVELS)[keyof typeof LEVELS];

/** How long text waits for a boundary of its level, in milliseconds. Then it goes out up to the best boundary that it has. */
export const HOLD_MS: Readonly<Record<Level, number>> = { 0: 0, 1: 1000, 2: 5000, 3: 20_000, 4: 60_000 };

/** Text that looks finished goes out when nothing followed for so long: whether it was the end only shows with what follows. */
export const PAUSE_MS = 400;

/** With a low load: how far apart progress is told, and how long a background state waits for the next one. */
export const LOW_LOAD = { progressMs: 10_000, stateMs: 2000 } as const;

/** A slow pace never keeps text back for longer than this at a time. */
export const MAX_PACE_WAIT_MS = 10_000;
