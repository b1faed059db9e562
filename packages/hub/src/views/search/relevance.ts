import { type FoldedWanted, findWords } from "./find-words.ts";
import { foldText } from "./folded-text.ts";
import type { SearchField, SearchText } from "./search-texts.ts";

/** A word in what somebody asked for or what went wrong says more than one in a long output. */
const WEIGHTS: Readonly<Record<SearchField, number>> = { prompt: 3, error: 2.5, tool: 2, command: 2, thought: 1.5, other: 1.2, output: 1 };
/** How soon another occurrence adds little, and how much a long text takes away: the usual numbers of BM25. */
const SATURATION = 1.2;
const LENGTH_PART = 0.75;
const USUAL_LENGTH = 400;
const MOST_COUNTED = 16;

/**
 * How well an entry fits, among those that have all the words: as BM25 counts occurrences, with the fields weighted. How rare
 * a word is does not matter, since all have it; finding that out would mean to read the index from end to end.
 */
export function relevanceOf(texts: readonly SearchText[], wanted: readonly FoldedWanted[]): number {
  const counts = wanted.map(() => 0);
  let length = 0;
  for (const { field, text } of texts) {
    const folded = foldText(text);
    length += text.length;
    for (const [index, one] of wanted.entries()) {
      counts[index] = (counts[index] ?? 0) + findWords(folded, one, MOST_COUNTED).length * WEIGHTS[field];
    }
  }
  const norm = SATURATION * (1 - LENGTH_PART + (LENGTH_PART * length) / USUAL_LENGTH);
  return counts.reduce((sum, count) => sum + (count * (SATURATION + 1)) / (count + norm), 0);
}
