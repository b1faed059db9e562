import type { Feed, FeedPage } from "../feed.ts";
import type { Recent } from "./recent.ts";

export interface PumpPorts {
  readonly feed: Feed;
  readonly recent: Recent;
  /** Where the hindmost of those who listen stands; undefined when nobody does. */
  readonly hindmost: () => number | undefined;
  /** Hands round what was read, from a position on. */
  readonly handRound: (page: FeedPage, from: number) => void;
  readonly after: (ms: number, call: () => void) => () => void;
  readonly onFailure: (error: unknown) => void;
}

/** How many events are read at once: few, so that what is critical among them is soon with everybody. */
const PAGE = 64;
const RETRY_MS = 1000;

/** Reads a feed once for all who are up to date, as long as there is more and somebody listens. */
export class Pump {
  readonly #ports: PumpPorts;
  readonly #stopListening: () => void;
  #isRunning = false;
  #hasMore = false;
  #isClosed = false;

  constructor(ports: PumpPorts) {
    this.#ports = ports;
    this.#stopListening = ports.feed.onMore(() => this.wake());
  }

  /** There may be more, or somebody who listens. */
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

  /** With nobody who listens nothing is read, and what everybody is past is not read for them. */
  #mayRead(): boolean {
    const { feed, recent, hindmost } = this.#ports;
    const first = hindmost();
    if (first === undefined || this.#isClosed) return false;
    if (first > recent.upTo) recent.restart(first);
    return recent.upTo < feed.head();
  }
}
