import type { Feed, FeedPage, SessionNow } from "@earshot/aaep";
import type { Ledger } from "../ledger/ledger.ts";
import { EventIndex } from "./event-index.ts";
import { ownEventId, ownPosition } from "./own-event-id.ts";
import type { ServedEntries } from "./served-entries.ts";
import type { SessionsNow } from "./sessions-now.ts";

export interface HubFeedPorts {
  readonly ledger: Pick<Ledger, "read" | "head" | "follow">;
  readonly served: ServedEntries;
  readonly sessions: SessionsNow;
  readonly secret: string;
}

/**
 * The ledger as AAEP's subscribers read it. Positions are the ledger's own, so that a place in the feed outlives the hub; the
 * newest entries are at hand in the ledger itself, as they were read.
 */
export class HubFeed implements Feed, Disposable {
  readonly #ports: HubFeedPorts;
  readonly #index: EventIndex;
  readonly #wakes = new Set<() => void>();
  readonly #forgetters = new Set<() => void>();
  readonly #unfollow: () => void;
  #head: number;
  #heardUpTo: number;

  private constructor(ports: HubFeedPorts, head: number) {
    this.#ports = ports;
    this.#head = head;
    this.#heardUpTo = head;
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

  /** Calls back when entries were removed from the ledger: whoever keeps copies of what was read drops them. */
  onRemoved(forget: () => void): void {
    this.#forgetters.add(forget);
  }

  async read(after: number, limit: number): Promise<FeedPage> {
    const { ledger, served, sessions } = this.#ports;
    const head = this.#head;
    const page = await ledger.read({ after, limit, filter: { protocol: ["aaep"] } });
    const heard = await served.of(page.entries);
    for (const one of heard) if (one.position > this.#heardUpTo) sessions.hear(one);
    // What was there and is not shown any more has been removed.
    const upTo = page.upTo > after ? page.upTo : Math.max(after, head);
    this.#heardUpTo = Math.max(this.#heardUpTo, upTo);
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

  running(): Promise<readonly SessionNow[]> {
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
