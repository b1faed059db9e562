/** Counts how often the times of a recording could not be used unchanged. */
export interface TimeTroubles {
  /** Events without a readable time; played together with the previous event. */
  untimed: number;
  /** Events earlier than the previous event of their session; played at once, in file order. */
  backward: number;
  /** Gaps that were shortened. */
  shortened: number;
}

export interface PacerOptions {
  /** Speed factor relative to the recording. */
  readonly speed: number;
  /** The longest gap, in recorded time. */
  readonly maxGapMs: number;
}

/** Sessions whose clock offset is kept; the least recently active one is dropped first. */
const MAX_CLOCKS = 10_000;

/**
 * Computes when each event of a recording is due, in milliseconds after the first, from the events' own times. The order never changes.
 * Each session has its own clock: a session that begins earlier than the events played before it, as in recordings of several machines or
 * concatenated recordings, starts at the current position and keeps its own intervals.
 */
export class Pacer {
  readonly troubles: TimeTroubles = { untimed: 0, backward: 0, shortened: 0 };
  readonly #options: PacerOptions;
  /** Offset added to the times of a session, by session name. */
  readonly #clocks = new Map<string, number>();
  /** Current position in recorded time, without the parts cut out of gaps. */
  #now: number | undefined;
  #start = 0;
  #cutMs = 0;

  constructor(options: PacerOptions) {
    this.#options = options;
  }

  dueMs(session: string, atMs: number | undefined): number {
    if (atMs === undefined) this.troubles.untimed++;
    else this.#now = this.#now === undefined ? this.#begin(session, atMs) : this.#move(session, atMs, this.#now);
    return ((this.#now ?? this.#start) - this.#start) / this.#options.speed;
  }

  #begin(session: string, atMs: number): number {
    this.#start = atMs;
    this.#remember(session, 0);
    return atMs;
  }

  #move(session: string, atMs: number, now: number): number {
    const known = this.#clocks.get(session);
    const due = atMs + (known ?? 0) - this.#cutMs;
    // Behind at its first event: the session uses another clock or was recorded earlier. Behind later: the session contradicts itself.
    this.#remember(session, known ?? Math.max(0, now - due));
    if (due < now) {
      if (known !== undefined) this.troubles.backward++;
      return now;
    }
    const { maxGapMs } = this.#options;
    if (due - now <= maxGapMs) return due;
    this.troubles.shortened++;
    this.#cutMs += due - now - maxGapMs;
    return now + maxGapMs;
  }

  #remember(session: string, offset: number): void {
    this.#clocks.delete(session);
    this.#clocks.set(session, offset);
    if (this.#clocks.size <= MAX_CLOCKS) return;
    const [oldest = ""] = this.#clocks.keys();
    this.#clocks.delete(oldest);
  }
}
