import { type FoldedWanted, findWords, type Span } from "./find-words.ts";
import { type FoldedText, foldText, placeIn } from "./folded-text.ts";
import type { SearchField, SearchText } from "./search-texts.ts";

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
