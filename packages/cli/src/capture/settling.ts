import type { JsonObject } from "@earshot/protocol";
import type { Batch } from "./source.ts";

/** A batch until everything in it is written or left out. */
export interface Place {
  pending: number;
  readonly batch: Batch;
  /** How long the recording was when it came. */
  readonly size: number;
}

/**
 * Where to go on, although events are not written in the order in which they came: after the last batch of which everything
 * and everything before it is written. What was written beyond that stands in the recording after a known byte.
 */
export class Settling {
  #places: Place[] = [];
  #first = 0;
  #resume: JsonObject | undefined;
  /** While what an earlier capture wrote past its place is still to come again: where that begins. */
  #heldBackAt: number | undefined;

  constructor(resume: JsonObject | undefined, rereadFrom?: number) {
    this.#resume = resume;
    this.#heldBackAt = rereadFrom;
  }

  get resume(): JsonObject | undefined {
    return this.#resume;
  }

  /** Everything before this byte of the recording came before the place to go on from. */
  rereadFrom(size: number): number {
    return this.#heldBackAt ?? this.#places[this.#first]?.size ?? size;
  }

  /** Everything that was there before has come: none of what was written then comes again. */
  caughtUp(): void {
    this.#heldBackAt = undefined;
  }

  arrived(batch: Batch, size: number): Place {
    const place = { pending: batch.texts.length, batch, size };
    this.#places.push(place);
    return place;
  }

  /** To be called when something in it was written or left out, and when there is nothing in it. */
  settle(): void {
    for (;;) {
      const first = this.#places[this.#first];
      if (first === undefined || first.pending > 0) break;
      this.#resume = first.batch.settle() ?? this.#resume;
      this.#first++;
    }
    if (this.#first > 1024 || this.#first === this.#places.length) {
      this.#places = this.#places.slice(this.#first);
      this.#first = 0;
    }
  }
}
