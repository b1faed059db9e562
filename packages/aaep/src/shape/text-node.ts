import { countCodePoints } from "@earshot/protocol/code-points";
import { type Ends, findEnds, NO_END } from "./boundaries.ts";
import { LEVELS } from "./limits.ts";

/** A chunk of streaming output whose members are what they should be. */
export interface Chunk {
  readonly text: string;
  readonly position: number;
  readonly isComplete: boolean;
  readonly hint: keyof typeof LEVELS | undefined;
  readonly language: string;
  /** Only text has sentences. */
  readonly isText: boolean;
}

/**
 * How an output stands after one of its chunks: where its text may be cut, and in which unit its producer counts positions. It
 * follows from the chunks alone, so that it is worked out once for all who hear the same ones.
 */
export interface TextNode extends Ends {
  /** Which counts agreed with every position so far: 1 code points, 2 UTF-16 units, 3 both. */
  readonly units: number;
  readonly nextInPoints: number;
  readonly nextInUnits: number;
}

/** Nothing was heard of the output. */
export const NO_TEXT: TextNode = {
  word: NO_END,
  sentence: NO_END,
  paragraph: NO_END,
  looksDone: false,
  tail: "",
  units: 3,
  nextInPoints: Number.NaN,
  nextInUnits: Number.NaN,
};

export function nextNode(before: TextNode, chunk: Chunk): TextNode {
  const ends = chunk.isText ? withHint(findEnds(before.tail, chunk.text, chunk.language), chunk) : NO_TEXT;
  const fits = (chunk.position === before.nextInPoints ? 1 : 0) | (chunk.position === before.nextInUnits ? 2 : 0);
  // A producer that loses count, or an output that was joined midway, begins anew.
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

/** No cut where nobody knows yet how its producer would count what lies before it. */
function countable(end: number, { text }: Chunk, units: number): number {
  const isInside = units === 3 && end > 0 && end < text.length;
  return isInside && countCodePoints(text.slice(0, end)) !== end ? NO_END : end;
}

/** The producer knows what its chunk ends with. `none` says nothing about the text inside. */
function withHint(ends: Ends, { hint, text }: Chunk): Ends {
  const level = hint === undefined ? LEVELS.none : LEVELS[hint];
  if (level === LEVELS.none) return ends;
  return {
    word: text.length,
    sentence: level >= LEVELS.sentence ? text.length : ends.sentence,
    paragraph: level >= LEVELS.paragraph ? text.length : ends.paragraph,
    looksDone: ends.looksDone,
    tail: level >= LEVELS.sentence ? "" : ends.tail,
  };
}

/** Scripts without spaces: about two characters make a word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;

/** About how many words a text has: enough to tell how long a person takes for it. */
export function countWords(text: string): number {
  const unspaced = text.match(UNSPACED)?.length ?? 0;
  const spaced = (unspaced === 0 ? text : text.replace(UNSPACED, " ")).match(/\S+/gu)?.length ?? 0;
  return spaced + unspaced / 2;
}
