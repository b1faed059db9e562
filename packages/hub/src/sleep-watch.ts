export interface SleepWatchOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly monotonic: () => number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly everyMs: number;
  /** A longer gap than this between two looks is sleep; a shorter one is a busy machine. */
  readonly sleptAfterMs: number;
}

const DEFAULTS: SleepWatchOptions = { monotonic: () => performance.now(), now: () => Date.now(), everyMs: 1000, sleptAfterMs: 5000 };

/**
 * Notices that the process stood still: the lid was closed, the machine suspended, the process stopped and continued. It looks
 * at the clocks once a second, and whenever it is asked; where a look comes much too late, nothing ran in between.
 *
 * Two clocks, because systems differ: while a Linux machine is suspended its monotonic clock stands still, and only wall time
 * shows the gap; while a process is stopped both go on. Wall time that is set forward looks like sleep, too: then something is
 * held back for a while that need not be, which does no harm.
 */
export class SleepWatch implements Disposable {
  readonly #options: SleepWatchOptions;
  readonly #timer: NodeJS.Timeout;
  #seenMonotonic: number;
  #seenNow: number;
  #sleptUntil: number | undefined;
  #sleptMs = 0;
  /** The part of it that the monotonic clock counted. */
  #skippedMs = 0;

  constructor(options: Partial<SleepWatchOptions> = {}) {
    this.#options = { ...DEFAULTS, ...options };
    this.#seenMonotonic = this.#options.monotonic();
    this.#seenNow = this.#options.now();
    this.#timer = setInterval(() => this.look(), this.#options.everyMs).unref();
  }

  /** When it last woke up, in milliseconds since 1970: whoever waits for a sign of life counts from here. */
  get sleptUntil(): number | undefined {
    this.look();
    return this.#sleptUntil;
  }

  /** How long it has slept altogether. */
  get sleptMs(): number {
    this.look();
    return this.#sleptMs;
  }

  /** A clock that never goes back and stands still during sleep: for waiting for somebody who could not be heard meanwhile. */
  awakeNow(): number {
    this.look();
    return this.#seenMonotonic - this.#skippedMs;
  }

  /** Done every second, and by everything above: the timer that wakes first may be anybody's. */
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
    // Only what the clock counted can be taken off it again.
    if (gapMs >= this.#options.sleptAfterMs) this.#skippedMs += gapMs;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
