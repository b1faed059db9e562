/** What was sent to keep a critical event in order counts too, but keeps the stream silent for no longer than this. */
const MAX_DEBT_SECONDS = 10;
/** Sums of fractions do not come out even. */
const NEARLY_ONE = 1 - 1e-6;

/**
 * A smooth limit: one token per event, refilled steadily. It holds at most a tenth of a second's worth, so that a burst is
 * hardly more than the rate, and it is empty at first: the answer to the handshake was the first thing sent.
 */
export class TokenBucket {
  #rate: number;
  #capacity: number;
  #tokens = 0;
  #at: number;

  constructor(eventsPerSecond: number, at: number) {
    this.#rate = eventsPerSecond;
    this.#capacity = capacityOf(eventsPerSecond);
    this.#at = at;
  }

  /** How many could go out now. */
  tokens(at: number): number {
    if (this.#rate === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
    if (at > this.#at) {
      this.#tokens = Math.min(this.#capacity, this.#tokens + ((at - this.#at) / 1000) * this.#rate);
      this.#at = at;
    }
    return this.#tokens;
  }

  isReady(at: number): boolean {
    return this.tokens(at) >= NEARLY_ONE;
  }

  /** One went out, allowed or not. */
  spend(at: number): void {
    if (this.#rate === Number.POSITIVE_INFINITY) return;
    this.#tokens = Math.max(this.tokens(at) - 1, -MAX_DEBT_SECONDS * this.#rate);
  }

  /** When the next one may go out; 0 when it may now. */
  readyAt(): number {
    if (this.#rate === Number.POSITIVE_INFINITY || this.#tokens >= NEARLY_ONE) return 0;
    return this.#at + ((1 - this.#tokens) / this.#rate) * 1000;
  }

  /** Another rate from now on. What is owed stays owed; nothing was saved up where there was no limit. */
  change(eventsPerSecond: number, at: number): void {
    const held = this.#rate === Number.POSITIVE_INFINITY ? 0 : this.tokens(at);
    this.#rate = eventsPerSecond;
    this.#capacity = capacityOf(eventsPerSecond);
    this.#tokens = Math.min(this.#capacity, held);
    this.#at = Math.max(this.#at, at);
  }
}

function capacityOf(eventsPerSecond: number): number {
  return Math.max(1, eventsPerSecond / 10);
}
