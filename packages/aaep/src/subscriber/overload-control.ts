import type { Capabilities } from "@earshot/protocol";

export interface OverloadLimits {
  /** Above `high` waiting events is overload; below `low` is calm. */
  readonly high: number;
  readonly low: number;
  /** How long it must be calm before the original terms are requested again. */
  readonly calmMs: number;
  /** Minimum time between two renegotiations. */
  readonly pauseMs: number;
}

const OVERLOAD: OverloadLimits = { high: 500, low: 50, calmMs: 30_000, pauseMs: 5000 };

const UNLIMITED = 100_000; // the most that can be asked for: a key that was set cannot be unset
const COARSE = ["paragraph", "completion"] as const;

/**
 * Decides when to request less from a producer and when to return to the original terms, so that no events are dropped. Pure: times are
 * milliseconds of a monotonic clock passed in.
 */
export class OverloadControl {
  readonly #first: Capabilities;
  readonly #limits: OverloadLimits;
  /** The requested rate; undefined while the original terms apply. */
  #rate: number | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  #calmSince: number | undefined;
  /** Start of the current rate measurement. */
  #from: { readonly taken: number; readonly at: number } | undefined;

  constructor(first: Capabilities, limits: OverloadLimits = OVERLOAD) {
    this.#first = first;
    this.#limits = limits;
  }

  get isEased(): boolean {
    return this.#rate !== undefined;
  }

  /** Takes the numbers of waiting and of taken events. Returns the capabilities to request, if any. */
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

  /** After a new handshake the original terms apply. */
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
