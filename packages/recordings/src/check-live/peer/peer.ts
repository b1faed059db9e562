import { isObject, type JsonObject, type Problem, readJson } from "@earshot/protocol";

/** What the transport itself said about a message; undefined where it says nothing, as on a socket. */
export interface Receipt {
  readonly status: number;
  readonly body: string;
}

/** One connection to a producer, as a subscriber has it. */
export interface Connection {
  readonly stream: Stream;
  /** Listens without a handshake. False when the producer does not offer that. */
  listen(): Promise<boolean>;
  /** The handshake: what was answered, or undefined for silence. An acceptance is followed by the events. */
  subscribe(request: JsonObject, waitMs: number): Promise<JsonObject | undefined>;
  /** Asks for other terms: what was answered, or undefined for silence. */
  renegotiate(message: JsonObject, waitMs: number): Promise<JsonObject | undefined>;
  /** A reply, or the end of the subscription. */
  say(message: JsonObject): Promise<Receipt | undefined>;
  /** Anything else: what makes the producer do something. */
  send(message: JsonObject): Promise<Receipt | undefined>;
  /** Breaks off, without a word. */
  cut(): Promise<void>;
}

export interface ConnectOptions {
  /** False leaves out the headers that were given: who calls then is nobody. */
  readonly authenticated?: boolean;
}

/** A producer that can be reached. */
export interface Peer {
  readonly transport: "sse" | "websocket" | "stdio";
  readonly name: string;
  /** Whether two connections reach the same agent: a process of its own for each does not show one to the other. */
  readonly shared: boolean;
  /** Whether there are headers to leave out. */
  readonly authenticates: boolean;
  connect(options?: ConnectOptions): Promise<Connection>;
  /** Continues a subscription after an event; undefined where the transport has no such thing. */
  resume?(subscriptionId: string | undefined, lastEventId: string, stream: Stream): Promise<{ cut(): Promise<void> } | undefined>;
  /** What is published at the well-known address; undefined where there is no such address. */
  readManifest(): Promise<Receipt | undefined>;
  /** Reads something else of the same origin, for probes. */
  get(path: string): Promise<Receipt | undefined>;
  close(): Promise<void>;
}

const ANSWERS: ReadonlySet<unknown> = new Set(["subscription.accepted", "subscription.rejected"]);

export function isAnswer(value: JsonObject): boolean {
  return ANSWERS.has(value["type"]);
}

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
  #reading: Promise<void> | undefined;

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

  /** Reads nothing more, so that the peer's writes pile up, until the function returned is called. */
  stopReading(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#reading = promise;
    return resolve;
  }

  /** To be awaited before each read. */
  get reading(): Promise<void> | undefined {
    return this.#reading;
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
