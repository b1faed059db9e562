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

/** Wakes all who wait for the next ring. */
export class Bell {
  #waiting: (() => void)[] = [];

  ring(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** A promise with the hands that settle it: `Promise.withResolvers`, which older browsers and Node 20 do not have. */
export interface Deferred<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (reason: unknown) => void;
}

export function defer<Value>(): Deferred<Value> {
  let resolve: (value: Value) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<Value>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
