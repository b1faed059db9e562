import { firstPositionOf, type ShaperItem } from "./item.ts";
import { SHAPE_LIMITS } from "./limits.ts";
import { SessionQueue } from "./session-queue.ts";

/** Everything waiting in one shaper, by session. */
export class ShaperBacklog {
  /** Sessions with waiting items. */
  readonly #queues = new Map<string, SessionQueue>();
  #size = 0;
  #heldText = 0;

  /** Number of waiting items. */
  get size(): number {
    return this.#size;
  }

  /** Whether text no longer waits for a boundary. */
  get hasMuchText(): boolean {
    return this.#heldText >= SHAPE_LIMITS.heldText;
  }

  get isOverfull(): boolean {
    return this.#size > SHAPE_LIMITS.items || this.#heldText > SHAPE_LIMITS.waitingText;
  }

  get queues(): Iterable<SessionQueue> {
    return this.#queues.values();
  }

  /** Release it again if nothing is added. */
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

  add(queue: SessionQueue, item: ShaperItem): void {
    queue.items.push(item);
    this.#size++;
  }

  /** Removes an item; its queue stays until released. */
  remove(queue: SessionQueue, item: ShaperItem): void {
    queue.remove(item);
    this.#size--;
    if (item.type === "text") this.#heldText -= item.length;
  }

  condense(queue: SessionQueue): void {
    this.#replace(queue, () => queue.condense());
  }

  /** Condenses the session with most waiting items, or summarizes it if that is not enough. */
  makeRoom(): void {
    const longest = [...this.#queues.values()].reduce((one, other) => (other.waiting > one.waiting ? other : one));
    const { waiting } = longest;
    this.condense(longest);
    if (longest.waiting > waiting / 2) this.#replace(longest, (queue) => queue.sumUp());
    this.release(longest);
  }

  #replace(queue: SessionQueue, change: (queue: SessionQueue) => void): void {
    this.#size -= queue.items.length;
    this.#heldText -= queue.textLength;
    change(queue);
    this.#size += queue.items.length;
    this.#heldText += queue.textLength;
  }

  /** Adjusts the amount of waiting text in UTF-16 units. */
  countText(units: number): void {
    this.#heldText += units;
  }

  /** The first waiting position; infinite without any. */
  firstPosition(): number {
    let first = Number.POSITIVE_INFINITY;
    if (this.#size === 0) return first;
    for (const { items } of this.#queues.values()) {
      for (const item of items) if (!item.isAside) first = Math.min(first, firstPositionOf(item));
    }
    return first;
  }
}
