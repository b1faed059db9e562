import { EarshotError } from "@earshot/protocol";
import type { Statements } from "../statements.ts";
import type { SearchQuery } from "../views.ts";
import { foldWanted } from "./snippet.ts";
import { agentWord, foldText, sessionWord, toIndexed, typeWord, wordsOf } from "./words.ts";

/** One thing to look for. */
export interface Wanted {
  /** A word or a phrase, as it was written. */
  readonly text: string;
  /** Any ending will do. */
  readonly isBeginning: boolean;
}

export interface WantedWords {
  readonly required: readonly Wanted[];
  readonly excluded: readonly Wanted[];
}

const MOST_CHARACTERS = 1000;
const MOST_WORDS = 32;
const HINT = 'Write words that must all occur, "a phrase" in quotes, begin* for any ending, -word for what must not occur.';

/** A sign before it (but `--force` is a word), a phrase or a word, a sign after it. The end closes a quote that is open. */
const WANTED = /((?:-(?!-))?)(?:["“”„]([^"“”„]*)(?:["“”„]|$)|([^\s"“”„]+))(\*?)/gu;
const HAS_WORD = /[\p{L}\p{N}]/u;
const ENDS_IN_WORD = /[\p{L}\p{N}]\*+$/u;

/** Reads what a person typed. Nothing that can be typed is an error, but for what leaves nothing to look for. */
export function readSearchText(text: string): WantedWords {
  if (text.length > MOST_CHARACTERS) refuse(`What is looked for is longer than ${MOST_CHARACTERS} characters.`);
  const required: Wanted[] = [];
  const excluded: Wanted[] = [];
  for (const [, sign, phrase, word = "", star] of text.matchAll(WANTED)) {
    const said = phrase ?? word.replace(/\*+$/, "");
    if (!HAS_WORD.test(said)) continue;
    const isBeginning = phrase === undefined ? ENDS_IN_WORD.test(word) : star === "*";
    (sign === "-" ? excluded : required).push({ text: said, isBeginning });
  }
  if (required.length === 0) {
    refuse(excluded.length === 0 ? "There is no word to look for." : "There are only words that must not occur.");
  }
  if (required.length + excluded.length > MOST_WORDS) refuse(`There are more than ${MOST_WORDS} words to look for.`);
  return { required, excluded };
}

export function refuse(message: string, hint = HINT): never {
  throw new EarshotError({ code: "WRONG_QUERY", message, hint });
}

export interface MatchExpression {
  /** For the index. All that a person typed is in quotes, so that nothing in it is taken for an operator. */
  readonly match: string;
  /** Every entry that the index looks at is a hit: nothing can be looked at in vain. */
  readonly isDirect: boolean;
}

export function toMatchExpression({ required, excluded }: WantedWords, query: SearchQuery, sql: Statements): MatchExpression {
  const scope = [
    ...(query.session === undefined ? [] : [sessionWord(query.session)]),
    ...(query.agent === undefined ? [] : [agentWord(query.agent)]),
    ...(query.type === undefined ? [] : [typeWord(query.type)]),
  ];
  let found = 0;
  const toPhrases = (wanted: Wanted) => {
    const phrases = phrasesFor(wanted, sql, found);
    if (wanted.isBeginning) found += phrases.length;
    return anyOf(phrases);
  };
  const must = [...scope.map(quote), ...required.map(toPhrases)];
  const not = excluded.map(toPhrases);
  const [first] = required;
  const isDirect = must.length === 1 && not.length === 0 && first !== undefined && foldWanted(first).words.length === 1;
  const all = must.join(" AND ");
  return { match: not.length === 0 ? all : `(${all}) NOT (${not.join(" OR ")})`, isDirect };
}

function anyOf(phrases: readonly string[]): string {
  return phrases.length === 1 ? quote(phrases[0] ?? "") : `(${phrases.map(quote).join(" OR ")})`;
}

function quote(phrase: string): string {
  return `"${phrase.replaceAll('"', " ")}"`;
}

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
