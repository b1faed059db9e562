import type { Statements } from "../statements.ts";
import { foldText, wordsOf } from "./folded-text.ts";
import { toIndexed } from "./indexed-words.ts";
import { refuse, type Wanted } from "./search-query.ts";

/**
 * In one query. The index itself would read every entry of every word that begins so before it gives the first; looking for
 * the words instead is bounded.
 */
const MOST_ENDINGS = 500;
/** Follows every word that begins with another one: no word holds such a character. */
const NEXT = "\u0001";

/** Phrases for the index, any of which will do. Refuses a beginning that too many words have, besides those found already. */
export function phrasesFor(wanted: Wanted, sql: Statements, found: number): readonly string[] {
  if (!wanted.isBeginning) return [toIndexed(wanted.text)];
  const words = wordsOf(foldText(toIndexed(wanted.text)).text);
  const beginning = words.at(-1) ?? "";
  const before = words.slice(0, -1).join(" ");
  const endings: string[] = [];
  for (let from = beginning; ; ) {
    const term = sql.get("SELECT term FROM search_vocabulary WHERE term >= ? LIMIT 1", from)?.["term"];
    if (typeof term !== "string" || !term.startsWith(beginning)) break;
    if (found + endings.length >= MOST_ENDINGS)
      refuse(`More than ${MOST_ENDINGS} words begin with "${beginning}".`, "Give more of its letters.");
    endings.push(`${before} ${term}`);
    from = term + NEXT;
  }
  // No word begins so: looking for it as it is finds nothing either.
  return endings.length === 0 ? [toIndexed(wanted.text)] : endings;
}
