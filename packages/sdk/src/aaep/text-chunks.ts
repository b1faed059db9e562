import { findTextBoundaries } from "@earshot/aaep/speaking";

/** Where a text may be split into parts that can be spoken; `completion`: not at all. */
export type ChunkBoundary = "word" | "sentence" | "paragraph" | "completion";

export interface TextChunk {
  readonly text: string;
  /** The boundary at its end. `none`: it must not be spoken without the next part. */
  readonly hint: ChunkBoundary | "none";
}

/** Text without a boundary for this long is cut at the best place. */
const MAX_UNBROKEN_CHARACTERS = 8000;
/** Longer pieces are processed in parts. */
const LONGEST_PIECE = 2000;
const EMPTY_LINE = /\n[^\S\n]*\n/;

/**
 * Splits a text that arrives in pieces of any length at boundaries, and never inside a grapheme. A boundary counts only once the
 * following text is known, because a combining mark may follow.
 */
export class TextChunks {
  readonly #boundary: ChunkBoundary;
  readonly #language: string;
  #rest = "";
  #tail = "";
  /** The boundary to use once the following character is known; 0: none. */
  #boundaryAt = 0;
  #sentenceAt = 0;

  constructor({ boundary, language }: { readonly boundary: ChunkBoundary; readonly language: string }) {
    this.#boundary = boundary;
    this.#language = language;
  }

  push(piece: string): readonly TextChunk[] {
    const chunks: TextChunk[] = [];
    for (let from = 0; from < piece.length; from += LONGEST_PIECE) {
      const chunk = this.#take(piece.slice(from, from + LONGEST_PIECE));
      if (chunk !== undefined) chunks.push(chunk);
    }
    return chunks;
  }

  /** Returns the remaining text. */
  end(): string {
    const rest = this.#rest;
    this.#rest = "";
    return rest;
  }

  #take(piece: string): TextChunk | undefined {
    const before = this.#rest.length;
    const ends = findTextBoundaries(this.#tail, piece, this.#language);
    this.#tail = ends.tail;
    this.#rest += piece;
    if (this.#boundary !== "completion") this.#boundaryAt = Math.max(this.#boundaryAt, before + ends[this.#boundary]);
    const sentence = Math.max(this.#sentenceAt, before + ends.sentence);
    this.#sentenceAt = sentence;
    const wanted = this.#afterSpace(this.#boundaryAt);
    if (this.#isSafe(wanted)) return this.#cut(wanted, this.#boundaryAt <= sentence ? "sentence" : "word");
    if (this.#rest.length <= MAX_UNBROKEN_CHARACTERS) return undefined;
    const word = this.#afterSpace(before + ends.word);
    return word > MAX_UNBROKEN_CHARACTERS / 2 && this.#isSafe(word) ? this.#cut(word, "word") : this.#cut(this.#lastGrapheme(), "none");
  }

  /** The space after a word belongs to it. */
  #afterSpace(index: number): number {
    if (index <= 0) return 0;
    let after = index;
    while (after < this.#rest.length && /\s/.test(this.#rest.charAt(after))) after++;
    return after;
  }

  #cut(index: number, hint: TextChunk["hint"]): TextChunk {
    const text = this.#rest.slice(0, index);
    this.#boundaryAt = 0;
    this.#sentenceAt = 0;
    // No script puts thousands of marks on one letter; more are dropped.
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

/** Independent of the language. */
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
