import type { Farewell } from "./frames.ts";
import type { Group } from "./group.ts";
import type { Next } from "./recent.ts";

/** The transport of one listener: a socket, more or less. */
export interface Listener {
  /** False when the buffer is full: nothing more is sent until `Subscription.drained` is called. */
  send(chunks: readonly Buffer[]): boolean;
  /** How much of what was sent has not left yet. As long as it falls, the peer is alive. */
  unsentBytes(): number;
  /** Sends the last bytes, ends the connection, and calls `Subscription.leave` soon, whether or not the peer takes them. */
  close(lastBytes: Buffer, farewell: Farewell): void;
}

/** Where a subscription gets what it hears, and whom it tells. */
export interface Station {
  /** How far the ledger was read for those who keep up. */
  readonly tail: number;
  readonly now: () => number;
  next(position: number, group: Group): Next | undefined;
  /** Calls `hear` with what follows the position when it has been read. */
  want(subscription: Subscription): void;
  /** One more write. */
  sent(): void;
  closing(subscription: Subscription): void;
  left(subscription: Subscription): void;
}

export interface Place {
  readonly station: Station;
  readonly position: number;
  /** The newest position when the listener came: up to there, it hears history. */
  readonly head: number;
}

interface Aside {
  readonly after: number;
  readonly bytes: Buffer;
}

/** Enough to fill a socket's buffer. What one listener holds is this and the block that overstepped it. */
const WRITE_BYTES = 64 * 1024;
/** Asides beyond this many push out the oldest. */
const ASIDES = 100;

/**
 * One listener's place in the ledger. It is moved on by whoever has news (the fan-out, a drained socket, history that was
 * read), always by the same loop: what follows the position, up to a full buffer. Nothing is queued for a listener; one that
 * stops reading costs what its socket holds, and its position says the rest.
 */
export class Subscription {
  readonly group: Group;
  readonly #listener: Listener;
  readonly #station: Station;
  readonly #asides: Aside[] = [];
  readonly #head: number;
  #position: number;
  #isLate: boolean;
  #state: "new" | "flowing" | "waiting" | "closing" | "left" = "new";
  #waitingSince = 0;
  #lastProgressAt = 0;
  #lastSentAt = 0;
  #unsentBytes = 0;

  constructor(listener: Listener, group: Group, place: Place) {
    this.group = group;
    this.#listener = listener;
    this.#station = place.station;
    this.#position = place.position;
    this.#head = place.head;
    this.#isLate = place.position < place.head;
  }

  /** Everything up to here was sent, or is not for this listener. */
  get position(): number {
    return this.#position;
  }

  get left(): boolean {
    return this.#state === "closing" || this.#state === "left";
  }

  get isReady(): boolean {
    return this.#state === "flowing";
  }

  /** To be called once the listener can take bytes. */
  start(): void {
    if (this.#state !== "new") return;
    this.#state = "flowing";
    this.#send([this.group.encoding.hello(this.#position, this.#head)]);
    this.pump();
  }

  /** The buffer that was full is empty. */
  drained(): void {
    if (this.#state !== "waiting") return;
    this.#state = "flowing";
    this.pump();
  }

  /** The connection is gone. */
  leave(): void {
    if (this.#state === "left") return;
    this.#state = "left";
    this.#station.left(this);
  }

  /** Says something that is in no ledger as soon as the listener has heard what stands at a position. */
  aside(bytes: Buffer, after: number): void {
    if (this.left) return;
    this.#asides.push({ after, bytes });
    if (this.#asides.length > ASIDES) this.#asides.shift();
    this.pump();
  }

  /** What stands further back than `Station.next` reaches, block by block. */
  hear({ bytes, upTo }: Next): void {
    if (this.#state !== "flowing") return;
    this.#position = upTo;
    if (bytes.length > 0) this.#send([bytes]);
    this.pump();
  }

  pump(): void {
    while (this.#state === "flowing") {
      const { chunks, missing } = this.#gather();
      if (chunks.length > 0) {
        this.#send(chunks);
        continue;
      }
      if (missing) this.#station.want(this);
      return;
    }
  }

  /** Looks after what time does: heartbeats, and listeners that take nothing. */
  tick({ heartbeatMs, stuckAfterMs }: { readonly heartbeatMs: number; readonly stuckAfterMs: number }): void {
    const now = this.#station.now();
    if (this.#state === "flowing" && now - this.#lastSentAt >= heartbeatMs) {
      this.#send([this.group.encoding.heartbeat(this.#position)]);
    } else if (this.#state === "waiting") {
      const unsent = this.#listener.unsentBytes();
      if (unsent !== this.#unsentBytes) this.#lastProgressAt = now;
      this.#unsentBytes = unsent;
      if (now - this.#lastProgressAt >= stuckAfterMs) this.close("stuck");
    }
  }

  /** What its socket holds back, when that is not just the write of a moment ago. */
  heldBytes(slowAfterMs: number): number {
    return this.#state === "waiting" && this.#station.now() - this.#waitingSince >= slowAfterMs ? this.#unsentBytes : 0;
  }

  get waitingSince(): number {
    return this.#waitingSince;
  }

  close(why: Farewell["why"]): void {
    if (this.left) return;
    this.#state = "closing";
    this.#station.closing(this);
    const farewell: Farewell = { why, resumeAfter: this.#position };
    this.#listener.close(this.group.encoding.farewell(farewell), farewell);
  }

  #gather(): { readonly chunks: readonly Buffer[]; readonly missing: boolean } {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    let missing = false;
    while (sizeBytes < WRITE_BYTES && this.#position < this.#station.tail) {
      const next = this.#station.next(this.#position, this.group);
      if (next === undefined) {
        missing = true;
        break;
      }
      this.#position = next.upTo;
      if (next.bytes.length > 0) chunks.push(next.bytes);
      sizeBytes += next.bytes.length;
    }
    if (this.#isLate && this.#position >= this.#head) {
      this.#isLate = false;
      chunks.push(this.group.encoding.heartbeat(this.#position));
    }
    while ((this.#asides[0]?.after ?? Number.POSITIVE_INFINITY) <= this.#position) {
      const aside = this.#asides.shift();
      if (aside !== undefined) chunks.push(aside.bytes);
    }
    return { chunks, missing };
  }

  #send(chunks: readonly Buffer[]): void {
    const room = this.#listener.send(chunks);
    this.#station.sent();
    const now = this.#station.now();
    this.#lastSentAt = now;
    if (room) return;
    this.#state = "waiting";
    this.#waitingSince = now;
    this.#lastProgressAt = now;
    this.#unsentBytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  }
}
