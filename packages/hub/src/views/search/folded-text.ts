import { isUnspaced } from "./unspaced.ts";

/**
 * A text as the index compares it: small letters without accents. For finding again what the index found, and marking it; what
 * the two see differently, in scripts that are rare, is found and not marked.
 */
export interface FoldedText {
  readonly text: string;
  /** Where each character of the folded text stood, and where the text ended; undefined when nothing moved. */
  readonly offsets?: Uint32Array;
}

const ASCII = /^[\0-\x7f]*$/;
const MARK = /[\u0300-\u036f]/;
const MARKS = /[\u0300-\u036f]/g;
const WORD = /[\p{L}\p{N}\p{Co}\p{Cs}]/u;

export function foldText(text: string): FoldedText {
  if (ASCII.test(text)) return { text: text.toLowerCase() };
  let folded = "";
  const offsets = new Uint32Array(text.length + 1);
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (MARK.test(character)) continue;
    offsets[folded.length] = index;
    folded += foldCharacter(character);
  }
  if (folded.length === text.length) return { text: folded };
  offsets[folded.length] = text.length;
  return { text: folded, offsets };
}

/** Where a place in the folded text is in the text itself. */
export function placeIn({ offsets }: FoldedText, index: number): number {
  return offsets?.[index] ?? index;
}

/** The words of a folded text, one after the other. */
export function wordsOf(folded: string): readonly string[] {
  const words: string[] = [];
  let start = -1;
  for (let index = 0; index <= folded.length; index++) {
    const character = folded.charAt(index);
    const isAlone = isUnspaced(character);
    if (!isAlone && isWordCharacter(character)) {
      if (start < 0) start = index;
      continue;
    }
    if (start >= 0) words.push(folded.slice(start, index));
    start = -1;
    if (isAlone) words.push(character);
  }
  return words;
}

/** Half a character counts as part of a word; nothing at all does not. */
export function isWordCharacter(character: string): boolean {
  const code = character.charCodeAt(0);
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
  return WORD.test(character);
}

/** One character for one, so that places stay as they are. */
function foldCharacter(character: string): string {
  const small = character.normalize("NFD").replaceAll(MARKS, "").normalize("NFC").toLowerCase();
  return small.length === 1 ? small : character;
}
