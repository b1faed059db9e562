import { isObject, type JsonValue } from "@earshot/protocol";
import { hash53 } from "../bounded.ts";

/** In these scripts words follow each other without a space: every character is a word, and a word is a phrase of them. */
const SCRIPTS = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"];
const UNSPACED = `[${SCRIPTS.map((script) => `\\p{Script=${script}}`).join("")}]`;
const EACH = new RegExp(UNSPACED, "gu");
const ANY = new RegExp(UNSPACED, "u");
/** None of them has a character below. */
const FIRST = "\u0e00";
const MAYBE = /[\u0e00-\uffff]/;

export function isUnspaced(character: string): boolean {
  return character > FIRST && ANY.test(character);
}

export function spaceOut(text: string): string {
  return MAYBE.test(text) ? text.replaceAll(EACH, " $& ") : text;
}

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

/**
 * A character for private use, which the tokenizer takes for a letter and nobody's text is let have: whatever begins with it
 * is a word of ours. By such words an entry is found by its session, its agent and its type, as fast as by any other word.
 */
const OURS = "\ue000";
/** What is longer is not looked for by anybody, and would make the index as long as itself. */
const LONGEST_WORD = 128;

const TOO_LONG = /[^\s!-/:-@[-`{-~]{129,}/gu;

/** A text as it is given to the index, and a query as it is looked up there. */
export function toIndexed(text: string): string {
  const plain = text.replaceAll(/[\0\ue000]/g, " ").replaceAll(TOO_LONG, (word) => word.slice(0, LONGEST_WORD));
  return spaceOut(plain).toWellFormed();
}

export function sessionWord(session: number): string {
  return `${OURS}s${session}`;
}

export function agentWord(agent: string): string {
  return `${OURS}a${hash53(agent).toString(36)}`;
}

export function typeWord(type: string): string {
  return `${OURS}t${hash53(type).toString(36)}`;
}

/** Stands between two texts of one entry, so that no phrase is found that begins in one of them and ends in the other. */
export const BETWEEN_TEXTS = ` ${OURS} `;

/** What a value says, without the signs of JSON: `command: npm test, timeout: 60`. As far as there is room. */
export function wordsIn(value: JsonValue | undefined, room: number): string {
  const pieces: string[] = [];
  gather(value, "", room, pieces);
  return pieces.join(", ");
}

/** Gives how much room is left. */
function gather(value: JsonValue | undefined, name: string, room: number, pieces: string[]): number {
  if (room <= 0 || value === undefined || value === null) return room;
  let left = room;
  if (isObject(value)) {
    for (const key in value) {
      if (left <= 0) break;
      left = gather(value[key], key, left, pieces);
    }
    return left;
  }
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) {
      if (left <= 0) break;
      left = gather(item, name, left, pieces);
    }
    return left;
  }
  const text = String(value).slice(0, room);
  if (text === "") return room;
  const piece = name === "" ? text : `${name}: ${text}`;
  pieces.push(piece);
  return room - piece.length - 2;
}
