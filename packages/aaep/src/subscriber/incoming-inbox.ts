import type { IncomingEvent } from "./incoming.ts";

/** Received events until they are processed: events not taken or not processed at the end of this process come again. */
export class IncomingInbox {
  readonly #queue: IncomingQueue;
  readonly #resumePoint: ResumePoint;
  /** Events not taken, or taken and not processed. */
  readonly #marks = new Map<IncomingEvent, Mark>();
  #out: IncomingEvent[] = [];

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

  /** Total number of taken events. */
  get taken(): number {
    return this.#queue.taken;
  }

  /** Everything up to this event was processed. */
  get resumeAfter(): string | undefined {
    return this.#resumePoint.after;
  }

  /** In the order of receipt: with the event that will be pushed now or later, if it is one. */
  arrived(id: string | undefined, heard: IncomingEvent | undefined): void {
    const mark = this.#resumePoint.arrived(id);
    if (heard === undefined) this.#resumePoint.dealtWith(mark);
    else this.#marks.set(heard, mark);
  }

  push(incoming: readonly IncomingEvent[]): void {
    for (const one of incoming) this.#queue.push(one);
  }

  take(atMost: number): readonly IncomingEvent[] {
    const taken = this.#queue.take(atMost);
    this.#out.push(...taken);
    return taken;
  }

  /** The taken events are processed. */
  dealtWith(): void {
    for (const incoming of this.#out) {
      const mark = this.#marks.get(incoming);
      this.#marks.delete(incoming);
      if (mark !== undefined) this.#resumePoint.dealtWith(mark);
    }
    this.#out = [];
  }
}

/**
 * Events heard and not taken: in order within each session, critical ones first, after their session's earlier events. Check `isFull`
 * before reading on.
 */
export class IncomingQueue {
  readonly #limit: number;
  #urgent: IncomingEvent[] = [];
  #calm: IncomingEvent[] = [];
  #taken = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#urgent.length + this.#calm.length;
  }

  get isFull(): boolean {
    return this.size >= this.#limit;
  }

  /** Total number of taken events. */
  get taken(): number {
    return this.#taken;
  }

  push(incoming: IncomingEvent): void {
    if (!incoming.critical) {
      this.#calm.push(incoming);
      return;
    }
    const isOwn = ({ session }: IncomingEvent) => session === incoming.session;
    if (this.#calm.some(isOwn)) {
      this.#urgent.push(...this.#calm.filter(isOwn));
      this.#calm = this.#calm.filter((one) => !isOwn(one));
    }
    this.#urgent.push(incoming);
  }

  take(atMost: number): readonly IncomingEvent[] {
    const urgent = this.#urgent.splice(0, atMost);
    const calm = this.#calm.splice(0, atMost - urgent.length);
    this.#taken += urgent.length + calm.length;
    return urgent.length === 0 ? calm : [...urgent, ...calm];
  }
}

/** A received item until it is processed. */
interface Mark {
  readonly id: string | undefined;
  isDealtWith: boolean;
}

/**
 * The resume point: the last event with an id up to which everything was processed, in any order. Unprocessed events come again, and none
 * is skipped.
 */
export class ResumePoint {
  #marks: Mark[] = [];
  #first = 0;
  #after: string | undefined;

  constructor(after?: string) {
    this.#after = after;
  }

  get after(): string | undefined {
    return this.#after;
  }

  arrived(id: string | undefined): Mark {
    const mark: Mark = { id, isDealtWith: false };
    this.#marks.push(mark);
    return mark;
  }

  dealtWith(mark: Mark): void {
    mark.isDealtWith = true;
    for (;;) {
      const first = this.#marks[this.#first];
      if (first === undefined || !first.isDealtWith) break;
      this.#after = first.id ?? this.#after;
      this.#first++;
    }
    if (this.#first === this.#marks.length || this.#first > 1024) {
      this.#marks = this.#marks.slice(this.#first);
      this.#first = 0;
    }
  }
}
