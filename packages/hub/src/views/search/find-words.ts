import { type FoldedText, foldText, isWordCharacter, wordsOf } from "./folded-text.ts";
import type { Wanted } from "./search-query.ts";
import { isUnspaced } from "./unspaced.ts";

/** What is looked for, in the words of the index: they must follow each other. */
export interface FoldedWanted {
  readonly words: readonly string[];
  readonly isBeginning: boolean;
}

export type Span = readonly [start: number, end: number];

export function foldWanted({ text, isBeginning }: Wanted): FoldedWanted {
  return { words: wordsOf(foldText(text).text), isBeginning };
}

/** Where it occurs in a folded text, in order; as many as are asked for. */
export function findWords({ text }: FoldedText, wanted: FoldedWanted, most: number): readonly Span[] {
  const [first] = wanted.words;
  if (first === undefined) return [];
  const found: Span[] = [];
  for (let start = text.indexOf(first); start >= 0 && found.length < most; start = text.indexOf(first, start + 1)) {
    if (start > 0 && !isUnspaced(first) && isJoined(text, start)) continue;
    const end = endOf(text, start, wanted);
    if (end !== undefined) found.push([start, end]);
  }
  return found;
}

function endOf(text: string, start: number, { words, isBeginning }: FoldedWanted): number | undefined {
  let end = start;
  for (const [index, word] of words.entries()) {
    if (index > 0) while (end < text.length && !isWordCharacter(text.charAt(end))) end++;
    if (!text.startsWith(word, end)) return undefined;
    end += word.length;
    if (isUnspaced(word)) continue;
    if (index === words.length - 1 && isBeginning) while (end < text.length && isJoined(text, end)) end++;
    else if (end < text.length && isJoined(text, end)) return undefined;
  }
  return end;
}

/** Whether the characters before and after a place belong to one word. */
function isJoined(text: string, place: number): boolean {
  const [before, after] = [text.charAt(place - 1), text.charAt(place)];
  return isWordCharacter(before) && isWordCharacter(after) && !isUnspaced(before) && !isUnspaced(after);
}
