import { unrefTimer } from "./timers.ts";

const FIRST_MS = 250;
const LAST_MS = 10_000;

/** The schedule for looking for a receiver: soon at first, then less often. */
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

  /** An explicit request to try at once. */
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
    this.#timer = unrefTimer(
      setTimeout(() => {
        this.#mayTry = true;
        this.#wake();
      }, delay),
    );
  }

  /**
   * A known receiver failed. The first retry is immediate, because an expired keep-alive connection fails like this and the next one
   * works.
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
