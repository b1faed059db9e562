import { toBeaconBodies } from "./beacon-bodies.ts";
import { LineQueue, type QueueLimits } from "./line-queue.ts";
import type { Parcel, Platform, Spool } from "./platform.ts";
import { type EventReceiver, findReceiver, type SendResult } from "./receiver.ts";
import { Retry } from "./retry.ts";
import { unrefTimer, waitAtMost, waitForMs } from "./timers.ts";

/** Memory limits; beyond them lines go to the spool, or the oldest are dropped. */
const MEMORY: QueueLimits = { lines: 10_000, characters: 8 * 1024 * 1024 };
const BATCH_LINES = 500;
const BATCH_CHARACTERS = 256 * 1024;
/** Pause between two requests, so that events are sent in batches. Saves the agent processor time without a noticeable delay. */
const SETTLE_MS = 20;
const LEFTOVERS_EVERY_MS = 60_000;

export interface Counts {
  readonly emitted: number;
  /** Acknowledged by the receiver. */
  readonly delivered: number;
  /** Rejected as invalid. */
  readonly refused: number;
  /** Sent to an AOP collector that did not answer in time. */
  readonly lost: number;
  /** Dropped because memory or the spool was full. */
  readonly dropped: number;
  /** Waiting in memory or in the spool. */
  readonly waiting: number;
  /** Reported after the session or the agent had ended. */
  readonly ignored: number;
}

/** Delivers the agent's lines to a receiver in order, one request at a time. The order is always: in flight, spool, memory. */
export class Outbox {
  readonly #platform: Platform;
  readonly #spool: Spool | undefined;
  readonly #queue = new LineQueue(MEMORY);
  readonly #retry = new Retry(() => this.#wake());
  readonly #counts = { emitted: 0, delivered: 0, refused: 0, lost: 0, dropped: 0, ignored: 0 };
  readonly #untilIdle: (() => void)[] = [];
  readonly #untilTried: (() => void)[] = [];
  #receiver: EventReceiver | undefined;
  /** Lines taken from memory and being sent. `place` is their position in the spool if they must go there. */
  #inFlight: { readonly lines: readonly string[]; readonly place: number | undefined } | undefined;
  #batchLines = BATCH_LINES;
  #working = false;
  #closed = false;
  #leftovers: ReturnType<typeof setInterval> | undefined;

