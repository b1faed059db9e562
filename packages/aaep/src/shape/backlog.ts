import { firstOf, type Item } from "./item.ts";
import { SHAPE_LIMITS } from "./limits.ts";
import { SessionQueue } from "./session-queue.ts";

/** All that waits in one shaper, session by session. */
export class Backlog {
  /** Sessions of which something waits. */
  readonly #queues = new Map<string, SessionQueue>();
  #size = 0;
  #heldText = 0;

  /** How many items wait. */
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
    this.#replace(queue, () => queue.condense());
  }

  /** Condenses the session of which most waits; where that is not enough, sums it up. */
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
}
