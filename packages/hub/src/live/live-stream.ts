import { setTimeout as wait } from "node:timers/promises";
import type { Encoding, LiveFarewell, ReadyFilter } from "./frames.ts";
import type { LiveOptions, LiveStreams } from "./live-streams.ts";

/** One listener's transport, similar to a socket. */
export interface LiveListener {
  /** False if the buffer is full: nothing more is sent until `LiveStream.drained` is called. */
  send(bytes: Buffer): boolean;
  /** Number of unsent bytes. While it decreases, the peer is alive. */
  unsentBytes(): number;
  /** Sends the last bytes, ends the connection, and calls `LiveStream.leave` soon, whether or not the peer reads them. */
  close(lastBytes: Buffer, farewell: LiveFarewell): void;
}

/** The next bytes for a listener, and its position after they are sent. */
export interface Sendable {
  readonly bytes: Buffer;
  readonly upTo: number;
}

interface StreamOptions {
  readonly streams: LiveStreams;
  readonly filter: ReadyFilter;
  readonly encoding: Encoding;
  readonly position: number;
  /** The newest position when the listener joined; earlier entries are history. */
  readonly head: number;
}

interface Aside {
  readonly after: number;
  readonly bytes: Buffer;
}

export const NO_BYTES: Buffer = Buffer.alloc(0);
/** The maximum number of asides; the oldest are dropped. */
const MAX_ASIDES = 100;
const RETRY_MS = 1000;

/**
 * One listener's position in the ledger, and the loop that advances it. Nothing is queued: a listener that stops reading costs only its
 * socket's buffer, and resumes from its position.
 */
export class LiveStream {
  readonly #listener: LiveListener;
  readonly #options: StreamOptions;
  readonly #asides: Aside[] = [];
  #position: number;
  #isLate: boolean;
  #state: "new" | "open" | "closing" | "left" = "new";
  #isFull = false;
  #fullSince = 0;
  #progressAt = 0;
  #sentAt = 0;
  #unsentBytes = 0;
  readonly #gone = Promise.withResolvers<void>();
  #wake: () => void = () => {};

  constructor(listener: LiveListener, options: StreamOptions) {
    this.#listener = listener;
    this.#options = options;
    this.#position = options.position;
    this.#isLate = options.position < options.head;
  }

  /** Everything up to here was sent or filtered. */
  get position(): number {
    return this.#position;
  }

  get hasLeft(): boolean {
    return this.#state === "closing" || this.#state === "left";
  }

  get fullSince(): number {
    return this.#fullSince;
  }

  /** Call once the listener can accept bytes. */
  start(): void {
    if (this.#state !== "new") return;
    this.#state = "open";
    const { encoding, head } = this.#options;
    this.#send(encoding.hello(this.#position, head));
    this.#run().catch(this.#options.streams.onFailure);
  }

  /** There is more to send, or room for it. */
  wake(): void {
    this.#wake();
  }

  /** The full buffer has emptied. */
  drained(): void {
    this.#isFull = false;
    this.#wake();
  }

  /** The connection is gone. */
  leave(): void {
    if (this.#state === "left") return;
    this.#state = "left";
    this.#options.streams.left(this);
    this.#wake();
    this.#gone.resolve();
  }

  /** Sends bytes outside the ledger once the listener has everything up to a position. */
  aside(bytes: Buffer, after: number): void {
    this.#asides.push({ after, bytes });
    if (this.#asides.length > MAX_ASIDES) this.#asides.shift();
    this.#wake();
  }

  /** Sends heartbeats, and closes a listener that accepts nothing. */
  tick({ heartbeatMs, stuckAfterMs }: Pick<LiveOptions, "heartbeatMs" | "stuckAfterMs">): void {
    if (this.#state !== "open") return;
    const { streams, encoding } = this.#options;
    const { now } = streams;
    if (!this.#isFull) {
      if (now - this.#sentAt >= heartbeatMs) this.#send(encoding.heartbeat(this.#position));
      return;
    }
    const unsent = this.#listener.unsentBytes();
    if (unsent !== this.#unsentBytes) this.#progressAt = now;
    this.#unsentBytes = unsent;
    if (now - this.#progressAt >= stuckAfterMs) void this.close("stuck");
  }

  /** The bytes its socket holds, excluding a very recent write. */
  heldBytes(slowAfterMs: number): number {
    return this.#state === "open" && this.#isFull && this.#options.streams.now - this.#fullSince >= slowAfterMs ? this.#unsentBytes : 0;
  }

  /** Fulfills when the connection is gone. */
  close(why: LiveFarewell["why"]): Promise<void> {
    if (!this.hasLeft) {
      this.#state = "closing";
      this.#wake();
      const farewell: LiveFarewell = { why, resumeAfter: this.#position };
      this.#listener.close(this.#options.encoding.farewell(farewell), farewell);
    }
    return this.#gone.promise;
  }

  async #run(): Promise<void> {
    const { streams, filter, encoding } = this.#options;
    while (!this.hasLeft) {
      if (!this.#isFull) this.#sendAsides();
      if (this.#isFull || this.#position >= streams.tail) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      try {
        const next = streams.next(this.#position, filter, encoding);
        const { bytes, upTo } = next instanceof Promise ? await next : next;
        if (this.hasLeft) return;
        this.#position = upTo;
        if (bytes.length > 0) this.#send(bytes);
      } catch (error) {
        streams.onFailure(error);
        await wait(RETRY_MS, undefined, { ref: false });
      }
    }
  }

  #sendAsides(): void {
    if (this.#isLate && this.#position >= this.#options.head) {
      this.#isLate = false;
      this.#send(this.#options.encoding.heartbeat(this.#position));
    }
    while (!this.#isFull && (this.#asides[0]?.after ?? Number.POSITIVE_INFINITY) <= this.#position) {
      this.#send(this.#asides.shift()?.bytes ?? NO_BYTES);
    }
  }

  #send(bytes: Buffer): void {
    const { now } = this.#options.streams;
    this.#sentAt = now;
    if (this.#listener.send(bytes)) return;
    if (!this.#isFull) this.#fullSince = this.#progressAt = now;
    this.#isFull = true;
    this.#unsentBytes = bytes.length;
  }
}
