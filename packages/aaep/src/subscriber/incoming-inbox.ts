import type { Incoming } from "./incoming.ts";

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

/**
 * What was heard and not taken yet: in order within each session, and what is critical first, after what its own session
 * said before it. Whoever fills it asks `isFull` before reading on.
 */
export class IncomingQueue {
  readonly #limit: number;
  #urgent: Incoming[] = [];
  #calm: Incoming[] = [];
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

  /** How many were ever taken. */
  get taken(): number {
    return this.#taken;
  }

  push(incoming: Incoming): void {
    if (!incoming.critical) {
      this.#calm.push(incoming);
      return;
    }
    const isOwn = ({ session }: Incoming) => session === incoming.session;
    if (this.#calm.some(isOwn)) {
      this.#urgent.push(...this.#calm.filter(isOwn));
      this.#calm = this.#calm.filter((one) => !isOwn(one));
    }
    this.#urgent.push(incoming);
  }

  take(atMost: number): readonly Incoming[] {
    const urgent = this.#urgent.splice(0, atMost);
    const calm = this.#calm.splice(0, atMost - urgent.length);
    this.#taken += urgent.length + calm.length;
    return urgent.length === 0 ? calm : [...urgent, ...calm];
  }
}

/** One thing that arrived, until it is dealt with. */
interface Mark {
  readonly id: string | undefined;
  isDealtWith: boolean;
}

/**
 * After which event to resume: the last with an id of which everything up to it was dealt with, in whatever order that
 * happened. What was not dealt with comes again, and nothing is skipped.
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
