export interface SleepWatchOptions {
  /** Milliseconds of a monotonic clock. */
  readonly monotonic: () => number;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly everyMs: number;
  /** A longer gap between two checks is sleep; a shorter one is a busy machine. */
  readonly sleptAfterMs: number;
}

const DEFAULTS: SleepWatchOptions = { monotonic: () => performance.now(), now: () => Date.now(), everyMs: 1000, sleptAfterMs: 5000 };

/**
 * Detects that the process did not run: a closed lid, a suspended machine, a stopped process. It checks the clocks every second and on
 * every call; a very late check means that nothing ran in between.
 *
 * Two clocks, because systems differ: while a Linux machine is suspended, its monotonic clock stops and only wall time shows the gap;
 * while a process is stopped, both continue. Setting the wall clock forward looks like sleep too, which only delays something harmlessly.
 */
export class SleepWatch implements Disposable {
  readonly #options: SleepWatchOptions;
  readonly #timer: NodeJS.Timeout;
  #seenMonotonic: number;
  #seenNow: number;
  #sleptUntil: number | undefined;
  #sleptMs = 0;
  /** The part of the sleep counted by the monotonic clock. */
  #skippedMs = 0;

  constructor(options: Partial<SleepWatchOptions> = {}) {
    this.#options = { ...DEFAULTS, ...options };
    this.#seenMonotonic = this.#options.monotonic();
    this.#seenNow = this.#options.now();
    this.#timer = setInterval(() => this.look(), this.#options.everyMs).unref();
  }

  /** When it last woke up, in Unix milliseconds: silence is measured from here. */
  get sleptUntil(): number | undefined {
    this.look();
    return this.#sleptUntil;
  }

  /** Total time asleep. */
  get sleptMs(): number {
    this.look();
    return this.#sleptMs;
  }

  /** A monotonic clock that stops during sleep, for waiting for someone who could not be heard meanwhile. */
  awakeNow(): number {
    this.look();
    return this.#seenMonotonic - this.#skippedMs;
  }

  /** Called every second and by everything above, because any timer may wake first. */
  look(): void {
    const monotonic = this.#options.monotonic();
    const now = this.#options.now();
    const gapMs = monotonic - this.#seenMonotonic;
    const longestMs = Math.max(gapMs, now - this.#seenNow);
    this.#seenMonotonic = monotonic;
    this.#seenNow = now;
    if (longestMs < this.#options.sleptAfterMs) return;
    this.#sleptUntil = now;
    this.#sleptMs += longestMs;
    // Only the counted part can be subtracted.
    if (gapMs >= this.#options.sleptAfterMs) this.#skippedMs += gapMs;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
