/** How often the times of a recording could not be taken as they stand. */
export interface TimeTroubles {
  /** Without a time that can be read: played with what came before. */
  untimed: number;
  /** Earlier than what its session said before: played at once, in its place. */
  backward: number;
  /** Silences that were made shorter. */
  shortened: number;
}

export interface PacerOptions {
  /** How many times as fast as recorded. */
  readonly speed: number;
  /** The longest silence, as recorded. */
  readonly maxGapMs: number;
}

/** Sessions whose clock is remembered; the one that was silent for longest is forgotten first. */
const MAX_CLOCKS = 10_000;

/**
 * When each event of a recording is due, in milliseconds after the first, from the times that the events tell. The order is never
 * changed. Each session has its own clock: one that begins earlier than what was played before it, as in recordings of several
 * machines or put one behind the other, is played from there on with its own distances.
 */
export class Pacer {
  readonly troubles: TimeTroubles = { untimed: 0, backward: 0, shortened: 0 };
  readonly #options: PacerOptions;
  /** What to add to the times of a session, by its name. */
  readonly #clocks = new Map<string, number>();
  /** Where the play stands, as recorded and without what was cut out of silences. */
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
    // Behind at its first word: it goes by another clock, or was recorded before. Behind later: it contradicts itself.
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
