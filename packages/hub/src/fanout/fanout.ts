import type { Problem } from "@earshot/protocol";
import type { Ledger } from "../ledger/ledger.ts";
import type { Encoding } from "./frames.ts";
import { Groups } from "./group.ts";
import { History } from "./history.ts";
import { type LiveFilter, readyFilter } from "./live-filter.ts";
import { Recent } from "./recent.ts";
import { type Listener, type Station, Subscription } from "./subscription.ts";

export interface FanoutOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Told what went wrong inside, for the log. */
  readonly onFailure: (error: unknown) => void;
  readonly maxListeners: number;
  /** How much of the newest, and of the older that is being read again, is kept at hand. */
  readonly recentBytes: number;
  readonly historyBytes: number;
  readonly heartbeatMs: number;
  readonly stuckAfterMs: number;
  /** What the sockets of slow listeners may hold together. Above that, the slowest are closed. */
  readonly heldBytes: number;
  /** The longest that news wait so that more can go in one write; and how long one write makes the next ones wait. */
  readonly longestPauseMs: number;
  readonly pausePerWriteMs: number;
}

export const FANOUT_DEFAULTS: FanoutOptions = {
  now: () => performance.now(),
  onFailure: () => {},
  maxListeners: 1000,
  recentBytes: 4 << 20,
  historyBytes: 16 << 20,
  heartbeatMs: 15_000,
  stuckAfterMs: 30_000,
  heldBytes: 64 << 20,
  longestPauseMs: 100,
  pausePerWriteMs: 1,
};

export interface JoinRequest {
  /** Hear what follows this position; `now`: only what is not there yet. */
  readonly after: number | "now";
  readonly filter: LiveFilter;
  readonly encoding: Encoding;
}

export type Joining = { readonly ok: true; readonly subscription: Subscription } | { readonly ok: false; readonly problem: Problem };

const PAGE_ROWS = 1000;
const HISTORY_PAGE_ROWS = 200;
/** Pages read before other work gets its turn. */
const PAGES_PER_FLUSH = 8;
const TICK_MS = 1000;

/**
 * Tells listeners what the ledger has, by position: each has its own place, its own filter and its own pace. What is new is
 * read once for all of them and written once per filter and transport; who falls behind reads the ledger instead.
 *
 * A single event goes out at once. Under load, flushes are spaced so that many events share a write: the pause grows with
 * the number of writes that a flush takes, hence the number of writes a second is bounded, however many listen.
 */
export class Fanout implements AsyncDisposable {
  readonly #ledger: Ledger;
  readonly #options: FanoutOptions;
  readonly #recent: Recent;
  readonly #history: History;
  readonly #station: Station;
  readonly #groups = new Groups();
  readonly #subscriptions = new Set<Subscription>();
  readonly #closing = new Set<Subscription>();
  readonly #unfollow: () => void;
  readonly #ticking: NodeJS.Timeout;
  #joining = 0;
  #tail = 0;
  #head = 0;
  #flush: "none" | "planned" | "running" = "none";
  #writes = 0;
  #notBefore = 0;
  #closed = false;
  #allLeft = () => {};

