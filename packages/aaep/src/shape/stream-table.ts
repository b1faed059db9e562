import type { Stream } from "./item.ts";
import { SHAPE_LIMITS } from "./limits.ts";
import { NO_TEXT } from "./text-node.ts";

/** What is remembered of outputs and of progress, by lane. Bounded: what was heard of first is forgotten first. */
export class StreamTable {
  readonly #streams = new Map<string, Stream>();

  of(lane: string): Stream {
    let stream = this.#streams.get(lane);
    if (stream !== undefined) return stream;
    if (this.#streams.size >= SHAPE_LIMITS.streams) {
      const [oldest = ""] = this.#streams.keys();
      this.#streams.delete(oldest);
    }
    stream = { node: NO_TEXT, sentAt: Number.NEGATIVE_INFINITY, counted: 0 };
    this.#streams.set(lane, stream);
    return stream;
  }

  forget(lane: string): void {
    this.#streams.delete(lane);
  }
}