  constructor(platform: Platform) {
    this.#platform = platform;
    this.#spool = platform.spool;
    this.#spool?.onDropped((lines) => {
      this.#counts.dropped += lines;
    });
  }

  get dropped(): number {
    return this.#counts.dropped;
  }

  get isIdle(): boolean {
    return this.#waiting === 0 && this.#spool?.hasLeftovers !== true;
  }

  counts(): Counts {
    return { ...this.#counts, waiting: this.#waiting };
  }

  /** Whether this many of the first lines are settled. Lines settle in order. */
  hasSettled(lines: number): boolean {
    const { delivered, refused, lost, dropped } = this.#counts;
    return delivered + refused + lost + dropped >= lines;
  }

  ignore(): void {
    this.#counts.ignored++;
  }

  put(line: string): void {
    if (this.#closed) {
      this.#counts.ignored++;
      return;
    }
    this.#counts.emitted++;
    this.#queue.push(line);
    if (this.#queue.isOver) this.prepare();
    this.#wake();
  }

  /** Moves the lines in memory to the spool, dropping what does not fit. */
  prepare(): void {
    if (this.#spool?.isUsable === true) {
      const lines = this.#queue.takeAll();
      if (this.#spool.writeNow(lines)) return;
      this.#queue.unshift(lines);
    }
    this.#counts.dropped += this.#queue.dropOverflow();
  }

  /** Waits until everything is delivered. True when nothing of this process is left. */
  async flush(timeoutMs: number): Promise<boolean> {
    this.#retry.now();
    this.#wake();
    if (this.#working || !this.isIdle) await waitAtMost(timeoutMs, new Promise<void>((resolve) => this.#untilIdle.push(resolve)));
    return this.#waiting === 0;
  }

  /** As `flush`, but stops after the first failed attempt: undelivered lines are safe where they are. */
  async settle(timeoutMs: number): Promise<void> {
    this.#wake();
    if (this.#working) await waitAtMost(timeoutMs, new Promise<void>((resolve) => this.#untilTried.push(resolve)));
  }

  /** Synchronous final step: unacknowledged lines go to the spool or to a browser beacon. */
  leave(): void {
    const { lines = [], place } = this.#inFlight ?? {};
    // A hub recognizes repeated lines; a collector would store them twice.
    const again = this.#receiver?.kind === "collector" ? [] : lines;
    if (this.#spool !== undefined) {
      this.#spool.writeNow(again, place);
      this.#spool.writeNow(this.#queue.takeAll());
      this.#spool.release();
    } else if (this.#receiver !== undefined) {
      const { url, contentType } = this.#receiver;
      for (const { text, lines: count } of toBeaconBodies([...again, ...this.#queue.takeAll()], this.#receiver)) {
        if (this.#platform.beacon?.(url, text, contentType) !== true) this.#counts.dropped += count;
      }
    }
  }

  async close(timeoutMs: number): Promise<void> {
    if (this.#closed) return;
    await this.settle(timeoutMs);
    this.#closed = true;
    this.leave();
    this.#retry.close();
    clearInterval(this.#leftovers);
  }

  get #waiting(): number {
    return this.#queue.length + (this.#inFlight?.lines.length ?? 0) + (this.#spool?.waiting ?? 0);
  }

  #wake(): void {
    if (this.#working || this.#closed) return;
    this.#working = true;
    void this.#work();
  }

  /** The delivery loop: find a receiver, deliver, or spool until there is one. */
  async #work(): Promise<void> {
    try {
      // Lets events of the same turn travel together, after the agent's own requests.
      await waitForMs(0);
      while (!this.#closed) {
        const receiver = await this.#find();
        const spool = this.#spool;
        if (receiver !== undefined) {
          if (!(await this.#deliverNext(receiver)) && this.#queue.length === 0) break;
        } else {
          if (this.#queue.length === 0 || spool?.isUsable !== true) break;
          await this.#putAside(spool);
        }
        if (this.isIdle) this.#tellTried();
        if (this.#queue.length < this.#batchLines && spool?.hasBacklog !== true) await waitForMs(SETTLE_MS);
      }
    } catch {
      // Nothing here should throw; if it does, the next line tries again.
    } finally {
      this.#working = false;
      this.#tellTried();
    }
  }

  #tellTried(): void {
    for (const resolve of this.#untilTried.splice(0)) resolve();
    if (this.isIdle) for (const resolve of this.#untilIdle.splice(0)) resolve();
  }

  async #find(): Promise<EventReceiver | undefined> {
    if (this.#receiver !== undefined || !this.#retry.mayTry) return this.#receiver;
    this.#receiver = await findReceiver(this.#platform);
    if (this.#receiver === undefined) this.#retry.failed();
    else this.#lookForLeftovers();
    return this.#receiver;
  }

  /** False when there is nothing to deliver. */
  async #deliverNext(receiver: EventReceiver): Promise<boolean> {
    const limits = { lines: receiver.kind === "hub" ? this.#batchLines : 1, characters: BATCH_CHARACTERS };
    const ours = (await this.#spool?.next(limits.lines)) ?? this.#fromMemory(limits);
    const parcel = ours ?? (await this.#spool?.nextLeftover(limits.lines));
    if (parcel === undefined) return false;
    const sent = await receiver.send(parcel.lines);
    if (ours !== undefined) this.#count(sent);
    if (!this.#closed) await parcel.settle(sent.delivered + sent.refused + sent.lost);
    this.#judge(sent);
    return true;
  }

  #fromMemory(limits: QueueLimits): Parcel | undefined {
    if (this.#queue.length === 0) return undefined;
    const lines = this.#queue.take(limits);
    const place = this.#spool?.reserve();
    this.#inFlight = { lines, place };
    return {
      lines,
      settle: async (done) => {
        const rest = lines.slice(done);
        this.#inFlight = rest.length === 0 ? undefined : { lines: rest, place };
        if (rest.length === 0) return;
        const isKept = this.#spool?.isUsable === true && (await this.#spool.write(rest, place));
        this.#inFlight = undefined;
        if (!isKept) this.#queue.unshift(rest);
      },
    };
  }

  async #putAside(spool: Spool): Promise<void> {
    const lines = this.#queue.takeAll();
    if (await spool.write(lines)) return;
    this.#queue.unshift(lines);
    this.#counts.dropped += this.#queue.dropOverflow();
  }

  #count({ delivered, refused, lost }: SendResult): void {
    this.#counts.delivered += delivered;
    this.#counts.refused += refused;
    this.#counts.lost += lost;
  }

  /** Sends less to a slow receiver and looks for a new one when it is gone. */
  #judge({ receiver }: SendResult): void {
    if (receiver === "there") {
      this.#retry.succeeded();
      this.#batchLines = Math.min(BATCH_LINES, this.#batchLines * 2);
      return;
    }
    this.#receiver = undefined;
    if (receiver === "gone") {
      this.#retry.failedOnce();
    } else {
      this.#batchLines = Math.max(1, this.#batchLines >> 2);
      this.#retry.failed();
    }
  }

  #lookForLeftovers(): void {
    const spool = this.#spool;
    spool?.lookForLeftovers();
    if (spool === undefined || this.#leftovers !== undefined) return;
    const look = () => {
      spool.lookForLeftovers();
      this.#wake();
    };
    this.#leftovers = unrefTimer(setInterval(look, LEFTOVERS_EVERY_MS));
  }
}
