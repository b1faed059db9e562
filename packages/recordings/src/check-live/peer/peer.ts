import { isObject, type JsonObject, type Problem, readJson } from "@earshot/protocol";

/** The transport's own response to a message; undefined if it has none, as on a socket. */
export interface Receipt {
  readonly status: number;
  readonly body: string;
}

/** One connection to a producer, as a subscriber has it. */
export interface DrivenConnection {
  readonly stream: ReceivedStream;
  /** Listens without a handshake. False if the producer does not offer that. */
  listen(): Promise<boolean>;
  /** The handshake's answer, or undefined for silence. Events follow an acceptance. */
  subscribe(request: JsonObject, waitMs: number): Promise<JsonObject | undefined>;
  /** The answer to a renegotiation, or undefined for silence. */
  renegotiate(message: JsonObject, waitMs: number): Promise<JsonObject | undefined>;
  /** A reply, or the end of the subscription. */
  sendMessage(message: JsonObject): Promise<Receipt | undefined>;
  /** Any other message that makes the producer act. */
  send(message: JsonObject): Promise<Receipt | undefined>;
  /** Disconnects without a message. */
  cut(): Promise<void>;
}

export interface ConnectOptions {
  /** False omits the given headers, for an unauthenticated caller. */
  readonly authenticated?: boolean;
}

/** A reachable producer. */
export interface DrivenPeer {
  readonly transport: "sse" | "websocket" | "stdio";
  readonly name: string;
  /** Whether two connections reach the same agent rather than separate processes. */
  readonly shared: boolean;
  /** Whether there are headers to omit. */
  readonly authenticates: boolean;
  connect(options?: ConnectOptions): Promise<DrivenConnection>;
  /** Resumes a subscription after an event; undefined if the transport cannot. */
  resume?(subscriptionId: string | undefined, lastEventId: string, stream: ReceivedStream): Promise<{ cut(): Promise<void> } | undefined>;
  /** The document at the well-known path; undefined if there is no such URL. */
  readManifest(): Promise<Receipt | undefined>;
  /** Reads another path of the same origin, for probes. */
  get(path: string): Promise<Receipt | undefined>;
  close(): Promise<void>;
}

const ANSWERS: ReadonlySet<unknown> = new Set(["subscription.accepted", "subscription.rejected"]);

export function isAnswer(value: JsonObject): boolean {
  return ANSWERS.has(value["type"]);
}

/** One received message with its time. */
export interface StreamItem {
  readonly index: number;
  readonly text: string;
  readonly value: JsonObject;
  /** Monotonic milliseconds. */
  readonly at: number;
  /** Milliseconds since the epoch. */
  readonly wallMs: number;
  /** The id to resume from, if the transport has one. */
  readonly resumeId: string | undefined;
}

const MAX_ITEMS = 100_000;

/** Everything received over one connection, in order. Bounded: a flooding peer is disconnected. */
export class ReceivedStream {
  readonly #items: StreamItem[] = [];
  readonly #unreadable: Problem[] = [];
  readonly #waiting = new Set<() => void>();
  #ended = false;
  #reading: Promise<void> | undefined;

  get items(): readonly StreamItem[] {
    return this.#items;
  }

  /** Texts that were no JSON object. */
  get unreadable(): readonly Problem[] {
    return this.#unreadable;
  }

  get ended(): boolean {
    return this.#ended;
  }

  push(text: string, resumeId?: string): StreamItem | undefined {
    if (this.#items.length >= MAX_ITEMS) return undefined;
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

  /** Stops reading, so that the peer's writes pile up, until the returned function is called. */
  stopReading(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#reading = promise;
    return resolve;
  }

  /** Await before each read. */
  get reading(): Promise<void> | undefined {
    return this.#reading;
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** The first matching item from an index; undefined on timeout or at the stream's end. */
  async until(fits: (item: StreamItem) => boolean, ms: number, from = 0): Promise<StreamItem | undefined> {
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
