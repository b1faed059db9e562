import { countCodePoints } from "@earshot/protocol/code-points";
import { findTextBoundaries, NO_BOUNDARY, type TextBoundaries } from "./boundaries.ts";
import { BOUNDARY_LEVELS } from "./limits.ts";

/** A valid chunk of streaming output. */
export interface OutputChunk {
  readonly text: string;
  readonly position: number;
  readonly isComplete: boolean;
  readonly hint: keyof typeof BOUNDARY_LEVELS | undefined;
  readonly language: string;
  /** Only text has sentences. */
  readonly isText: boolean;
}

/**
 * The state of an output after one of its chunks: where its text may be cut, and the unit in which its producer counts positions. It
 * depends only on the chunks, so it is computed once for all subscribers.
 */
export interface TextNode extends TextBoundaries {
  /** Units consistent with every position so far: 1 code points, 2 UTF-16 units, 3 both. */
  readonly units: number;
  readonly nextInPoints: number;
  readonly nextInUnits: number;
}

/** An output without any chunk. */
export const NO_TEXT: TextNode = {
  word: NO_BOUNDARY,
  sentence: NO_BOUNDARY,
  paragraph: NO_BOUNDARY,
  looksDone: false,
  tail: "",
  units: 3,
  nextInPoints: Number.NaN,
  nextInUnits: Number.NaN,
};

export function advanceTextNode(before: TextNode, chunk: OutputChunk): TextNode {
  const ends = chunk.isText ? withHint(findTextBoundaries(before.tail, chunk.text, chunk.language), chunk) : NO_TEXT;
  const fits = (chunk.position === before.nextInPoints ? 1 : 0) | (chunk.position === before.nextInUnits ? 2 : 0);
  // A producer that loses count, or an output joined midway, starts over.
  const agreed = before.units & fits;
  const units = agreed === 0 ? 3 : agreed;
  return {
    word: countable(ends.word, chunk, units),
    sentence: countable(ends.sentence, chunk, units),
    paragraph: countable(ends.paragraph, chunk, units),
    looksDone: ends.looksDone,
    tail: ends.tail,
    units,
    nextInPoints: chunk.position + countCodePoints(chunk.text),
    nextInUnits: chunk.position + chunk.text.length,
  };
}

/** No cut while the producer's unit for the preceding text is unknown. */
function countable(end: number, { text }: OutputChunk, units: number): number {
  const isInside = units === 3 && end > 0 && end < text.length;
  return isInside && countCodePoints(text.slice(0, end)) !== end ? NO_BOUNDARY : end;
}

/** The producer's hint describes the chunk's end. `none` says nothing about the text inside. */
function withHint(ends: TextBoundaries, { hint, text }: OutputChunk): TextBoundaries {
  const level = hint === undefined ? BOUNDARY_LEVELS.none : BOUNDARY_LEVELS[hint];
  if (level === BOUNDARY_LEVELS.none) return ends;
  return {
    word: text.length,
    sentence: level >= BOUNDARY_LEVELS.sentence ? text.length : ends.sentence,
    paragraph: level >= BOUNDARY_LEVELS.paragraph ? text.length : ends.paragraph,
    looksDone: ends.looksDone,
    tail: level >= BOUNDARY_LEVELS.sentence ? "" : ends.tail,
  };
}

/** Scripts without spaces: about two characters make a word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;

/** The approximate number of words, to estimate the reading time. */
export function estimateWords(text: string): number {
  const unspaced = text.match(UNSPACED)?.length ?? 0;
  const spaced = (unspaced === 0 ? text : text.replace(UNSPACED, " ")).match(/\S+/gu)?.length ?? 0;
  return spaced + unspaced / 2;
}
