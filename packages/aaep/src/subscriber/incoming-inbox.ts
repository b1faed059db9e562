import type { Incoming } from "./incoming.ts";
import { IncomingQueue } from "./incoming-queue.ts";
import { type Mark, ResumePoint } from "./resume-point.ts";

/**
 * Events between the one who hears them and the one who takes them, and how far they are dealt with: what is neither taken nor
 * dealt with when this process ends comes again.
 */
export class IncomingInbox {
  readonly #queue: IncomingQueue;
  readonly #resumePoint: ResumePoint;
  /** Of what is not taken, or taken and not dealt with. */
  readonly #marks = new Map<Incoming, Mark>();
  #out: Incoming[] = [];

  constructor(limit: number, resumeAfter: string | undefined) {
    this.#queue = new IncomingQueue(limit);
    this.#resumePoint = new ResumePoint(resumeAfter);
  }

  get size(): number {
    return this.#queue.size;
  }

  get isFull(): boolean {
    return this.#queue.isFull;
  }

  /** How many were ever taken. */
  get taken(): number {
    return this.#queue.taken;
  }

  /** Everything up to this event was dealt with. */
  get resumeAfter(): string | undefined {
    return this.#resumePoint.after;
  }

  /** In the order of the wire: with the event that it was, where it is one that will be pushed, now or later. */
  arrived(id: string | undefined, heard: Incoming | undefined): void {
    const mark = this.#resumePoint.arrived(id);
    if (heard === undefined) this.#resumePoint.dealtWith(mark);
    else this.#marks.set(heard, mark);
  }

  push(incoming: readonly Incoming[]): void {
    for (const one of incoming) this.#queue.push(one);
  }

  take(atMost: number): readonly Incoming[] {
    const taken = this.#queue.take(atMost);
    this.#out.push(...taken);
    return taken;
  }

  /** What was taken will not be needed again. */
  dealtWith(): void {
    for (const incoming of this.#out) {
      const mark = this.#marks.get(incoming);
      this.#marks.delete(incoming);
      if (mark !== undefined) this.#resumePoint.dealtWith(mark);
    }
    this.#out = [];
  }
}
