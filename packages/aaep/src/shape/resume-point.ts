import type { Insight } from "./insight.ts";

/**
 * Where to go on after an event: everything up to a position was delivered, or was not for the subscription, but for what
 * waited then. Lanes are told apart by the first event that waited in each: what follows it in its lane waited too.
 */
export interface ResumePoint {
  readonly upTo: number;
  readonly lanes: readonly Lane[];
}

export interface Lane {
  /** Of the first event of the lane that was not delivered, or not all of it. */
  readonly position: number;
  /** So many UTF-16 units of its text were delivered. */
  readonly skip: number;
}

/** Read on after this. */
export function placeOf({ upTo, lanes }: ResumePoint): number {
  return lanes.reduce((least, { position }) => Math.min(least, position - 1), upTo);
}

/** Leaves out what was delivered before, as the events since then come by again. */
export class Resumption {
  readonly #upTo: number;
  readonly #begins = new Map<number, number>();
  readonly #open = new Set<string>();

  constructor({ upTo, lanes }: ResumePoint) {
    this.#upTo = upTo;
    for (const { position, skip } of lanes) this.#begins.set(position, skip);
  }

  /** How much of its text was delivered: 0 for an event that was not delivered at all, undefined for one that was. */
  skipOf({ heard, lane }: Insight): number | undefined {
    if (heard.position > this.#upTo) return 0;
    const skip = this.#begins.get(heard.position);
    if (skip !== undefined) this.#open.add(lane);
    return skip ?? (this.#open.has(lane) ? 0 : undefined);
  }

  isOver(position: number): boolean {
    return position > this.#upTo;
  }
}
