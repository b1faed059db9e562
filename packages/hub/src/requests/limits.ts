/** How many questions of one session may wait at a time. One more is refused, with a reason. */
export const MOST_OPEN = 50;

export function mayOpen(openInSession: number): boolean {
  return openInSession < MOST_OPEN;
}

/** All that wait together: how many, and how much memory they take with what is shown and what was sent. */
export const MOST_OPEN_ALTOGETHER = 10_000;
export const MOST_OPEN_BYTES = 256 * 1024 * 1024;
/** Requests that have ended and are still at hand: for who polls late, and for what comes of them. */
export const MOST_ENDED = 2000;
export const MOST_ENDED_BYTES = 64 * 1024 * 1024;
/** A name that an agent gives to something is shown as far as this. */
export const LONGEST_TITLE = 200;
/** The extension that marks an event stored with long texts cut: it is shown incomplete and cannot be allowed. */
export const TRUNCATED = "x-truncated";
