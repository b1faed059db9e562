import { isObject, type JsonObject, type Problem, readJson } from "@earshot/protocol";

/** One thing that a peer said, and when it arrived. */
export interface Item {
  readonly index: number;
  readonly text: string;
  readonly value: JsonObject;
  /** Monotonic milliseconds. */
  readonly at: number;
  /** Milliseconds since the epoch. */
  readonly wallMs: number;
  /** The id to resume from, where the transport has one. */
  readonly resumeId: string | undefined;
}

const MOST_ITEMS = 100_000;

/** What one connection heard, in the order of its arrival. Bounded: a peer that floods is cut off. */
export class Stream {
  readonly #items: Item[] = [];
  readonly #unreadable: Problem[] = [];
  readonly #waiting = new Set<() => void>();
  #ended = false;

  get items(): readonly Item[] {
    return this.#items;
  }

  /** What was no JSON object. */
  get unreadable(): readonly Problem[] {
    return this.#unreadable;
  }

  get ended(): boolean {
    return this.#ended;
  }

  push(text: string, resumeId?: string): Item | undefined {
    if (this.#items.length >= MOST_ITEMS) return undefined;
    const read = readJson(text);
    if (!read.ok || !isObject(read.value)) {
      this.#unreadable.push(read.ok ? { code: "NOT_AN_OBJECT", message: "The frame is JSON, but not an object." } : read.problem);
      return undefined;
    }
    const item = { index: this.#items.length, text, value: read.value, at: performance.now(), wallMs: Date.now(), resumeId };
    this.#items.push(item);
    this.#wake();
    return item;
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** The first item from an index on that fits; undefined when none came in time, or the stream ended. */
  async until(fits: (item: Item) => boolean, ms: number, from = 0): Promise<Item | undefined> {
    const deadline = performance.now() + ms;
    let next = from;
    for (;;) {
      for (; next < this.#items.length; next++) {
        const item = this.#items[next];
        if (item !== undefined && fits(item)) return item;
      }
      const left = deadline - performance.now();
      if (left <= 0 || this.#ended) return undefined;
      await this.#more(left);
    }
  }

  #more(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      const waiting = this.#waiting;
      waiting.add(done);
      function done(): void {
        clearTimeout(timer);
        waiting.delete(done);
        resolve();
      }
    });
  }

  #wake(): void {
    for (const done of [...this.#waiting]) done();
  }
}
