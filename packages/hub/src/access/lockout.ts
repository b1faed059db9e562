import type { Failures } from "./access-state.ts";

const FREE_TRIES = 5;
const FIRST_PAUSE_MS = 60_000;
/** A person who is locked out by somebody else's guesses gets another try in an hour, and a paired browser needs no PIN. */
const LONGEST_PAUSE_MS = 3_600_000;

export const NO_FAILURES: Failures = { count: 0, blockedUntil: 0 };

/** One more wrong PIN: the fifth closes the door for a minute, each further one for twice as long. */
export function afterFailure({ count }: Failures, now: number): Failures {
  const next = count + 1;
  if (next < FREE_TRIES) return { count: next, blockedUntil: 0 };
  return { count: next, blockedUntil: now + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(20, next - FREE_TRIES)) };
}

export function pauseLeftMs({ blockedUntil }: Failures, now: number): number {
  // A clock that was set back must not lock a person out for longer than the longest pause.
  return Math.min(LONGEST_PAUSE_MS, Math.max(0, blockedUntil - now));
}
