import { release } from "./timers.ts";

const FIRST_MS = 250;
const LAST_MS = 10_000;

/** When to look for a receiver again: soon at first, then less and less often. */
export class Retry {
  readonly #wake: () => void;
  #failures = 0;
  #mayTry = true;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(wake: () => void) {
    this.#wake = wake;
  }

  get mayTry(): boolean {
    return this.#mayTry;
  }

  /** Somebody insists. */
  now(): void {
    this.#mayTry = true;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  failed(): void {
    this.#mayTry = false;
    clearTimeout(this.#timer);
    const delay = Math.min(LAST_MS, FIRST_MS * 2 ** this.#failures);
    this.#failures++;
    this.#timer = release(
      setTimeout(() => {
        this.#mayTry = true;
        this.#wake();
      }, delay),
    );
  }

  /**
   * A receiver that was there did not take something. The first time it is looked for at once: a connection that was kept
   * too long fails like this, and the next one does not.
   */
  failedOnce(): void {
    if (this.#failures > 0) {
      this.failed();
      return;
    }
    this.#failures++;
    this.#mayTry = true;
  }

  close(): void {
    this.#mayTry = false;
    clearTimeout(this.#timer);
  }
}
