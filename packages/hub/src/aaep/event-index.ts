import { setImmediate as nextTurn } from "node:timers/promises";
import type { Ledger } from "../ledger/ledger.ts";
import { valueIn } from "./served-entries.ts";

export interface EventIndexOptions {
  /** How far back ids are known, in positions. */
  readonly positions: number;
  /** It is let go of when nobody has asked for so long. */
  readonly keptMs: number;
}

const PAGE_ROWS = 500;
export const EVENT_INDEX: EventIndexOptions = { positions: 100_000, keptMs: 30_000 };

/**
 * Where events are, by their ids: for those who resume. The ledger knows ids only together with their source and agent. Hence
 * the newest entries are looked through when somebody asks, once for all who come back at the same time, and in turns with
 * other work.
 *
 * Two agents may have used the same id. The first one counts: what is delivered twice is recognised, what is skipped is lost.
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
    // One after the other, whatever became of the one before.
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
        const id = entry.kind === "event" ? valueIn(entry)["event_id"] : undefined;
        if (typeof id === "string" && !positions.has(id)) positions.set(id, entry.position);
      }
      if (page.upTo === after) break;
      after = page.upTo;
      await nextTurn();
    }
    if (positions === this.#positions) this.#upTo = after; // unless all was forgotten meanwhile
  }
}
