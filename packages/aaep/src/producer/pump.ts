import type { Feed, FeedEvent, FeedPage } from "../feed.ts";

interface PumpPorts {
  readonly feed: Feed;
  readonly recent: RecentEvents;
  /** The lowest position of the active listeners; undefined without any. */
  readonly hindmost: () => number | undefined;
  /** Distributes a page that was read from a position. */
  readonly handRound: (page: FeedPage, from: number) => void;
  readonly after: (ms: number, call: () => void) => () => void;
  readonly onFailure: (error: unknown) => void;
}

/** Events per read: few, so that critical ones among them reach everyone soon. */
const PAGE = 64;
const RETRY_MS = 1000;

/** Reads a feed once for all subscribers that are up to date, while there is more and anyone listens. */
export class FeedPump {
  readonly #ports: PumpPorts;
  readonly #stopListening: () => void;
  #isRunning = false;
  #hasMore = false;
  #isClosed = false;

  constructor(ports: PumpPorts) {
    this.#ports = ports;
    this.#stopListening = ports.feed.onMore(() => this.wake());
  }

  /** There may be more events or a listener. */
  wake(): void {
    this.#hasMore = true;
    if (!this.#isRunning && !this.#isClosed) void this.#run();
  }

  close(): void {
    this.#isClosed = true;
    this.#stopListening();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    const { feed, recent, handRound, after, onFailure } = this.#ports;
    try {
      while (this.#hasMore) {
        this.#hasMore = false;
        while (this.#mayRead()) {
          const from = recent.upTo;
          const page = await feed.read(from, PAGE);
          if (this.#isClosed) return;
          recent.push(page);
          handRound(page, from);
          if (page.upTo <= from) break;
        }
      }
    } catch (error) {
      onFailure(error);
      after(RETRY_MS, () => this.wake());
    } finally {
      this.#isRunning = false;
    }
  }

  /** Nothing is read without listeners, or at positions all of them have passed. */
  #mayRead(): boolean {
    const { feed, recent, hindmost } = this.#ports;
    const first = hindmost();
    if (first === undefined || this.#isClosed) return false;
    if (first > recent.upTo) recent.restart(first);
    return recent.upTo < feed.head();
  }
}

const MAX_EVENTS = 4096;
const MAX_CHARACTERS = 8 << 20;

/** A bounded cache of recent events for subscriptions that are slightly behind. */
export class RecentEvents {
  #events: FeedEvent[] = [];
  #characters = 0;
  /** The cache holds everything after this position. */
  #after: number;
  #upTo: number;

  constructor(position: number) {
    this.#after = position;
    this.#upTo = position;
  }

  get upTo(): number {
    return this.#upTo;
  }

  push({ heard, upTo, missed }: FeedPage): void {
    if (missed) this.restart(this.#upTo);
    for (const one of heard) {
      this.#events.push(one);
      this.#characters += one.text.length;
    }
    this.#upTo = upTo;
    if (missed) this.#after = (heard[0]?.position ?? upTo + 1) - 1;
    if (this.#events.length > MAX_EVENTS * 1.25 || this.#characters > MAX_CHARACTERS) this.#trim();
  }

  /** Empties the cache and continues from a position. */
  restart(position: number): void {
    this.#events = [];
    this.#characters = 0;
    this.#after = position;
    this.#upTo = position;
  }

  /** The events after a position; undefined if some are missing here. */
  read(after: number, limit: number): FeedPage | undefined {
    if (after < this.#after || after > this.#upTo) return undefined;
    const start = this.#firstAfter(after);
    const heard = this.#events.slice(start, start + limit);
    const isRest = start + heard.length === this.#events.length;
    return { heard, upTo: isRest ? this.#upTo : (heard.at(-1)?.position ?? after), missed: false };
  }

  #firstAfter(position: number): number {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle]?.position ?? Number.POSITIVE_INFINITY) <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #trim(): void {
    let drop = Math.max(0, this.#events.length - MAX_EVENTS);
    for (let index = 0; index < drop; index++) this.#characters -= this.#events[index]?.text.length ?? 0;
    while (this.#characters > MAX_CHARACTERS * 0.75 && drop < this.#events.length) {
      this.#characters -= this.#events[drop]?.text.length ?? 0;
      drop++;
    }
    this.#after = this.#events[drop - 1]?.position ?? this.#after;
    this.#events.splice(0, drop);
  }
}
