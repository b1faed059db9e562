import type { Statements } from "../statements.ts";
import type { SearchQuery } from "../views.ts";
import { foldWanted } from "./find-words.ts";
import { agentWord, sessionWord, typeWord } from "./indexed-words.ts";
import type { Wanted, WantedWords } from "./search-query.ts";
import { phrasesFor } from "./word-endings.ts";

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
