import type { DatabaseSync } from "node:sqlite";
import { Statements } from "../statements.ts";
import type { SearchQuery } from "../views.ts";
import { type SearchDocument, SearchEntries } from "./search-entries.ts";
import { Searcher, type SearchPage } from "./searcher.ts";
import { sessionWord } from "./words.ts";

/** Pages that are merged at a time: a few milliseconds. */
const MERGED_PAGES = 16;
/** Entries for each merge, so that merging keeps pace. */
const ENTRIES_PER_MERGE = 50;

/** Full text in the views' file. Writing happens in the caller's transaction; each call is bounded. */
export class SearchIndex {
  readonly #sql: Statements;
  readonly #entries: SearchEntries;
  readonly #searcher: Searcher;
  #purging = false;

  constructor(db: DatabaseSync) {
    this.#sql = new Statements(db);
    this.#entries = new SearchEntries(this.#sql);
    this.#searcher = new Searcher(this.#sql, this.#entries);
  }

  /** Positions that are there already are replaced. */
  add(documents: readonly SearchDocument[]): void {
    if (documents.length === 0) return;
    this.#entries.add(documents);
    this.#keepPace(documents.length);
  }

  /**
   * Removes some of a session, up to and including a position. Says whether there may be more: call it again, in another turn.
   * Nobody finds them any more; their words leave the file when the index is merged, or when it is purged.
   */
  removeSession(session: number, limit: number, upTo = Number.MAX_SAFE_INTEGER): boolean {
    const rows = this.#sql.all(
      "SELECT rowid FROM search_words WHERE search_words MATCH ? AND rowid <= ? ORDER BY rowid LIMIT ?",
      `"${sessionWord(session)}"`,
      BigInt(upTo),
      limit,
    );
    for (const row of rows) this.#remove(Number(row["rowid"]));
    this.#keepPace(rows.length);
    this.#purging = false;
    return rows.length === limit;
  }

  /** Removes one entry, and its words from the file. Costs more than removing it with its session. */
  removePosition(position: number): void {
    if (this.#entries.read(position) === undefined) return;
    this.#secure(true);
    try {
      this.#remove(position);
    } finally {
      this.#secure(false);
    }
  }

  /** Takes the words of removed entries out of the file, a step at a time. Says whether there is more: call it again, in another turn. */
  purge(): boolean {
    if (!this.#purging) {
      this.#purging = true;
      this.#merge(-MERGED_PAGES);
      return true;
    }
    this.#purging = this.#merge(MERGED_PAGES);
    return this.#purging;
  }

  /** Gives way to others between two looks at the index. Rejects with `WRONG_QUERY` and a hint where there is nothing to look for. */
  search(query: SearchQuery, signal?: AbortSignal): Promise<SearchPage> {
    return this.#searcher.search(query, signal);
  }

  #remove(position: number): void {
    const entry = this.#entries.read(position);
    // Without its text its words cannot be removed. The file is of no use then, and is made anew.
    if (entry === undefined) throw new Error(`The words of position ${position} are without their text.`);
    this.#entries.remove(entry);
  }

  /** Every transaction leaves a piece of index of its own. Too many of them make looking slow, and merging them at once, too. */
  #keepPace(entries: number): void {
    for (let left = Math.ceil(entries / ENTRIES_PER_MERGE); left > 0 && this.#merge(MERGED_PAGES); left--);
  }

  #secure(on: boolean): void {
    // It takes no number that could be a fraction.
    this.#sql.run("INSERT INTO search_words (search_words, rank) VALUES ('secure-delete', ?)", on ? 1n : 0n);
  }

  /** Says whether there was anything to merge: SQLite counts one change for the statement itself. */
  #merge(pages: number): boolean {
    const before = this.#changes();
    this.#sql.run("INSERT INTO search_words (search_words, rank) VALUES ('merge', ?)", pages);
    return this.#changes() - before >= 2;
  }

  #changes(): number {
    return Number(this.#sql.get("SELECT total_changes() AS changes")?.["changes"]);
  }
}
