/** Events sent to keep a critical one in order count as well, but silence the stream for at most this long. */
const MAX_DEBT_SECONDS = 10;
/** Tolerance for floating-point sums. */
const NEARLY_ONE = 1 - 1e-6;

/**
 * A smooth limit: one token per event, refilled steadily. It holds at most a tenth of a second's worth, so that bursts hardly exceed the
 * rate, and starts empty because the handshake's answer was sent first.
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

  /** Number of events allowed now. */
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

  /** Counts a sent event, whether allowed or not. */
  spend(at: number): void {
    if (this.#rate === Number.POSITIVE_INFINITY) return;
    this.#tokens = Math.max(this.tokens(at) - 1, -MAX_DEBT_SECONDS * this.#rate);
  }

  /** When the next event is allowed; 0 for now. */
  readyAt(): number {
    if (this.#rate === Number.POSITIVE_INFINITY || this.#tokens >= NEARLY_ONE) return 0;
    return this.#at + ((1 - this.#tokens) / this.#rate) * 1000;
  }

  /** Changes the rate. Debt is kept; without a limit no tokens were saved. */
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
