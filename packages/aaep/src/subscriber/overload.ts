import type { Capabilities } from "@earshot/protocol";

export interface OverloadLimits {
  /** So many events that wait to be taken are too many; so few are none. */
  readonly high: number;
  readonly low: number;
  /** How long it has to be calm before the first terms are asked for again. */
  readonly calmMs: number;
  /** The least time between two renegotiations. */
  readonly pauseMs: number;
}

const OVERLOAD: OverloadLimits = { high: 500, low: 50, calmMs: 30_000, pauseMs: 5000 };

const UNLIMITED = 100_000; // the most that can be asked for: a key that was set cannot be unset
const COARSE = ["paragraph", "completion"] as const;

/**
 * When to ask a producer for less, and when for as much as at first: rather than fall behind, or drop what was said. Pure: the
 * time, in milliseconds of a monotonic clock, is passed in.
 */
export class Overload {
  readonly #first: Capabilities;
  readonly #limits: OverloadLimits;
  /** Events a second that were asked for; undefined while the first terms hold. */
  #rate: number | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  #calmSince: number | undefined;
  /** Where counting how fast events are taken began. */
  #from: { readonly taken: number; readonly at: number } | undefined;

  constructor(first: Capabilities, limits: OverloadLimits = OVERLOAD) {
    this.#first = first;
    this.#limits = limits;
  }

  get isEased(): boolean {
    return this.#rate !== undefined;
  }

  /** Told how many events wait, and how many were ever taken. Gives what to ask for, where something is to be asked for. */
  note(waiting: number, taken: number, at: number): Capabilities | undefined {
    const { high, low, calmMs, pauseMs } = this.#limits;
    this.#from ??= { taken, at };
    if (waiting > low) this.#calmSince = undefined;
    else this.#calmSince ??= at;
    if (waiting >= high && at - this.#askedAt >= pauseMs) return this.#ease(taken, at);
    const isCalm = this.#calmSince !== undefined && at - this.#calmSince >= calmMs;
    if (this.#rate === undefined || !isCalm || at - this.#askedAt < pauseMs) return undefined;
    return this.#recover(taken, at);
  }

  /** A new handshake: the first terms hold again. */
  restart(): void {
    this.#rate = undefined;
    this.#calmSince = undefined;
    this.#from = undefined;
  }

  #ease(taken: number, at: number): Capabilities {
    const from = this.#from ?? { taken, at };
    const seconds = Math.max(1, (at - from.at) / 1000);
    const most = this.#rate === undefined ? (this.#first.max_events_per_second ?? UNLIMITED) : Math.floor(this.#rate / 2);
    this.#rate = Math.max(1, Math.min(most, Math.floor((taken - from.taken) / seconds)));
    this.#begin(taken, at);
    return { max_events_per_second: this.#rate, coalesce_boundaries: [...COARSE], cognitive_load: "low" };
  }

  #recover(taken: number, at: number): Capabilities {
    this.#rate = undefined;
    this.#begin(taken, at);
    const { max_events_per_second = UNLIMITED, coalesce_boundaries = ["sentence", "completion"], cognitive_load = "medium" } = this.#first;
    return { max_events_per_second, coalesce_boundaries, cognitive_load };
  }

  #begin(taken: number, at: number): void {
    this.#askedAt = at;
    this.#calmSince = undefined;
    this.#from = { taken, at };
  }
}
