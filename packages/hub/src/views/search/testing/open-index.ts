import { DatabaseSync } from "node:sqlite";
import type { SearchQuery } from "../../views.ts";
import { type FoundEntry, SEARCH_TABLES, type SearchDocument, SearchIndex } from "../search-index.ts";
import type { SearchField } from "../search-texts.ts";

export const INDEX_START_MS = Date.UTC(2026, 2, 1, 10);

export interface TestIndex extends Disposable {
  readonly db: DatabaseSync;
  readonly index: SearchIndex;
  add(...documents: readonly SearchDocument[]): void;
  transaction<Result>(work: () => Result): Result;
  all(query: string | SearchQuery): Promise<readonly FoundEntry[]>;
  positions(query: string | SearchQuery): Promise<readonly number[]>;
}

/** The tables as the views open them, in a file or in memory. A search has time, so that pages do not depend on the machine. */
export function openIndex(path = ":memory:", maxSearchMs = Number.POSITIVE_INFINITY): TestIndex {
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON; ${SEARCH_TABLES}`);
  const index = new SearchIndex(db, maxSearchMs);
  const transaction = <Result>(work: () => Result): Result => {
    db.exec("BEGIN");
    const result = work();
    db.exec("COMMIT");
    return result;
  };
  const all = async (query: string | SearchQuery): Promise<readonly FoundEntry[]> => {
    const items: FoundEntry[] = [];
    let page = index.search(typeof query === "string" ? { text: query, limit: 100 } : query);
    items.push(...page.items);
    while (page.next !== undefined) {
      page = index.search({ ...(typeof query === "string" ? { text: query, limit: 100 } : query), after: page.next });
      items.push(...page.items);
    }
    return items;
  };
  return {
    db,
    index,
    add: (...documents) => transaction(() => index.add(documents)),
    transaction,
    all,
    positions: async (query) => (await all(query)).map(({ position }) => position),
    [Symbol.dispose]: () => db.close(),
  };
}

export interface IndexedOptions {
  readonly session?: number;
  readonly agent?: string;
  readonly type?: string;
  readonly receivedAt?: number;
  readonly field?: SearchField;
}

/** One entry with one or several texts. */
export function searchDocument(position: number, texts: string | readonly string[], said: IndexedOptions = {}): SearchDocument {
  const { session = 1, agent = "agent", type = "some.type", receivedAt = INDEX_START_MS + position * 1000, field = "thought" } = said;
  const all = typeof texts === "string" ? [texts] : texts;
  return { position, session, agent, type, receivedAt, texts: all.map((text) => ({ field, text })) };
}
