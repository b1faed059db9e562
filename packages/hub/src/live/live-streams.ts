import { setImmediate as nextTurn } from "node:timers/promises";
import { EarshotError, type Problem } from "@earshot/protocol";
import type { EntryPage, Ledger } from "../ledger/ledger.ts";
import { type Encoding, type LiveFilter, LiveFrame, type ReadyFilter, readyFilter } from "./frames.ts";
import { type LiveListener, LiveStream, NO_BYTES, type Sendable } from "./live-stream.ts";

export interface LiveOptions {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly onFailure: (error: unknown) => void;
  readonly maxListeners: number;
  /** Number of recent frames kept for all listeners, and their maximum text. */
  readonly recentFrames: number;
  readonly recentCharacters: number;
  readonly heartbeatMs: number;
  readonly stuckAfterMs: number;
  /** The maximum that slow listeners' sockets may hold together; above it, the slowest are closed. */
  readonly heldBytes: number;
  /** The maximum delay of a read so that more entries share a write. */
  readonly maxPauseMs: number;
}

export const LIVE_DEFAULTS: LiveOptions = {
  now: () => performance.now(),
  onFailure: () => {},
  maxListeners: 1000,
  recentFrames: 2000,
  recentCharacters: 4 << 20,
  heartbeatMs: 15_000,
  stuckAfterMs: 30_000,
  heldBytes: 64 << 20,
  maxPauseMs: 100,
};

export interface JoinRequest {
  /** Begin after this position; `now`: only new entries. */
  readonly after: number | "now";
  readonly filter: LiveFilter;
  readonly encoding: Encoding;
}

const PAGE_ROWS = 1000;
const HISTORY_PAGE_ROWS = 32;
/** The approximate size of one write, which is the most a stuck listener holds. */
const WRITE_CHARACTERS = 64 * 1024;
const MAX_ENCODED = 64;
const TICK_MS = 1000;

/**
 * Streams the ledger to listeners with their own positions, filters and paces. New entries are read once for all of them into a ring of
 * recent frames; a listener further back reads pages of the ledger. Under load, reads are spaced by a millisecond per listener, which
 * bounds the writes per second.
 */
export class LiveStreams implements AsyncDisposable {
  readonly #ledger: Ledger;
  readonly #options: LiveOptions;
  readonly #streams = new Set<LiveStream>();
  readonly #unfollow: () => void;
  readonly #timer: NodeJS.Timeout;
  /** Frames after `#ringAfter` up to `#tail`, in order. */
  #ring: LiveFrame[] = [];
  #ringAfter = 0;
  #ringCharacters = 0;
  #tail = 0;
  #head = 0;
  /** Encoded since the ring changed, by filter, encoding and position: listeners that keep up share one buffer. */
  readonly #encoded = new Map<string, Sendable>();
  #joining = 0;
  #reading = false;
  #historyRead: Promise<unknown> = Promise.resolve();
  #notBefore = 0;
  #isClosed = false;

