import { findEnds } from "@earshot/aaep/speaking";

/** Where a text may be cut so that each part can be spoken by itself; `completion`: nowhere. */
export type ChunkBoundary = "word" | "sentence" | "paragraph" | "completion";

export interface Chunk {
  readonly text: string;
  /** The boundary that it ends on. `none`: it is not to be spoken without what follows. */
  readonly hint: ChunkBoundary | "none";
}

/** What has no boundary for so long is cut where it hurts least. */
const LONGEST = 8000;
/** Longer pieces are looked at part by part. */
const LONGEST_PIECE = 2000;
const EMPTY_LINE = /\n[^\S\n]*\n/;

/**
 * Cuts a text that arrives in pieces of any length at boundaries, and never inside what is read as one character. What comes
 * after a boundary has to be there before it is one: a mark may follow that belongs to the character before.
 */
export class TextChunks {
  readonly #boundary: ChunkBoundary;
  readonly #language: string;
  #rest = "";
  #tail = "";
  /** Where the rest may be cut, once it is seen what follows; 0: nowhere. */
  #boundaryAt = 0;
  #sentenceAt = 0;

  constructor({ boundary, language }: { readonly boundary: ChunkBoundary; readonly language: string }) {
    this.#boundary = boundary;
    this.#language = language;
  }

  push(piece: string): readonly Chunk[] {
    const chunks: Chunk[] = [];
    for (let from = 0; from < piece.length; from += LONGEST_PIECE) {
      const chunk = this.#take(piece.slice(from, from + LONGEST_PIECE));
      if (chunk !== undefined) chunks.push(chunk);
    }
    return chunks;
  }

  /** What is left, which is the end. */
  end(): string {
    const rest = this.#rest;
    this.#rest = "";
    return rest;
  }

  #take(piece: string): Chunk | undefined {
    const before = this.#rest.length;
    const ends = findEnds(this.#tail, piece, this.#language);
    this.#tail = ends.tail;
    this.#rest += piece;
    if (this.#boundary !== "completion") this.#boundaryAt = Math.max(this.#boundaryAt, before + ends[this.#boundary]);
    const sentence = Math.max(this.#sentenceAt, before + ends.sentence);
    this.#sentenceAt = sentence;
    const wanted = this.#afterSpace(this.#boundaryAt);
    if (this.#isSafe(wanted)) return this.#cut(wanted, this.#boundaryAt <= sentence ? "sentence" : "word");
    if (this.#rest.length <= LONGEST) return undefined;
    const word = this.#afterSpace(before + ends.word);
    return word > LONGEST / 2 && this.#isSafe(word) ? this.#cut(word, "word") : this.#cut(this.#lastGrapheme(), "none");
  }

  /** The space after a word belongs to it. */
  #afterSpace(index: number): number {
    if (index <= 0) return 0;
    let after = index;
    while (after < this.#rest.length && /\s/.test(this.#rest.charAt(after))) after++;
    return after;
  }

  #cut(index: number, hint: Chunk["hint"]): Chunk {
    const text = this.#rest.slice(0, index);
    this.#boundaryAt = 0;
    this.#sentenceAt = 0;
    // No writing puts thousands of marks on one letter: those beyond are left out.
    this.#rest = this.#rest.slice(index).replace(/^\p{M}+/u, "");
    return { text, hint: hint !== "none" && EMPTY_LINE.test(text.slice(text.trimEnd().length)) ? "paragraph" : hint };
  }

  #isSafe(index: number): boolean {
    if (!(index > 0 && index < this.#rest.length) || /^\p{M}/u.test(this.#rest.slice(index, index + 2))) return false;
    return graphemes.segment(this.#rest).containing(index)?.index === index;
  }

  #lastGrapheme(): number {
    const starts = Array.from(graphemes.segment(this.#rest), ({ index }) => index);
    return starts.findLast((index) => this.#isSafe(index)) ?? this.#rest.length;
  }
}

/** The same in all languages. */
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
