import type { Request, StoredHistory } from "@earshot/hub";
import { AskJoin, HEARD_TYPES } from "./ask-join.ts";
import type { PastAsk } from "./past-ask.ts";

export interface PastOptions {
  /** Only what was received since then; milliseconds. */
  readonly since?: number;
  readonly session?: string;
  /** Told now and then how far it is, from 0 to 1. */
  readonly onProgress?: (part: number) => void;
}

const PAGE = 1000;

/**
 * What was asked, with what became of it, from a ledger. In one pass, and in bounded memory.
 */
export async function* readPastAsks(history: StoredHistory, { since = 0, session, onProgress }: PastOptions): AsyncGenerator<PastAsk> {
  const head = history.head();
  const requests = new RequestCursor(history);
  const join = new AskJoin();
  const filter = { type: HEARD_TYPES, ...(session === undefined ? {} : { session }) };
  for (let after = 0; after < head; ) {
    const { entries, upTo } = history.read({ after, limit: PAGE, filter });
    for (const entry of entries) {
      if (entry.receivedAt < since) continue;
      const ended = join.hear(entry, entry.kind === "event" ? requests.at(entry.position) : undefined);
      if (ended !== undefined) yield ended;
    }
    if (upTo === after) break;
    after = upTo;
    onProgress?.(after / head);
    await new Promise((resolve) => setImmediate(resolve)); // whoever interrupts is heard
  }
  yield* join.rest();
}

/** Walks along the requests in the order of the entries that opened them. */
class RequestCursor {
  readonly #history: StoredHistory;
  #page: readonly Request[] = [];
  #next = 0;
  #after = 0;
  #isEnd = false;

  constructor(history: StoredHistory) {
    this.#history = history;
  }

  /** The request that the entry at this position opened. Positions are asked for in order. */
  at(position: number): Request | undefined {
    for (;;) {
      const request = this.#page[this.#next];
      if (request === undefined) {
        if (this.#isEnd) return undefined;
        this.#page = this.#history.requests({ after: this.#after, limit: PAGE });
        this.#next = 0;
        this.#after = this.#page.at(-1)?.position ?? this.#after;
        this.#isEnd = this.#page.length < PAGE;
        if (this.#page.length === 0) return undefined;
      } else if (request.position < position) this.#next++;
      else return request.position === position ? request : undefined;
    }
  }
}