  constructor(ledger: Ledger, options: Partial<LiveOptions> = {}) {
    this.#ledger = ledger;
    this.#options = { ...LIVE_DEFAULTS, ...options };
    this.#unfollow = ledger.follow((head) => {
      if (head <= this.#head) this.#forget(); // entries were removed
      this.#head = Math.max(this.#head, head);
      this.#planRead();
    });
    this.#timer = setInterval(() => this.tick(), TICK_MS).unref();
  }

  get listeners(): number {
    return [...this.#streams].filter(({ hasLeft }) => !hasLeft).length;
  }

  /** Whether every stream has everything up to a position. */
  isSettledAt(head: number): boolean {
    return [...this.#streams].every(({ hasLeft, position }) => hasLeft || position >= head);
  }

  get onFailure(): (error: unknown) => void {
    return this.#options.onFailure;
  }

  /** Everything up to here was read for the listeners that keep up. */
  get tail(): number {
    return this.#tail;
  }

  get now(): number {
    return this.#options.now();
  }

  /** Returns the listener's stream, or throws why it gets none. Nothing is sent before `LiveStream.start`. */
  async join(listener: LiveListener, { after, filter, encoding }: JoinRequest): Promise<LiveStream> {
    const { maxListeners } = this.#options;
    if (this.#isClosed) throw problem("TOO_MANY_LISTENERS", "The hub is stopping.");
    if (this.#streams.size + this.#joining >= maxListeners)
      throw problem("TOO_MANY_LISTENERS", `${maxListeners} listeners are connected; there cannot be more.`);
    this.#joining += 1;
    const head = await this.#ledger.head().finally(() => {
      this.#joining -= 1;
    });
    if (this.#isClosed) throw problem("TOO_MANY_LISTENERS", "The hub is stopping.");
    const position = after === "now" ? head : after;
    if (position > head)
      throw problem("WRONG_QUERY", `There is nothing to resume after ${position}: the newest position is ${head}.`, LEDGER_REPLACED);
    if (this.#streams.size === 0) this.#tail = this.#ringAfter = Math.max(this.#tail, head); // nothing is read without a listener
    const stream = new LiveStream(listener, { streams: this, filter: readyFilter(filter), encoding, position, head });
    this.#streams.add(stream);
    this.#planRead();
    return stream;
  }

  /** The entries after a position before the tail. */
  next(position: number, filter: ReadyFilter, encoding: Encoding): Sendable | Promise<Sendable> {
    if (position < this.#ringAfter) return this.#readHistory(position, filter, encoding);
    const key = `${position} ${encoding.name} ${filter.key}`;
    let known = this.#encoded.get(key);
    if (known === undefined) {
      known = gather(this.#ring.slice(indexAfter(this.#ring, position)), this.#tail, { filter, encoding });
      if (this.#encoded.size >= MAX_ENCODED) this.#encoded.clear();
      this.#encoded.set(key, known);
    }
    return known;
  }

  /** Called once a second; in tests, by their own clock. */
  tick(): void {
    for (const stream of this.#streams) stream.tick(this.#options);
    this.#closeSlowest();
    this.#planRead();
  }

  left(stream: LiveStream): void {
    this.#streams.delete(stream);
    if (this.#streams.size === 0) this.#forget();
  }

  /** Sends every listener its resume point. Fulfills when all connections are gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#unfollow();
    clearInterval(this.#timer);
    await Promise.all([...this.#streams].map((stream) => stream.close("stopping")));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #forget(): void {
    this.#ring = [];
    this.#ringCharacters = 0;
    this.#ringAfter = this.#tail;
    this.#encoded.clear();
  }

  #planRead(): void {
    if (this.#reading || !this.#hasNews()) return;
    this.#reading = true;
    const pauseMs = this.#notBefore - this.now;
    const read = () => void this.#readNews();
    if (pauseMs <= 0) setImmediate(read);
    else setTimeout(read, pauseMs).unref();
  }

  #hasNews(): boolean {
    return this.#head > this.#tail && this.#streams.size > 0 && !this.#isClosed;
  }

  async #readNews(): Promise<void> {
    try {
      const [after, head] = [this.#tail, this.#head];
      const page = await this.#ledger.read({ after, limit: PAGE_ROWS });
      // All listeners may have left meanwhile, and new ones may begin at a later position.
      if (this.#tail === after && this.#streams.size > 0) this.#take(page, page.upTo > after ? page.upTo : head);
      this.#notBefore = this.now + Math.min(this.#options.maxPauseMs, this.#streams.size);
    } catch (error) {
      this.#options.onFailure(error); // tried again at the next tick, or when there is more news
      return;
    } finally {
      this.#reading = false;
    }
    this.#planRead();
  }

  #take({ entries }: EntryPage, upTo: number): void {
    this.#encoded.clear();
    for (const entry of entries) this.#ringCharacters += entry.text.length;
    this.#ring.push(...entries.map((entry) => new LiveFrame(entry)));
    this.#tail = upTo;
    const { recentFrames, recentCharacters } = this.#options;
    let gone = 0;
    for (; this.#ring.length - gone > recentFrames || this.#ringCharacters > recentCharacters; gone++) {
      const frame = this.#ring[gone];
      if (frame === undefined) break;
      this.#ringCharacters -= frame.entry.text.length;
      this.#ringAfter = frame.entry.position;
    }
    this.#ring.splice(0, gone);
    for (const stream of this.#streams) stream.wake();
  }

  /** One read per turn of the event loop, so that many resuming listeners do not delay those that keep up. */
  #readHistory(position: number, filter: ReadyFilter, encoding: Encoding): Promise<Sendable> {
    const read = async (): Promise<Sendable> => {
      await nextTurn();
      // Everything was visible before the read: missing entries were filtered or removed.
      const tail = this.#tail;
      const page = await this.#ledger.read({ after: position, limit: HISTORY_PAGE_ROWS, filter: filter.inLedger });
      if (page.upTo <= position) return { bytes: NO_BYTES, upTo: Math.max(position, tail) };
      const frames = page.entries.map((entry) => new LiveFrame(entry));
      return gather(frames, page.upTo, { filter, encoding });
    };
    const result = this.#historyRead.then(read);
    this.#historyRead = result.catch(() => {}); // the stream that asked gets the error
    return result;
  }

  /** A listener that accepts a very recent write is no burden. Of the slow ones, the longest waiting are closed first. */
  #closeSlowest(): void {
    const slow = [...this.#streams].map((stream) => ({ stream, held: stream.heldBytes(TICK_MS) })).filter(({ held }) => held > 0);
    let total = slow.reduce((sum, { held }) => sum + held, 0);
    for (const { stream, held } of slow.toSorted((a, b) => a.stream.fullSince - b.stream.fullSince)) {
      if (total <= this.#options.heldBytes) return;
      void stream.close("crowded");
      total -= held;
    }
  }
}

const LEDGER_REPLACED = "If the ledger was replaced, begin again with after=0, or with after=now.";

/** The frames for one write that pass the filter. */
function gather(
  frames: readonly LiveFrame[],
  end: number,
  { filter, encoding }: { readonly filter: ReadyFilter; readonly encoding: Encoding },
): Sendable {
  const matching: LiveFrame[] = [];
  let characters = 0;
  for (const frame of frames) {
    if (!filter.matches(frame.entry)) continue;
    matching.push(frame);
    characters += frame.entry.text.length;
    if (characters >= WRITE_CHARACTERS) return { bytes: encoding.encode(matching), upTo: frame.entry.position };
  }
  return { bytes: matching.length === 0 ? NO_BYTES : encoding.encode(matching), upTo: end };
}

function indexAfter(ring: readonly LiveFrame[], position: number): number {
  let low = 0;
  let high = ring.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ring[middle]?.entry.position ?? 0) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}

function problem(code: Problem["code"], message: string, hint?: string): EarshotError {
  return new EarshotError({ code, message, ...(hint === undefined ? {} : { hint }) });
}
