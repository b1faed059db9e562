import type { StoredHistory } from "../ledger/sqlite/stored-history.ts";
import type { Request } from "../request.ts";
import { ASKS, AskJoin, HEARD_TYPES } from "./ask-join.ts";
import type { PastAsk } from "./past-ask.ts";

export interface PastOptions {
  /** Only what was recorded after this position. */
  readonly from?: number;
  /** Only what was received since then; milliseconds. */
  readonly since?: number;
  readonly session?: string;
  /** Told now and then how far it is, from 0 to 1. */
  readonly onProgress?: (part: number) => void;
  /** Ends it early: throws its reason. */
  readonly signal?: AbortSignal;
}

const PAGE = 1000;
/** So many positions are looked at in one step, when the beginning of the last asks is looked for. */
const STEP = 20_000;

/**
 * What was asked, with what became of it, from a ledger. In one pass, and in bounded memory.
 */
export async function* readPastAsks(history: StoredHistory, options: PastOptions): AsyncGenerator<PastAsk> {
  const { from = 0, since = 0, session, onProgress, signal } = options;
  const head = history.head();
  const requests = new RequestCursor(history, from);
  const join = new AskJoin();
  const filter = { type: HEARD_TYPES, ...(session === undefined ? {} : { session }) };
  for (let after = from; after < head; ) {
    const { entries, upTo } = history.read({ after, limit: PAGE, filter });
    for (const entry of entries) {
      if (entry.receivedAt < since) continue;
      const ended = join.hear(entry, entry.kind === "event" ? requests.at(entry.position) : undefined);
      if (ended !== undefined) yield ended;
    }
    if (upTo === after) break;
    after = upTo;
    onProgress?.((after - from) / (head - from));
    await new Promise((resolve) => setImmediate(resolve)); // whoever interrupts is heard
    signal?.throwIfAborted();
  }
  yield* join.rest();
}

/**
 * After which position the last so many were asked, looking back at no more than so many positions; 0 when that is everything. An
 * action that is shown twice counts twice here.
 */
export async function findBeginning(
  history: StoredHistory,
  { asks, lookedAt, signal }: { readonly asks: number; readonly lookedAt: number; readonly signal?: AbortSignal },
): Promise<number> {
  const head = history.head();
  const earliest = Math.max(0, head - lookedAt);
  let found = 0;
  for (let upTo = head; upTo > earliest; upTo -= STEP) {
    const after = Math.max(earliest, upTo - STEP);
    const positions = history.lastOf({ after, upTo, types: ASKS, limit: asks - found });
    found += positions.length;
    if (found >= asks) return (positions.at(-1) ?? upTo) - 1;
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
  }
  return earliest;
}

/** Walks along the requests in the order of the entries that opened them. */
class RequestCursor {
  readonly #history: StoredHistory;
  #page: readonly Request[] = [];
  #next = 0;
  #after: number;
  #isEnd = false;

  constructor(history: StoredHistory, after: number) {
    this.#history = history;
    this.#after = after;
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
