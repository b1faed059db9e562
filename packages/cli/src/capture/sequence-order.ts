export interface OrderLimits {
  /** So many events of one counter wait for one that is missing, and no more. */
  readonly window: number;
  /** How long they wait. */
  readonly holdMs: number;
  /** How many wait altogether. */
  readonly held: number;
  /** How many counters are remembered. */
  readonly streams: number;
}

export const ORDER_LIMITS: OrderLimits = { window: 64, holdMs: 2000, held: 4096, streams: 20_000 };

interface Stream<Item> {
  /** The number that is written next; undefined before the first was. */
  next: number | undefined;
  /** By number, smallest first. */
  readonly held: { readonly sequence: number; readonly item: Item }[];
  /** When the oldest of those that wait is given up. */
  due: number;
}

/**
 * Puts events back into the order of their numbers, counter by counter, within bounds: whoever posts without waiting is
 * overtaken by itself. Numbers may be missing for good, so that nobody waits for long. What comes after a later one was given
 * out is given out all the same, and counted as late. Pure: the time, in milliseconds of a monotonic clock, is passed in.
 */
export class SequenceOrder<Item> {
  readonly #limits: OrderLimits;
  readonly #streams = new Map<string, Stream<Item>>();
  /** Those in which something waits, the one that waits for longest first. */
  readonly #waiting = new Set<Stream<Item>>();
  #held = 0;
  #late = 0;

  constructor(limits: Partial<OrderLimits> = {}) {
    this.#limits = { ...ORDER_LIMITS, ...limits };
  }

  /** How many came after one with a higher number. */
  get late(): number {
    return this.#late;
  }

  get held(): number {
    return this.#held;
  }

  /** What is to be written now, in order. */
  hear(name: string, sequence: number, item: Item, at: number): readonly Item[] {
    const stream = this.#stream(name);
    const { next } = stream;
    if (next !== undefined && sequence < next) {
      this.#late++;
      return [item];
    }
    if (sequence === next || (next === undefined && sequence <= 1)) {
      stream.next = sequence + 1;
      return [item, ...this.#follow(stream)];
    }
    if (stream.held.length === 0) stream.due = at + this.#limits.holdMs;
    insert(stream.held, { sequence, item });
    this.#waiting.add(stream);
    this.#held++;
    const ready: Item[] = [];
    while (stream.held.length > this.#limits.window) ready.push(...this.#giveUp(stream, at));
    while (this.#held > this.#limits.held) ready.push(...this.#giveUpOldest(at));
    return ready;
  }

  /** It is in the recording already. */
  written(name: string, sequence: number): void {
    const stream = this.#stream(name);
    stream.next = Math.max(stream.next ?? 0, sequence + 1);
  }

  /** When `tick` has something to do. */
  dueAt(): number | undefined {
    for (const { due } of this.#waiting) return due;
    return undefined;
  }

  /** Those that waited for long enough. */
  tick(at: number): readonly Item[] {
    const ready: Item[] = [];
    for (const stream of [...this.#waiting]) {
      if (stream.due > at) break;
      while (stream.held.length > 0) ready.push(...this.#giveUp(stream, at));
    }
    return ready;
  }

  /** Nothing follows. */
  flush(): readonly Item[] {
    return this.tick(Number.POSITIVE_INFINITY);
  }

  #stream(name: string): Stream<Item> {
    const known = this.#streams.get(name);
    if (known !== undefined) return known;
    if (this.#streams.size >= this.#limits.streams) this.#forgetOne();
    const stream: Stream<Item> = { next: undefined, held: [], due: 0 };
    this.#streams.set(name, stream);
    return stream;
  }

  /** The oldest in which nothing waits. */
  #forgetOne(): void {
    for (const [name, { held }] of this.#streams) {
      if (held.length > 0) continue;
      this.#streams.delete(name);
      return;
    }
  }

  /** The missing one is not waited for any longer. */
  #giveUp(stream: Stream<Item>, at: number): readonly Item[] {
    stream.next = stream.held[0]?.sequence;
    const ready = this.#follow(stream);
    if (stream.held.length > 0) {
      // What still waits does so for another one, from now on.
      this.#waiting.delete(stream);
      this.#waiting.add(stream);
      stream.due = at + this.#limits.holdMs;
    }
    return ready;
  }

  #giveUpOldest(at: number): readonly Item[] {
    for (const stream of this.#waiting) return this.#giveUp(stream, at);
    return [];
  }

  /** Those whose turn has come; two of the same number follow each other. */
  #follow(stream: Stream<Item>): readonly Item[] {
    const ready: Item[] = [];
    for (let first = stream.held[0]; first !== undefined && first.sequence <= (stream.next ?? 0); first = stream.held[0]) {
      stream.held.shift();
      stream.next = first.sequence + 1;
      ready.push(first.item);
    }
    this.#held -= ready.length;
    if (stream.held.length === 0) this.#waiting.delete(stream);
    return ready;
  }
}

function insert<Item>(held: { readonly sequence: number; readonly item: Item }[], one: { readonly sequence: number; readonly item: Item }) {
  let place = held.length;
  while (place > 0 && (held[place - 1]?.sequence ?? 0) > one.sequence) place--;
  held.splice(place, 0, one);
}
