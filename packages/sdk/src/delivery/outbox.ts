import { LineQueue, type QueueLimits } from "./line-queue.ts";
import type { Parcel, Platform, Spool } from "./platform.ts";
import { findReceiver, type Receiver, type Sent, TIMEOUT_MS } from "./receiver.ts";

/** Lines in memory; beyond them the spool takes over, or the oldest go. */
const MEMORY: QueueLimits = { lines: 10_000, characters: 8 * 1024 * 1024 };
const BATCH_LINES = 500;
const BATCH_CHARACTERS = 256 * 1024;
/** Between two requests: what is said meanwhile travels together. A listener notices nothing, the agent's processor does. */
const SETTLE_MS = 20;
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 10_000;
const LEFTOVERS_EVERY_MS = 60_000;

export interface Counts {
  readonly emitted: number;
  /** Acknowledged by whoever received them. */
  readonly delivered: number;
  /** Answered as wrong. */
  readonly refused: number;
  /** Sent to an AOP collector that did not answer in time. */
  readonly lost: number;
  /** Given up because memory or the spool was full. */
  readonly dropped: number;
  /** In memory or in the spool, still to be delivered. */
  readonly waiting: number;
  /** Said after the session or the agent had ended. */
  readonly ignored: number;
}

/**
 * Takes lines from the agent and gives them to whoever receives them, in order, one request at a time. The order is
 * always: what is in flight, what is in the spool, what is in memory.
 */
export class Outbox {
  readonly #platform: Platform;
  readonly #spool: Spool | undefined;
  readonly #queue = new LineQueue(MEMORY);
  readonly #idle: (() => void)[] = [];
  #receiver: Receiver | undefined;
  /** Taken from memory and on its way. `place` is where it belongs in the spool if it has to go there. */
  #inFlight: { readonly lines: readonly string[]; readonly place: number | undefined } | undefined;
  #batchLines = BATCH_LINES;
  #failures = 0;
  #mayTry = true;
  #working = false;
  #closed = false;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #leftovers: ReturnType<typeof setInterval> | undefined;
  #emitted = 0;
  #delivered = 0;
  #refused = 0;
  #lost = 0;
  #dropped = 0;
  #ignored = 0;

