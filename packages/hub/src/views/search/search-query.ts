import { EarshotError } from "@earshot/protocol";
import type { SearchQuery } from "../views.ts";
import { agentWord, sessionWord, toIndexed, typeWord } from "./words.ts";

export interface WantedWord {
  /** A word or phrase as typed. */
  readonly text: string;
  /** Matches any ending. */
  readonly isBeginning: boolean;
}

export interface WantedWords {
  readonly required: readonly WantedWord[];
  readonly excluded: readonly WantedWord[];
}

const MAX_CHARACTERS = 1000;
const MAX_WORDS = 32;
const HINT = 'Write words that must all occur, "a phrase" in quotes, begin* for any ending, -word for what must not occur.';

/**
 * An optional minus sign (but `--force` is a word), a phrase or a word, an optional asterisk. The end of the text closes an open quote.
 */
const WANTED = /((?:-(?!-))?)(?:["“”„]([^"“”„]*)(?:["“”„]|$)|([^\s"“”„]+))(\*?)/gu;
const HAS_WORD = /[\p{L}\p{N}]/u;
const ENDS_IN_WORD = /[\p{L}\p{N}]\*+$/u;

/** Parses a typed search. Only an empty search is an error. */
export function readSearchText(text: string): WantedWords {
  if (text.length > MAX_CHARACTERS) refuseSearch(`What is looked for is longer than ${MAX_CHARACTERS} characters.`);
  const required: WantedWord[] = [];
  const excluded: WantedWord[] = [];
  for (const [, sign, phrase, word = "", star] of text.matchAll(WANTED)) {
    const said = phrase ?? word.replace(/(?<!\*)\*+$/, "");
    if (!HAS_WORD.test(said)) continue;
    const isBeginning = phrase === undefined ? ENDS_IN_WORD.test(word) : star === "*";
    (sign === "-" ? excluded : required).push({ text: said, isBeginning });
  }
  if (required.length === 0) {
    refuseSearch(excluded.length === 0 ? "There is no word to look for." : "There are only words that must not occur.");
  }
  if (required.length + excluded.length > MAX_WORDS) refuseSearch(`There are more than ${MAX_WORDS} words to look for.`);
  return { required, excluded };
}

export function refuseSearch(message: string, hint = HINT): never {
  throw new EarshotError({ code: "WRONG_QUERY", message, hint });
}

/** The FTS5 query. All typed text is quoted, so none of it is read as an operator. */
export function toMatch({ required, excluded }: WantedWords, { session, agent, type, field }: SearchQuery): string {
  const scope = [
    ...(session === undefined ? [] : [sessionWord(session)]),
    ...(agent === undefined ? [] : [agentWord(agent)]),
    ...(type === undefined ? [] : [typeWord(type)]),
  ];
  const all = [
    ...scope.map((word) => `"${word}"`),
    ...required.map((wanted) => `${field === undefined ? "" : `${field} : `}${toPhrase(wanted)}`),
  ].join(" AND ");
  return excluded.length === 0 ? all : `(${all}) NOT (${excluded.map(toPhrase).join(" OR ")})`;
}

function toPhrase({ text, isBeginning }: WantedWord): string {
  return `"${toIndexed(text).replaceAll('"', " ")}"${isBeginning ? " *" : ""}`;
}
