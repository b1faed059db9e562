import { setImmediate as nextTurn } from "node:timers/promises";
import type { Statements } from "../statements.ts";
import type { Listed, SearchHit, SearchQuery } from "../views.ts";
import type { SearchEntries } from "./search-entries.ts";
import { type MatchExpression, readSearchText, refuse, toMatchExpression } from "./search-query.ts";
import { type FoldedWanted, foldWanted, relevanceOf, toSnippet } from "./snippet.ts";
import { sessionWord } from "./words.ts";

/** Where to look, and how many to find. */
export interface Hunt {
  readonly expression: MatchExpression;
  readonly low: number;
  readonly high: number;
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
  /** Says whether an entry that has the words is a hit. */
  readonly accept: (position: number) => boolean;
  /** When to give up. */
  readonly mostMs?: number;
}

export interface Found {
  /** Newest first. */
  readonly positions: readonly number[];
  /** Everything from here on has been looked at: go on below it. Undefined when all has. */
  readonly reached: number | undefined;
  /** It was ended because it took too long. */
  readonly cut: boolean;
}

/** How many positions are looked through at once. Words that never meet are looked for in vain in all of them. */
const FIRST_SPAN = 16_384;
const SPAN_GROWTH = 8;
/** A look that took less is followed by a wider one. */
const QUICK_MS = 2;
const MOST_MS = 100;
const AT_ONCE = 256;

/**
 * Looks through the index from the newest entry to the oldest, a range of positions after the other, and lets others work in
 * between. What can be looked for in vain for long is given up after a while, with a place to go on from.
 */
export async function findHits(sql: Statements, hunt: Hunt): Promise<Found> {
  const { expression, low, limit, signal, mostMs = MOST_MS } = hunt;
  const positions: number[] = [];
  let span = expression.isDirect ? Number.MAX_SAFE_INTEGER : FIRST_SPAN;
  const began = performance.now();
  for (let high = hunt.high; high >= low; ) {
    const from = Math.max(low, high - span + 1);
    const lookedAt = performance.now();
    const rows = look(sql, expression.match, from, high);
    for (const position of rows) {
      if (hunt.accept(position)) positions.push(position);
      if (positions.length >= limit) return { positions, reached: position, cut: false };
    }
    const now = performance.now();
    high = rows.length === AT_ONCE ? (rows.at(-1) ?? from) - 1 : from - 1;
    if (now - lookedAt < QUICK_MS) span *= SPAN_GROWTH;
    if (high < low) break;
    if (now - began > mostMs) return { positions, reached: high + 1, cut: true };
    await nextTurn();
    signal?.throwIfAborted();
  }
  return { positions, reached: undefined, cut: false };
}

function look(sql: Statements, match: string, low: number, high: number): readonly number[] {
  return sql
    .all(
      "SELECT rowid FROM search_words WHERE search_words MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?",
      match,
      // Any other number is bound as a real one, by which the index cannot seek: it would read everything newer first.
      BigInt(low),
      BigInt(high),
      AT_ONCE,
    )
    .map((row) => Number(row["rowid"]));
}

/** A hit without what its session knows of itself. */
export type FoundEntry = Omit<SearchHit, "sessionId" | "protocol">;

export interface SearchPage extends Listed<FoundEntry> {
  /**
   * Not everything was looked at that could have been: the search took too long, or only the newest matches were put in order of
   * relevance. There may be fewer items than asked for, or none; where there is a `next`, it goes on from there.
   */
  readonly cut: boolean;
}

const MOST_HITS = 500;
/** How many matches are put in order of relevance, and how much text is read for it. */
const MOST_COMPARED = 2000;
const MOST_COMPARED_CHARACTERS = 2_000_000;
const COMPARED_AT_ONCE = 100;

/** Answers what people look for, a page at a time. */
export class Searcher {
  readonly #sql: Statements;
  readonly #entries: SearchEntries;

  constructor(sql: Statements, entries: SearchEntries) {
    this.#sql = sql;
    this.#entries = entries;
  }

