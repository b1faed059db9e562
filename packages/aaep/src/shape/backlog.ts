import { firstOf, type Item } from "./item.ts";
import { SHAPE_LIMITS } from "./limits.ts";
import type { Lane } from "./resume-point.ts";
import { SessionQueue } from "./session-queue.ts";

/** All that waits in one shaper, session by session. */
export class Backlog {
  /** Sessions of which something waits. */
  readonly #queues = new Map<string, SessionQueue>();
  #size = 0;
  #heldText = 0;
  #counts = 0;

  /** How many items wait. */
  get size(): number {
    return this.#size;
  }

  get isFull(): boolean {
    return this.#size >= SHAPE_LIMITS.items || this.#heldText >= SHAPE_LIMITS.heldText;
  }

  get queues(): Iterable<SessionQueue> {
    return this.#queues.values();
  }

  /** To be released again, when nothing is put into it. */
  queueOf(session: string): SessionQueue {
    let queue = this.#queues.get(session);
    if (queue === undefined) {
      queue = new SessionQueue(session);
      this.#queues.set(session, queue);
    }
    return queue;
  }

  release(queue: SessionQueue): void {
    if (queue.items.length === 0) this.#queues.delete(queue.session);
  }

  add(queue: SessionQueue, item: Item): void {
    queue.items.push(item);
    this.#size++;
  }

  /** Takes an item out; its queue stays until it is released. */
  remove(queue: SessionQueue, item: Item): void {
    queue.remove(item);
    this.#size--;
    if (item.type === "text") this.#heldText -= item.length;
  }

  condense(queue: SessionQueue): void {
    this.#size -= queue.items.length;
    queue.condense();
    this.#size += queue.items.length;
  }

  /** So many UTF-16 units of text more wait, or fewer. */
  countText(units: number): void {
    this.#heldText += units;
  }

  /** The first position that waits; infinite when nothing does. */
  firstPosition(): number {
    let first = Number.POSITIVE_INFINITY;
    if (this.#size === 0) return first;
    for (const { items } of this.#queues.values()) {
      for (const item of items) if (!item.isAside) first = Math.min(first, firstOf(item));
    }
    return first;
  }

  /** The first that waits in each lane, of what was heard in the order of the feed. */
  lanes(upTo: number): readonly Lane[] {
    const lanes: Lane[] = [];
    const count = ++this.#counts;
    for (const { items } of this.#queues.values()) {
      // Within a lane nothing overtakes: the first is enough.
      let hasMain = false;
      for (const item of items) {
        if (item.stream === undefined ? hasMain : item.stream.counted === count) continue;
        const position = firstOf(item);
        if (item.isAside || position > upTo) continue;
        if (item.stream === undefined) hasMain = true;
        else item.stream.counted = count;
        lanes.push({ position, skip: item.type === "text" ? item.skip : 0 });
      }
    }
    return lanes;
  }
}
