import { endsInAbbreviation } from "./abbreviations.ts";
import { segmentersFor } from "./segmenters.ts";

/**
 * Where a growing text may be cut, as the latest piece of it shows: offsets from the beginning of that piece, negative for
 * places in what came before. `NO_END`: none. Only what follows shows that a dot ended a sentence and no abbreviation, and that
 * a word was whole: so the end of the text counts after white space only. No cut goes through a grapheme cluster.
 */
export interface Ends {
  readonly word: number;
  readonly sentence: number;
  readonly paragraph: number;
  /** The text looks like the end of a sentence, for now. */
  readonly looksDone: boolean;
  /** What the next piece has to be read with: the text since the last end of a sentence. */
  readonly tail: string;
}

export const NO_END = Number.NEGATIVE_INFINITY;

/** A sentence that is longer is looked at in its last part only. */
const LONGEST_TAIL = 512;
const WORD_WINDOW = 48;

const SENTENCE_MARK = /[\p{Sentence_Terminal}\u2026\n\r\u0085\u2028\u2029]/u;
/** Only a letter or a mark decides whether the text before it was a sentence: `Done. (see` goes on, `Done. (See` does not. */
const DECIDES = /[\p{L}\p{Sentence_Terminal}\n\r\u0085\u2028\u2029]/u;
const LOOKS_DONE = /(?:[\p{Sentence_Terminal}\u2026][\p{Pe}\p{Pf}"'*_`]*|[\n\r])\s*$/u;
/** Scripts that do not put spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Thai and Lao have no full stop: a space stands between sentences, and between some clauses. */
const SPACED_SENTENCE = /[\p{Script=Thai}\p{Script=Lao}\p{M}]\s+(?=[\p{Script=Thai}\p{Script=Lao}])/gu;
const SHORTEST_SPACED = 24;
/** What belongs to the character before it. */
const CONTINUES = /^(?:\p{M}|\p{Emoji_Modifier}|\u200c|\u200d|[\u{e0020}-\u{e007f}]|[\udc00-\udfff])/u;

export function findEnds(tail: string, piece: string, language: string): Ends {
  const text = tail + piece;
  const base = tail.length;
  const sentence = lastSentence(text, language);
  const word = Math.max(lastWord(text, base, language), sentence);
  const paragraph = lastParagraph(text);
  const looksDone = LOOKS_DONE.test(text.slice(-WORD_WINDOW)) && !endsInAbbreviation(text, "", language);
  // With the white space before it: a blank line may begin there.
  const kept = text.slice(text.slice(0, sentence).trimEnd().length);
  return {
    word: toOffset(word, base, piece),
    sentence: toOffset(sentence, base, piece),
    paragraph: toOffset(paragraph, base, piece),
    looksDone,
    tail: kept.length > LONGEST_TAIL ? kept.slice(-LONGEST_TAIL) : kept,
  };
}

/** Between two pieces rather than inside one, where only white space makes the difference: most pieces then stay whole. */
function toOffset(index: number, base: number, piece: string): number {
  if (index <= 0) return NO_END;
  const offset = index - base;
  return offset > 0 && offset < piece.length && piece.slice(0, offset).trim() === "" ? 0 : offset;
}

function lastSentence(text: string, language: string): number {
  let last = 0;
  if (SENTENCE_MARK.test(text)) {
    let before = 0;
    for (const { index } of segmentersFor(language).sentence.segment(text)) {
      if (index === 0 || !isDecided(text, index)) continue;
      const sentence = text.slice(before, index);
      if (sentence.trim() !== "" && !endsInAbbreviation(sentence, text.slice(index), language)) {
        last = index;
        before = index;
      }
    }
  }
  for (const found of text.matchAll(SPACED_SENTENCE)) {
    const end = found.index + found[0].length;
    if (end - last >= SHORTEST_SPACED) last = end;
  }
  return last;
}

function isDecided(text: string, index: number): boolean {
  return DECIDES.test(text.slice(index)) && !CONTINUES.test(text.slice(index, index + 2));
}

function lastWord(text: string, base: number, language: string): number {
  const from = Math.max(0, Math.min(base, text.length) - WORD_WINDOW, text.length - 4 * WORD_WINDOW);
  const recent = text.slice(from);
  let last = 0;
  if (UNSPACED.test(recent)) {
    const starts = Array.from(segmentersFor(language).word.segment(recent), ({ index }) => index);
    // The window may begin inside a word; and a dictionary may think again about the last one when more letters come.
    for (let turn = starts.length - 1; turn > (from === 0 ? 0 : 1); turn--) {
      const start = starts[turn] ?? 0;
      if (recent.charAt(start).trim() === "") continue;
      if (turn === starts.length - 1 && recent.charAt(start - 1).trim() !== "") continue;
      last = start;
      break;
    }
    if (recent.at(-1)?.trim() === "") last = recent.length;
    if (CONTINUES.test(recent.slice(last, last + 2))) last = 0;
  } else {
    const spaced = /^.*\s/su.exec(recent);
    if (spaced !== null && !CONTINUES.test(recent.slice(spaced[0].length, spaced[0].length + 2))) last = spaced[0].length;
  }
  return last > 0 ? from + last : 0;
}

/** After the last blank line. */
function lastParagraph(text: string): number {
  let end = text.lastIndexOf("\u2029") + 1;
  for (let line = text.lastIndexOf("\n"); line > 0 && line + 1 > end; ) {
    const former = text.lastIndexOf("\n", line - 1);
    if (former < 0) break;
    if (text.slice(former + 1, line).trim() === "") {
      end = Math.max(end, line + 1);
      break;
    }
    line = former;
  }
  return end;
}