  constructor(ledger: Ledger, options: Partial<FanoutOptions> = {}) {
    this.#ledger = ledger;
    this.#options = { ...FANOUT_DEFAULTS, ...options };
    const { now, onFailure, recentBytes, historyBytes } = this.#options;
    const tail = () => this.#tail;
    this.#recent = new Recent(recentBytes);
    this.#history = new History(ledger, { limitBytes: historyBytes, pageRows: HISTORY_PAGE_ROWS, tail, report: onFailure });
    this.#station = {
      get tail() {
        return tail();
      },
      now,
      next: (position, group) => this.#recent.next(position, group),
      want: (subscription) => this.#history.want(subscription),
      sent: () => {
        this.#writes += 1;
      },
      closing: (subscription) => this.#setAside(subscription),
      left: (subscription) => this.#remove(subscription),
    };
    this.#unfollow = ledger.follow((head) => {
      this.#head = head;
      if (this.#hasNews()) this.#plan();
    });
    this.#ticking = setInterval(() => this.tick(), TICK_MS).unref();
  }

  get listeners(): number {
    return this.#subscriptions.size;
  }

  /** Gives the listener its place. It hears nothing before `Subscription.start`. */
  async join(listener: Listener, { after, filter, encoding }: JoinRequest): Promise<Joining> {
    const { maxListeners } = this.#options;
    if (this.#closed) return refuse("TOO_MANY_LISTENERS", "The hub is stopping.");
    if (this.#subscriptions.size + this.#closing.size + this.#joining >= maxListeners)
      return refuse("TOO_MANY_LISTENERS", `${maxListeners} listeners are connected; there cannot be more.`);
    this.#joining += 1;
    const head = await this.#ledger.head().finally(() => {
      this.#joining -= 1;
    });
    if (this.#closed) return refuse("TOO_MANY_LISTENERS", "The hub is stopping.");
    const position = after === "now" ? head : after;
    if (position > head)
      return refuse("WRONG_QUERY", `There is nothing to resume after ${position}: the newest position is ${head}.`, LEDGER_OF_ANOTHER_TIME);
    // While nobody listened, nothing was read: those who keep up begin here.
    if (this.#subscriptions.size === 0) this.#tail = Math.max(this.#tail, head);
    const group = this.#groups.enter(readyFilter(filter), encoding);
    const subscription = new Subscription(listener, group, { station: this.#station, position, head });
    this.#subscriptions.add(subscription);
    if (this.#hasNews()) this.#plan();
    return { ok: true, subscription };
  }

  /** Drops what is kept at hand: to be called when entries were removed from the ledger. */
  forget(): void {
    this.#recent.clear();
    this.#history.clear();
  }

  /** Called once a second; in tests, when their clock says so. */
  tick(): void {
    for (const subscription of this.#subscriptions) subscription.tick(this.#options);
    this.#makeRoom();
    if (this.#history.isIdle) this.#history.clear();
    if (this.#hasNews()) this.#plan();
  }

  /** Says goodbye to everybody, with the position to resume from. Fulfils when all connections are gone. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#unfollow();
    clearInterval(this.#ticking);
    for (const subscription of this.#subscriptions) subscription.close("stopping");
    if (this.#closing.size === 0) return;
    const before = this.#allLeft;
    await new Promise<void>((resolve) => {
      this.#allLeft = () => {
        before();
        resolve();
      };
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #plan(): void {
    if (this.#flush !== "none" || this.#closed) return;
    this.#flush = "planned";
    const pauseMs = this.#notBefore - this.#options.now();
    const run = () => void this.#run();
    if (pauseMs <= 0) setImmediate(run);
    else setTimeout(run, pauseMs).unref();
  }

  async #run(): Promise<void> {
    this.#flush = "running";
    this.#writes = 0;
    try {
      for (let pages = 0; pages < PAGES_PER_FLUSH && this.#hasNews(); pages++) await this.#readOn();
    } catch (error) {
      // Tried again at the next tick, or when there is more news.
      this.#options.onFailure(error);
      return;
    } finally {
      const { now, longestPauseMs, pausePerWriteMs } = this.#options;
      this.#flush = "none";
      this.#notBefore = now() + Math.min(longestPauseMs, this.#writes * pausePerWriteMs);
    }
    if (this.#hasNews()) this.#plan();
  }

  #hasNews(): boolean {
    return this.#head > this.#tail && this.#subscriptions.size > 0 && !this.#closed;
  }

  async #readOn(): Promise<void> {
    const after = this.#tail;
    const head = this.#head;
    const page = await this.#ledger.read({ after, limit: PAGE_ROWS });
    // Nobody listens any more; or all left and others came, while the page was read: they begin further on.
    if (this.#subscriptions.size === 0 || this.#tail !== after) return;
    if (page.upTo > after) this.#recent.add(after, page);
    // What was there and is not shown any more has been removed.
    this.#tail = page.upTo > after ? page.upTo : head;
    for (const subscription of this.#subscriptions) subscription.pump();
    this.#recent.settle(this.#subscriptions);
  }

  /** A listener that takes a write of a moment ago is no burden. The slow ones are, together: the longest waiting go first. */
  #makeRoom(): void {
    const slow = [...this.#subscriptions].map((one) => ({ one, held: one.heldBytes(TICK_MS) })).filter(({ held }) => held > 0);
    let total = slow.reduce((sum, { held }) => sum + held, 0);
    for (const { one, held } of slow.toSorted((a, b) => a.one.waitingSince - b.one.waitingSince)) {
      if (total <= this.#options.heldBytes) return;
      one.close("crowded");
      total -= held;
    }
  }

  #setAside(subscription: Subscription): void {
    this.#subscriptions.delete(subscription);
    this.#closing.add(subscription);
  }

  #remove(subscription: Subscription): void {
    this.#subscriptions.delete(subscription);
    this.#closing.delete(subscription);
    this.#groups.leave(subscription.group);
    if (this.#subscriptions.size === 0) this.forget();
    if (this.#subscriptions.size + this.#closing.size === 0) this.#allLeft();
  }
}

const LEDGER_OF_ANOTHER_TIME = "If the ledger was replaced, begin again with after=0, or with after=now.";

function refuse(code: Problem["code"], message: string, hint?: string): Joining {
  return { ok: false, problem: { code, message, ...(hint === undefined ? {} : { hint }) } };
}
