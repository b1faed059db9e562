/** The clocks of a subscriber, and whoever calls it back. */
export interface SubscriberClock {
  /** Milliseconds that only grow. */
  readonly monotonic: () => number;
  readonly now: () => number;
  /** Calls back after so many milliseconds. Returns how to call it off. */
  readonly after: (ms: number, call: () => void) => () => void;
  /** From 0 up to 1. */
  readonly random: () => number;
}

/** Fulfils after so many milliseconds, or when the signal is given. */
export function pause(clock: SubscriberClock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = clock.after(ms, done);
    function done(): void {
      stop();
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}
