import { maskSecrets } from "@earshot/protocol/secrets";
import type { Phrases } from "./words.ts";

const MASKED = /█+/g;
/** Control characters, and those that turn the direction of a text or stand for nothing. */
const UNHEARD = /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu;
/** Hashes, encoded data, minified code: words that nobody writes are heard by their beginning. */
const NO_WORD = /([A-Za-z0-9_+/=-]{20})[A-Za-z0-9_+/=-]{41,}/g;
/** Longer texts are cut before anything else looks at them. */
const MOST_CHARACTERS = 20_000;

/** Words that were meant to be spoken: only what no voice should say is taken out. */
export function toSpoken(text: string, phrases: Phrases): string {
  const masked = maskSecrets(cutText(text, MOST_CHARACTERS)).replace(MASKED, phrases.secret);
  return masked.replace(UNHEARD, " ").replace(NO_WORD, "$1…").replaceAll(/\s+/g, " ").trim();
}

const FENCE = /^[ \t]{0,3}(?:```|~~~)/;
const LINE_MARKS = /^[ \t]*(?:(?:#{1,6}|>|[-*+]|\d{1,3}[.)])[ \t]+)+/;
const RULE = /^[ \t]*(?:[-*_=][ \t]*){3,}$/;
const TABLE_RULE = /^[ \t]*\|?[ \t:|-]+$/;
const PICTURE_OR_LINK = /!?\[([^\]\n]{0,500})\]\([^()\s]{0,2000}(?:\s+"[^"\n]{0,300}")?\)/g;
const ADDRESS = /\bhttps?:\/\/(?:[^\s/@]{1,200}@)?([^\s/?#:)>\]"']{1,200})[^\s)>\]"']{0,2000}/gi;
const TAG = /<\/?[a-z][a-z0-9-]{0,30}(?:\s[^<>\n]{0,300})?\/?>/gi;
const EMPHASIS = [
  /\*\*(?=\S)([^*\n]{1,500})\*\*/g,
  /(?<![\w*])\*(?=[^\s*])([^*\n]{0,500}[^\s*])\*(?![\w*])/g,
  /(?<!\w)__(?=\S)([^_\n]{1,500})__(?!\w)/g,
  /(?<!\w)_(?=\S)([^_\n]{0,500}\S)_(?!\w)/g,
  /~~(?=\S)([^~\n]{1,500})~~/g,
] as const;

/** How far into a text with markup one is: pieces of an output follow each other. */
export interface MarkupPlace {
  /** Lines of the block of code that is open; undefined outside of one. */
  readonly codeLines: number | undefined;
  readonly atLineStart: boolean;
}

export const TEXT_BEGINS: MarkupPlace = { codeLines: undefined, atLineStart: true };

/** What of a piece of an output is to be heard: marks go, blocks of code become their number of lines. */
export function toHeard(text: string, place: MarkupPlace, phrases: Phrases): readonly [spoken: string, place: MarkupPlace] {
  const spoken: string[] = [];
  let { codeLines, atLineStart } = place;
  const lines = text.split(/\r\n|\n|\r/);
  lines.forEach((line, index) => {
    const beginsLine = index > 0 || atLineStart;
    const goesOn = index === lines.length - 1 && line === "";
    if (beginsLine && FENCE.test(line)) {
      if (codeLines !== undefined) spoken.push(phrases.code(codeLines));
      codeLines = codeLines === undefined ? 0 : undefined;
    } else if (codeLines === undefined) spoken.push(withoutMarks(line, beginsLine, phrases));
    else if (!goesOn && beginsLine) codeLines++;
  });
  atLineStart = lines.at(-1) === "" && (lines.length > 1 || atLineStart);
  return [toSpoken(spoken.join("\n"), phrases), { codeLines, atLineStart }];
}

/** A whole text with markup. A block of code that is not closed ends with the text. */
export function toHeardWhole(text: string, phrases: Phrases): string {
  const [spoken, { codeLines }] = toHeard(cutText(text, MOST_CHARACTERS), TEXT_BEGINS, phrases);
  if (codeLines === undefined) return spoken;
  return `${spoken} ${phrases.code(codeLines)}`.trim();
}

function withoutMarks(line: string, beginsLine: boolean, phrases: Phrases): string {
  if (beginsLine && (RULE.test(line) || (line.includes("|") && TABLE_RULE.test(line)))) return "";
  let text = beginsLine ? line.replace(LINE_MARKS, "") : line;
  text = text.replace(PICTURE_OR_LINK, "$1").replace(ADDRESS, (_whole, host: string) => phrases.link(host));
  text = text.replace(TAG, "").replaceAll("`", "");
  for (const mark of EMPHASIS) text = text.replace(mark, "$1");
  return /^\s*\|.*\|\s*$/.test(text)
    ? text
        .split("|")
        .map((cell) => cell.trim())
        .filter((cell) => cell !== "")
        .join(", ")
    : text;
}

/** The beginning of a text, with whole characters. */
export function cutText(text: string, characters: number): string {
  if (text.length <= characters) return text.isWellFormed() ? text : text.toWellFormed();
  return text
    .slice(0, characters)
    .replace(/[\ud800-\udbff]$/, "")
    .toWellFormed();
}

const WORDS = new Intl.Segmenter(undefined, { granularity: "word" });
/** Signs and pictures take time too, and so do words without an end. */
const CHARACTERS_OF_A_WORD = 25;

/** The beginning of a text up to the last whole word that fits, and how many words are left. */
export function cutToWords(text: string, most: number): { readonly text: string; readonly left: number } {
  const all = countWords(text);
  if (all <= most) return { text, left: 0 };
  let end = 0;
  let words = 0;
  for (const { segment, index, isWordLike } of WORDS.segment(text)) {
    if (isWordLike === true && ++words > most) break;
    if (index + segment.length > most * CHARACTERS_OF_A_WORD) break;
    end = index + segment.length;
  }
  const kept = end === 0 ? cutText(text, most * CHARACTERS_OF_A_WORD) : text.slice(0, end).trimEnd();
  return { text: kept, left: Math.max(1, all - countWords(kept)) };
}

/** How much there is to say, also in languages that put no spaces between words. */
export function countWords(text: string): number {
  let words = 0;
  for (const { isWordLike } of WORDS.segment(text)) if (isWordLike === true) words++;
  return Math.max(words, Math.ceil(text.length / CHARACTERS_OF_A_WORD));
}