  constructor(platform: Platform) {
    this.#platform = platform;
    this.#spool = platform.spool;
    this.#spool?.onDropped((lines) => {
      this.#dropped += lines;
    });
  }

  get dropped(): number {
    return this.#dropped;
  }

  get waiting(): number {
    return this.#queue.length + (this.#inFlight?.lines.length ?? 0) + (this.#spool?.waiting ?? 0);
  }

  counts(): Counts {
    return {
      emitted: this.#emitted,
      delivered: this.#delivered,
      refused: this.#refused,
      lost: this.#lost,
      dropped: this.#dropped,
      waiting: this.waiting,
      ignored: this.#ignored,
    };
  }

  ignore(): void {
    this.#ignored++;
  }

  put(line: string): void {
    if (this.#closed) {
      this.#ignored++;
      return;
    }
    this.#emitted++;
    this.#queue.push(line);
    if (this.#queue.isOver) this.prepare();
    this.#wake();
  }

  /** Empties the memory: into the spool, or as far as it must. */
  prepare(): void {
    const { isUsable } = this.#spool ?? {};
    if (isUsable === true) {
      const lines = this.#queue.takeAll();
      if (this.#spool?.writeNow(lines) === true) return;
      this.#queue.unshift(lines);
    }
    this.#dropped += this.#queue.dropOverflow();
  }

  /** Tries to deliver everything now. True when nothing of this process is left. */
  async flush(timeoutMs: number): Promise<boolean> {
    this.#mayTry = true;
    this.#wake();
    if (this.#working) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      // Deliberately keeps the process alive: somebody waits for the answer.
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, timeoutMs);
      });
      await Promise.race([new Promise<void>((resolve) => this.#idle.push(resolve)), timeout]);
      clearTimeout(timer);
    }
    return this.waiting === 0;
  }

  /** At the very end, without waiting: what was not acknowledged goes to the spool, or to the browser to send. */
  leave(): void {
    const { lines = [], place } = this.#inFlight ?? {};
    // A hub recognises what it has already. A collector would keep it twice.
    const again = this.#receiver?.kind === "collector" ? [] : lines;
    const spool = this.#spool;
    if (spool !== undefined) {
      spool.writeNow(again, place);
      spool.writeNow(this.#queue.takeAll());
      spool.release();
    } else if (this.#receiver !== undefined) {
      for (const [body, count] of inBodies([...again, ...this.#queue.takeAll()], this.#receiver)) {
        const isTaken = this.#platform.beacon?.(this.#receiver.url, body, this.#receiver.contentType) === true;
        if (!isTaken) this.#dropped += count;
      }
    }
  }

  async close(timeoutMs: number): Promise<void> {
    await this.flush(timeoutMs);
    this.#closed = true;
    this.leave();
    clearTimeout(this.#retry);
    clearInterval(this.#leftovers);
  }

  #wake(): void {
    if (this.#working || this.#closed) return;
    this.#working = true;
    queueMicrotask(() => void this.#work());
  }

  /** The life of a line: find who receives, deliver, or put aside until somebody does. */
  async #work(): Promise<void> {
    try {
      while (!this.#closed) {
        const receiver = await this.#find();
        if (receiver !== undefined) {
          if (!(await this.#deliverNext(receiver)) && this.#queue.length === 0) break;
        } else {
          if (this.#queue.length === 0 || this.#spool?.isUsable !== true) break;
          await this.#putAside(this.#spool);
        }
        if (this.#queue.length < this.#batchLines) await pause(SETTLE_MS);
      }
    } catch {
      // Everything called here answers instead of throwing; should one throw after all, the next line tries again.
    } finally {
      this.#working = false;
      for (const resolve of this.#idle.splice(0)) resolve();
    }
  }

  async #find(): Promise<Receiver | undefined> {
    if (this.#receiver !== undefined || !this.#mayTry) return this.#receiver;
    this.#mayTry = false;
    this.#receiver = await findReceiver(this.#platform);
    if (this.#receiver === undefined) this.#tryAgainLater();
    else this.#lookForLeftovers();
    return this.#receiver;
  }

  /** False when there is nothing to deliver. */
  async #deliverNext(receiver: Receiver): Promise<boolean> {
    const limit = receiver.kind === "hub" ? this.#batchLines : 1;
    const ours = (await this.#spool?.next(limit)) ?? this.#fromMemory(limit);
    const parcel = ours ?? (await this.#spool?.nextLeftover(limit));
    if (parcel === undefined) return false;
    const sent = await receiver.send(parcel.lines);
    if (ours !== undefined) this.#count(sent);
    if (!this.#closed) await parcel.settle(sent.delivered + sent.refused + sent.lost);
    this.#judge(sent);
    return true;
  }

  #fromMemory(limit: number): Parcel | undefined {
    if (this.#queue.length === 0) return undefined;
    const lines = this.#queue.take({ lines: limit, characters: BATCH_CHARACTERS });
    const place = this.#spool?.reserve();
    this.#inFlight = { lines, place };
    return {
      lines,
      settle: async (done) => {
        const rest = lines.slice(done);
        const isKept = rest.length === 0 || (this.#spool?.isUsable === true && (await this.#spool.write(rest, place)));
        this.#inFlight = undefined;
        if (!isKept) this.#queue.unshift(rest);
      },
    };
  }

  async #putAside(spool: Spool): Promise<void> {
    const lines = this.#queue.takeAll();
    if (await spool.write(lines)) return;
    this.#queue.unshift(lines);
    this.#dropped += this.#queue.dropOverflow();
  }

  #count({ delivered, refused, lost }: Sent): void {
    this.#delivered += delivered;
    this.#refused += refused;
    this.#lost += lost;
  }

  /** Asks less of a receiver that is slow, and looks anew for one that is gone. */
  #judge({ receiver }: Sent): void {
    if (receiver === "there") {
      this.#failures = 0;
      this.#batchLines = Math.min(BATCH_LINES, this.#batchLines * 2);
      return;
    }
    if (receiver === "slow") this.#batchLines = Math.max(1, this.#batchLines >> 2);
    this.#receiver = undefined;
    // At once the first time: a connection that was kept too long fails like this, and the next one does not.
    if (this.#failures === 0 && receiver === "gone") this.#mayTry = true;
    else this.#tryAgainLater();
    this.#failures++;
  }

  #tryAgainLater(): void {
    const delay = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#failures);
    this.#failures++;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      this.#mayTry = true;
      this.#wake();
    }, delay);
    release(this.#retry);
  }

  #lookForLeftovers(): void {
    const spool = this.#spool;
    if (spool === undefined) return;
    spool.lookForLeftovers();
    if (this.#leftovers !== undefined) return;
    this.#leftovers = setInterval(() => {
      spool.lookForLeftovers();
      this.#wake();
    }, LEFTOVERS_EVERY_MS);
    release(this.#leftovers);
  }
}

/** How long the end of a process is held up at most. */
export const LINGER_MS = TIMEOUT_MS;
/** What browsers take for sending after the page is gone. */
const BEACON_CHARACTERS = 20_000;

/** One body for a hub as long as it fits; one per line for a collector. */
function* inBodies(lines: readonly string[], { kind }: Receiver): Generator<readonly [string, number]> {
  let body: string[] = [];
  let size = 0;
  for (const line of lines) {
    if (body.length > 0 && (kind === "collector" || size + line.length > BEACON_CHARACTERS)) {
      yield [`${body.join("\n")}\n`, body.length];
      body = [];
      size = 0;
    }
    body.push(line);
    size += line.length;
  }
  if (body.length > 0) yield [`${body.join("\n")}\n`, body.length];
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => release(setTimeout(resolve, ms)));
}

/** In Node, a timer of ours does not keep the process alive; in browsers nothing does. */
export function release(timer: unknown): void {
  if (typeof timer === "object" && timer !== null && "unref" in timer && typeof timer.unref === "function") timer.unref();
}
