import type { FeedPage } from "../feed.ts";
import type { Heard } from "../heard.ts";

const MOST_EVENTS = 4096;
const MOST_CHARACTERS = 8 << 20;

/** The newest events that were read, at hand for subscriptions that are a little behind. Bounded. */
export class Recent {
  #events: Heard[] = [];
  #characters = 0;
  /** Everything after this and up to the newest is here. */
  #after: number;
  #upTo: number;

  constructor(position: number) {
    this.#after = position;
    this.#upTo = position;
  }

  get upTo(): number {
    return this.#upTo;
  }

  push({ heard, upTo, missed }: FeedPage): void {
    if (missed) this.restart(this.#upTo);
    for (const one of heard) {
      this.#events.push(one);
      this.#characters += one.text.length;
    }
    this.#upTo = upTo;
    if (missed) this.#after = (heard[0]?.position ?? upTo + 1) - 1;
    if (this.#events.length > MOST_EVENTS * 1.25 || this.#characters > MOST_CHARACTERS) this.#trim();
  }

  /** Forgets all, and goes on from a position. */
  restart(position: number): void {
    this.#events = [];
    this.#characters = 0;
    this.#after = position;
    this.#upTo = position;
  }

  /** What follows a position; undefined when that is not all here. */
  read(after: number, limit: number): FeedPage | undefined {
    if (after < this.#after || after > this.#upTo) return undefined;
    const start = this.#firstAfter(after);
    const heard = this.#events.slice(start, start + limit);
    const isRest = start + heard.length === this.#events.length;
    return { heard, upTo: isRest ? this.#upTo : (heard.at(-1)?.position ?? after), missed: false };
  }

  #firstAfter(position: number): number {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle]?.position ?? Number.POSITIVE_INFINITY) <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #trim(): void {
    let drop = Math.max(0, this.#events.length - MOST_EVENTS);
    for (let index = 0; index < drop; index++) this.#characters -= this.#events[index]?.text.length ?? 0;
    while (this.#characters > MOST_CHARACTERS * 0.75 && drop < this.#events.length) {
      this.#characters -= this.#events[drop]?.text.length ?? 0;
      drop++;
    }
    this.#after = this.#events[drop - 1]?.position ?? this.#after;
    this.#events.splice(0, drop);
  }
}
