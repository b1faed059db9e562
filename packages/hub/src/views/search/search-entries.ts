import { numberIn, type Row, type Statements, textIn } from "../statements.ts";
import { SEARCH_FIELDS, type SearchText } from "./search-texts.ts";
import { agentWord, BETWEEN_TEXTS, sessionWord, toIndexed, typeWord } from "./words.ts";

/**
 * The words are in an index that holds no text; the text is beside it, once. See docs/adr/0006.
 * Merging is done by us, in small steps, instead of by the index when it likes.
 */
export const SEARCH_TABLES = `
-- texts: as they were said, one after the other, with U+001F between them. fields: a digit for each of them.
CREATE TABLE search_entry (
  position INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  agent TEXT NOT NULL,
  type TEXT NOT NULL,
  fields TEXT NOT NULL,
  texts TEXT NOT NULL
) STRICT;

CREATE VIRTUAL TABLE search_words USING fts5(
  words, content = '', columnsize = 0, tokenize = 'unicode61 remove_diacritics 2'
);
INSERT INTO search_words (search_words, rank) VALUES ('automerge', 0), ('crisismerge', 256);
CREATE VIRTUAL TABLE search_vocabulary USING fts5vocab(search_words, instance);

-- Between which positions an entry stands that was received in this hour since 1970. The clock may have been set back.
CREATE TABLE search_hour (
  hour INTEGER PRIMARY KEY,
  low INTEGER NOT NULL,
  high INTEGER NOT NULL
) STRICT;
`;

/** One entry with what people may look for in it. */
export interface SearchDocument {
  readonly position: number;
  /** Key of its session. */
  readonly session: number;
  readonly agent: string;
  readonly type: string;
  readonly receivedAt: number;
  /** From `searchTexts`; an entry without any need not be added. */
  readonly texts: readonly SearchText[];
}

const SEPARATOR = "\u001f";
const UNSTORABLE = new RegExp(`[\0${SEPARATOR}]`, "g");
const HOUR_MS = 3_600_000;

/** The entries and their words, in the caller's transaction. What is in one of the two tables is in the other. */
export class SearchEntries {
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  read(position: number): SearchDocument | undefined {
    const row = this.#sql.get("SELECT * FROM search_entry WHERE position = ?", position);
    return row === undefined ? undefined : toDocument(row);
  }

  add(documents: readonly SearchDocument[]): void {
    for (const document of documents.map(toStorable)) {
      const { position, session, agent, type, receivedAt, texts } = document;
      const known = this.read(position);
      if (known !== undefined) this.remove(known);
      this.#sql.run(
        "INSERT INTO search_entry (position, session, received_at, agent, type, fields, texts) VALUES (?, ?, ?, ?, ?, ?, ?)",
        position,
        session,
        receivedAt,
        agent,
        type,
        texts.map(({ field }) => SEARCH_FIELDS.indexOf(field)).join(""),
        texts.map(({ text }) => text).join(SEPARATOR),
      );
      this.#sql.run("INSERT INTO search_words (rowid, words) VALUES (?, ?)", position, indexedWords(document));
    }
    this.#addHours(documents);
  }

  /** The index must be told what it holds about an entry; it does not know by itself. */
  remove(document: SearchDocument): void {
    const { position } = document;
    this.#sql.run("INSERT INTO search_words (search_words, rowid, words) VALUES ('delete', ?, ?)", position, indexedWords(document));
    this.#sql.run("DELETE FROM search_entry WHERE position = ?", position);
  }

  /** Between which positions all entries stand that were received then. Others may stand there too. */
  between(since: number | undefined, until: number | undefined): readonly [low: number, high: number] {
    if (since === undefined && until === undefined) return [1, this.#highest()];
    const row = this.#sql.get(
      "SELECT min(low) AS low, max(high) AS high FROM search_hour WHERE hour BETWEEN ? AND ?",
      since === undefined ? Number.MIN_SAFE_INTEGER : hourOf(since),
      until === undefined ? Number.MAX_SAFE_INTEGER : hourOf(until),
    );
    return typeof row?.["low"] === "number" ? [numberIn(row, "low"), numberIn(row, "high")] : [1, 0];
  }

  #highest(): number {
    return Number(this.#sql.get("SELECT max(position) AS position FROM search_entry")?.["position"] ?? 0);
  }

  #addHours(documents: readonly SearchDocument[]): void {
    const hours = new Map<number, [low: number, high: number]>();
    for (const { position, receivedAt } of documents) {
      const known = hours.get(hourOf(receivedAt));
      if (known === undefined) hours.set(hourOf(receivedAt), [position, position]);
      else if (position < known[0]) known[0] = position;
      else if (position > known[1]) known[1] = position;
    }
    for (const [hour, [low, high]] of hours) {
      this.#sql.run(
        "INSERT INTO search_hour VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET low = min(low, excluded.low), high = max(high, excluded.high)",
        hour,
        low,
        high,
      );
    }
  }
}

function hourOf(ms: number): number {
  return Math.floor(ms / HOUR_MS);
}

/** As it is read back: what is removed from the index must be what was added to it. */
function toStorable(document: SearchDocument): SearchDocument {
  return {
    ...document,
    agent: storable(document.agent),
    type: storable(document.type),
    receivedAt: Math.round(document.receivedAt),
    texts: document.texts.map(({ field, text }) => ({ field, text: storable(text) })),
  };
}

function storable(text: string): string {
  return text.replaceAll(UNSTORABLE, " ").toWellFormed();
}

function indexedWords({ session, agent, type, texts }: SearchDocument): string {
  const words = texts.map(({ text }) => toIndexed(text)).join(BETWEEN_TEXTS);
  return `${sessionWord(session)} ${agentWord(agent)} ${typeWord(type)} ${words}`;
}

function toDocument(row: Row): SearchDocument {
  const fields = textIn(row, "fields");
  const texts = textIn(row, "texts").split(SEPARATOR);
  return {
    position: numberIn(row, "position"),
    session: numberIn(row, "session"),
    agent: textIn(row, "agent"),
    type: textIn(row, "type"),
    receivedAt: numberIn(row, "received_at"),
    texts: texts.map((text, index) => ({ field: SEARCH_FIELDS[Number(fields[index])] ?? "other", text })),
  };
}