  /** Gives way to others between two looks at the index. Rejects with `WRONG_QUERY` and a hint where there is nothing to look for. */
  async search(query: SearchQuery, signal?: AbortSignal): Promise<SearchPage> {
    const words = readSearchText(query.text);
    const wanted = words.required.map(foldWanted);
    const [low, high] = this.#range(query);
    const accept = (position: number) => this.#isMeant(position, query);
    const hunt = { expression: toMatchExpression(words, query, this.#sql), low, high, accept, signal };
    return query.order === "relevance" ? this.#mostRelevant(query, hunt, wanted) : this.#newest(query, hunt, wanted);
  }

  async #newest({ after, limit }: SearchQuery, hunt: Omit<Hunt, "limit">, wanted: readonly FoldedWanted[]): Promise<SearchPage> {
    const before = after === undefined ? undefined : readCursor(after, /^(\d{1,16})$/)[0];
    const high = before === undefined ? hunt.high : Math.min(hunt.high, before - 1);
    const found = await findHits(this.#sql, { ...hunt, high, limit: bounded(limit) });
    const items = found.positions.flatMap((position) => this.#toHit(position, wanted));
    return { items, ...(found.reached === undefined ? {} : { next: String(found.reached) }), cut: found.cut };
  }

  /** The newest matches are put in order; those that came later than the first page was made do not change it. */
  async #mostRelevant(query: SearchQuery, hunt: Omit<Hunt, "limit">, wanted: readonly FoldedWanted[]): Promise<SearchPage> {
    const [top = hunt.high, skip = 0] = query.after === undefined ? [] : readCursor(query.after, /^(\d{1,16})_(\d{1,6})$/);
    const found = await findHits(this.#sql, { ...hunt, high: Math.min(hunt.high, top), limit: MOST_COMPARED });
    const scored: { readonly position: number; readonly score: number }[] = [];
    let characters = 0;
    for (const [index, position] of found.positions.entries()) {
      if (characters > MOST_COMPARED_CHARACTERS) break;
      if (index % COMPARED_AT_ONCE === COMPARED_AT_ONCE - 1) {
        await nextTurn();
        hunt.signal?.throwIfAborted();
      }
      const texts = this.#entries.read(position)?.texts ?? [];
      for (const { text } of texts) characters += text.length;
      scored.push({ position, score: relevanceOf(texts, wanted) });
    }
    scored.sort((one, other) => other.score - one.score || other.position - one.position);
    const end = skip + bounded(query.limit);
    const items = scored.slice(skip, end).flatMap(({ position }) => this.#toHit(position, wanted));
    const cut = found.reached !== undefined || scored.length < found.positions.length;
    return { items, ...(end < scored.length ? { next: `${top}_${end}` } : {}), cut };
  }

  #range({ session, since, until }: SearchQuery): readonly [low: number, high: number] {
    const [low, high] = this.#entries.between(since, until);
    if (session === undefined) return [low, high];
    const end = (order: "ASC" | "DESC") =>
      this.#sql.get(
        `SELECT rowid FROM search_words WHERE search_words MATCH ? ORDER BY rowid ${order} LIMIT 1`,
        `"${sessionWord(session)}"`,
      )?.["rowid"];
    const [first, last] = [end("ASC"), end("DESC")];
    return first === undefined ? [1, 0] : [Math.max(low, Number(first)), Math.min(high, Number(last))];
  }

  /** The index knows sessions exactly, agents and types by a hash, and times not at all. */
  #isMeant(position: number, { agent, type, since, until }: SearchQuery): boolean {
    if (agent === undefined && type === undefined && since === undefined && until === undefined) return true;
    const entry = this.#entries.read(position);
    if (entry === undefined) return false;
    if (since !== undefined && entry.receivedAt < since) return false;
    if (until !== undefined && entry.receivedAt > until) return false;
    return (agent === undefined || entry.agent === agent) && (type === undefined || entry.type === type);
  }

  #toHit(position: number, wanted: readonly FoldedWanted[]): readonly FoundEntry[] {
    const entry = this.#entries.read(position);
    if (entry === undefined) return [];
    const { session, agent, type, receivedAt, texts } = entry;
    return [{ position, session, agent, type, receivedAt, ...toSnippet(texts, wanted) }];
  }
}

function bounded(limit: number): number {
  return Math.max(1, Math.min(MOST_HITS, Math.floor(limit)));
}

function readCursor(after: string, shape: RegExp): readonly number[] {
  const match = shape.exec(after);
  if (match === null) refuse("`after` is not from a page of this search.", "Take `next` of the page before as it is.");
  return match.slice(1).map(Number);
}
