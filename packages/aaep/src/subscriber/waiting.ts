/** The clocks and timers of a subscriber. */
export interface SubscriberClock {
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number;
  readonly now: () => number;
  /** Calls back after a delay. Returns the function that cancels it. */
  readonly after: (ms: number, call: () => void) => () => void;
  /** From 0 up to 1. */
  readonly random: () => number;
}

/** Fulfills after a delay or with the signal. */
export function waitForDelay(clock: SubscriberClock, ms: number, signal: AbortSignal): Promise<void> {
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

/** Wakes all waiters at the next ring. */
export class WakeSignal {
  #waiting: (() => void)[] = [];

  ring(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** A promise with its resolvers: `Promise.withResolvers`, which older browsers and Node 20 lack. */
export interface Deferred<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (reason: unknown) => void;
}

export function createDeferred<Value>(): Deferred<Value> {
  let resolve: (value: Value) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<Value>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
