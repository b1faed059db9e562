/** Faster than any number of agents speaks; what is imported or caught up may. */
const BUSY_PER_SECOND = 1500;
/** Over which time that is looked at. */
const WINDOW_MS = 25;
/** After so long without a look, nobody knows how fast they speak. */
const FORGOTTEN_MS = 250;
/** While they speak that fast, one part of the time is for the views and so many are for rest; the faster, the more. */
const REST_PARTS = 8;
const MOST_REST_PARTS = 24;

/**
 * How long those who only follow should rest for those who speak. A low priority is not enough: on a machine with few cores
 * a thread that was woken still waits until the running one has used up its time, and whoever has to answer wakes up often.
 */
export class Courtesy {
  #head: number | undefined;
  #lookedAt = 0;
  /** Not known until one window was looked at. */
  #restParts: number | undefined;

  /** Told where the ledger is, in milliseconds of a clock that only grows; gives how long to rest after having worked so long. */
  restMs(head: number, at: number, workedMs: number): number {
    const since = at - this.#lookedAt;
    if (this.#head === undefined || since > FORGOTTEN_MS) this.#look(head, at, undefined);
    else if (since >= WINDOW_MS) {
      const busyness = ((head - this.#head) * 1000) / (BUSY_PER_SECOND * since);
      this.#look(head, at, busyness > 1 ? Math.min(MOST_REST_PARTS, REST_PARTS * busyness) : 0);
    }
    return workedMs * (this.#restParts ?? 0);
  }

  /** Whether to take little at a time: many speak, or nobody has looked lately whether they do. Who takes much keeps others waiting. */
  takesLittle(at: number): boolean {
    return this.#restParts !== 0 || at - this.#lookedAt > FORGOTTEN_MS;
  }

  #look(head: number, at: number, restParts: number | undefined): void {
    this.#head = head;
    this.#lookedAt = at;
    this.#restParts = restParts;
  }
}
