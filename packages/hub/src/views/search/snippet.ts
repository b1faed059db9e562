import type { Wanted } from "./search-query.ts";
import type { SearchField, SearchText } from "./search-texts.ts";
import { type FoldedText, foldText, isUnspaced, isWordCharacter, placeIn, wordsOf } from "./words.ts";

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

export interface Snippet {
  readonly field: SearchField;
  readonly snippet: string;
  /** In UTF-16 units of the snippet. */
  readonly marks: readonly Span[];
}

const MOST_CHARACTERS = 240;
const BEFORE_MATCH = 60;
const MOST_MARKS = 32;

/** A few words around what was found, from the text in which most of it stands. */
export function toSnippet(texts: readonly SearchText[], wanted: readonly FoldedWanted[]): Snippet {
  let best: { readonly text: SearchText; readonly spans: readonly Span[]; readonly found: number } | undefined;
  for (const text of texts) {
    const folded = foldText(text.text);
    const all = wanted.map((one) => findWords(folded, one, MOST_MARKS));
    const found = all.filter((spans) => spans.length > 0).length;
    if (best === undefined || found > best.found) best = { text, found, spans: unfold(folded, all.flat()) };
    if (found === wanted.length) break;
  }
  if (best === undefined) return { field: "other", snippet: "", marks: [] };
  return { field: best.text.field, ...cutOut(best.text.text, best.spans) };
}

function unfold(folded: FoldedText, spans: readonly Span[]): readonly Span[] {
  return spans.map(([start, end]): Span => [placeIn(folded, start), placeIn(folded, end)]).sort((one, other) => one[0] - other[0]);
}

function cutOut(text: string, spans: readonly Span[]): { readonly snippet: string; readonly marks: readonly Span[] } {
  const first = spans[0]?.[0] ?? 0;
  let start = first <= BEFORE_MATCH || text.length <= MOST_CHARACTERS ? 0 : wordStart(text, first - BEFORE_MATCH, first);
  let end = Math.min(text.length, start + MOST_CHARACTERS);
  if (isHalf(text, start)) start++;
  if (isHalf(text, end)) end--;
  const before = start === 0 ? "" : "…";
  const marks: Span[] = [];
  for (const [from, to] of spans) {
    const last = marks.at(-1);
    const mark: Span = [from - start + before.length, Math.min(to, end) - start + before.length];
    // Two words may be found in one place, as when one of them is the beginning of the other.
    if (from >= start && from < end && (last === undefined || mark[0] >= last[1]) && marks.length < MOST_MARKS) marks.push(mark);
  }
  const snippet = `${before}${text.slice(start, end).replaceAll(/\s/g, " ")}${end === text.length ? "" : "…"}`;
  return { snippet: snippet.toWellFormed(), marks };
}

/** The first place after a space, so that no word is begun in its middle, where there is one near. */
function wordStart(text: string, from: number, upTo: number): number {
  const space = text.slice(from, upTo).search(/\s/);
  return space < 0 ? from : from + space + 1;
}

function isHalf(text: string, place: number): boolean {
  const code = text.charCodeAt(place);
  return code >= 0xdc00 && code <= 0xdfff;
}

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
