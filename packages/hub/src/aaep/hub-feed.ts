import { setImmediate as nextTurn } from "node:timers/promises";
import type { Feed, FeedPage, SessionSummaryState } from "@earshot/aaep";
import type { Ledger } from "../ledger/ledger.ts";
import { ownEventId, ownPosition, parseEntryText, type ServedEntries } from "./served-entries.ts";
import type { RunningSessions } from "./sessions-now.ts";

export interface HubFeedPorts {
  readonly ledger: Pick<Ledger, "read" | "head" | "follow">;
  readonly served: ServedEntries;
  readonly sessions: RunningSessions;
  readonly secret: string;
}

/**
 * The ledger as AAEP subscribers read it. Positions are the ledger's, so a place in the feed survives a restart; recent entries are
 * cached by the ledger itself.
 */
export class HubFeed implements Feed, Disposable {
  readonly #ports: HubFeedPorts;
  readonly #index: EventIndex;
  readonly #wakes = new Set<() => void>();
  readonly #forgetters = new Set<() => void>();
  readonly #unfollow: () => void;
  #head: number;
  #readUpTo: number;

  private constructor(ports: HubFeedPorts, head: number) {
    this.#ports = ports;
    this.#head = head;
    this.#readUpTo = head;
    this.#index = new EventIndex(ports.ledger);
    this.#unfollow = ports.ledger.follow((position) => {
      if (position <= this.#head) this.#forget(); // entries were removed
      this.#head = Math.max(this.#head, position);
      for (const wake of [...this.#wakes]) wake();
    });
  }

  static async open(ports: HubFeedPorts): Promise<HubFeed> {
    return new HubFeed(ports, await ports.ledger.head());
  }

  head(): number {
    return this.#head;
  }

  onMore(wake: () => void): () => void {
    const call = () => wake(); // the same function may be given twice
    this.#wakes.add(call);
    return () => this.#wakes.delete(call);
  }

  /** Called when entries were removed from the ledger, so that cached copies are dropped. */
  onRemoved(forget: () => void): void {
    this.#forgetters.add(forget);
  }

  async read(after: number, limit: number): Promise<FeedPage> {
    const { ledger, served, sessions } = this.#ports;
    const head = this.#head;
    const page = await ledger.read({ after, limit, filter: { protocol: ["aaep"] } });
    const heard = await served.of(page.entries);
    for (const one of heard) if (one.position > this.#readUpTo) sessions.handle(one);
    // Entries that are no longer returned were removed.
    const upTo = page.upTo > after ? page.upTo : Math.max(after, head);
    this.#readUpTo = Math.max(this.#readUpTo, upTo);
    return { heard, upTo, missed: after + 1 < (await this.#firstKept()) };
  }

  async find(eventId: string): Promise<number | undefined> {
    const own = ownPosition(eventId, this.#ports.secret);
    if (own !== undefined) return own <= this.#head ? own : undefined;
    return this.#index.find(eventId);
  }

  idAt(position: number): string {
    return ownEventId(position, this.#ports.secret);
  }

  running(): Promise<readonly SessionSummaryState[]> {
    return this.#ports.sessions.list();
  }

  [Symbol.dispose](): void {
    this.#unfollow();
    this.#wakes.clear();
    this.#index[Symbol.dispose]();
  }

  #forget(): void {
    this.#index.forget();
    for (const forget of this.#forgetters) forget();
  }

  async #firstKept(): Promise<number> {
    const [oldest] = (await this.#ports.ledger.read({ after: 0, limit: 1 })).entries;
    return oldest?.position ?? 0;
  }
}

export interface EventIndexOptions {
  /** How far back ids are known, in positions. */
  readonly positions: number;
  /** Dropped when unused for this long. */
  readonly keptMs: number;
}

const PAGE_ROWS = 500;
export const EVENT_INDEX: EventIndexOptions = { positions: 100_000, keptMs: 30_000 };

/**
 * Positions of events by id, for resuming. The ledger knows ids only together with source and agent, so recent entries are scanned on
 * demand, once for all subscribers that reconnect together, in turns with other work.
 *
 * Two agents may use the same id. The first one counts: a repeated event is recognized, a skipped one is lost.
 */
export class EventIndex implements Disposable {
  readonly #ledger: Pick<Ledger, "read" | "head">;
  readonly #options: EventIndexOptions;
  #positions = new Map<string, number>();
  #upTo: number | undefined;
  #looking: Promise<void> = Promise.resolve();
  #forgetting: NodeJS.Timeout | undefined;

  constructor(ledger: Pick<Ledger, "read" | "head">, options: EventIndexOptions = EVENT_INDEX) {
    this.#ledger = ledger;
    this.#options = options;
  }

  async find(eventId: string): Promise<number | undefined> {
    clearTimeout(this.#forgetting);
    // One scan after the other, whatever the result of the previous one.
    this.#looking = this.#looking.then(
      () => this.#readOn(),
      () => this.#readOn(),
    );
    await this.#looking;
    const found = this.#positions.get(eventId);
    this.#forgetting = setTimeout(() => this.forget(), this.#options.keptMs).unref();
    return found;
  }

  forget(): void {
    clearTimeout(this.#forgetting);
    this.#positions = new Map();
    this.#upTo = undefined;
  }

  [Symbol.dispose](): void {
    this.forget();
  }

  async #readOn(): Promise<void> {
    const head = await this.#ledger.head();
    const positions = this.#positions;
    let after = this.#upTo ?? Math.max(0, head - this.#options.positions);
    while (after < head) {
      const page = await this.#ledger.read({ after, limit: PAGE_ROWS, filter: { protocol: ["aaep"] } });
      for (const entry of page.entries) {
        const id = entry.kind === "event" ? parseEntryText(entry)["event_id"] : undefined;
        if (typeof id === "string" && !positions.has(id)) positions.set(id, entry.position);
      }
      if (page.upTo === after) break;
      after = page.upTo;
      await nextTurn();
    }
    if (positions === this.#positions) this.#upTo = after; // unless all was forgotten meanwhile
  }
}
