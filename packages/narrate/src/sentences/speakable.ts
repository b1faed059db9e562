import { maskSecrets } from "@earshot/protocol/secrets";
import type { Phrases } from "./words.ts";

const MASKED = /█+/g;
/** Control characters, bidirectional controls and invisible characters. */
const UNHEARD = /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu;
/** Escape sequences that terminals interpret: colors, the cursor, titles. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what begins them
const ESCAPES = /\u001b(?:\[[0-?]{0,40}[ -/]{0,4}[@-~]|\][^\u0007\u001b]{0,500}(?:\u0007|\u001b\\)?|[ -/]?[0-~])/g;
/** Hashes are shortened to their usual prefix; letters alone may be a word. */
const HASH = /\b(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])([0-9a-f]{7})[0-9a-f]{5,57}\b|\b([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;
/** Three or more emoji add nothing. */
const PICTURES =
  /(?:\p{Extended_Pictographic}|\p{Regional_Indicator})(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\ufe0f|\u200d|\s){3,}/gu;
/** Encoded data and minified code are spoken by their beginning. */
const NO_WORD = /([A-Za-z0-9_+/=-]{20})[A-Za-z0-9_+/=-]{41,}/g;
/** Longer texts are cut before any other processing. */
const MAX_CHARACTERS = 20_000;

/** A text written for speech; only unspeakable characters are removed. */
export function toSpoken(text: string, phrases: Phrases): string {
  const masked = maskSecrets(cutText(text, MAX_CHARACTERS)).replace(MASKED, phrases.secret);
  return withoutEscapes(masked)
    .replace(PICTURES, firstPicture)
    .replace(UNHEARD, " ")
    .replace(HASH, "$1$2")
    .replace(NO_WORD, "$1…")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** The text without terminal escape sequences. */
export function withoutEscapes(text: string): string {
  return text.includes("\u001b") ? text.replace(ESCAPES, "") : text;
}

function firstPicture(flood: string): string {
  const pictures = flood.match(/\p{Extended_Pictographic}|\p{Regional_Indicator}{2}/gu) ?? [];
  return pictures.length < 3 ? flood : `${pictures[0] ?? ""} `;
}

const FENCE = /^[ \t]{0,3}(?:```|~~~)/;
const LINE_MARKS = /^[ \t]*(?:(?:#{1,6}|>|[-*+]|\d{1,3}[.)]|\[[ xX]\])[ \t]+)+/;
const RULE = /^[ \t]*(?:[-*_=][ \t]*){3,}$/;
const TABLE_RULE = /^[ \t:|-]+$/;
const PICTURE_OR_LINK = /!?\[([^\]\n]{0,500})\]\([^()\s]{0,2000}(?:\s+"[^"\n]{0,300}")?\)/g;
const ADDRESS = /\bhttps?:\/\/(?:[^\s/@]{1,200}@)?([^\s/?#:)>\]"']{1,200})[^\s)>\]"']{0,2000}/gi;
const TAG = /<\/?[a-z][a-z0-9-]{0,30}(?:\s[^<>\n]{0,300})?\/?>/gi;
const INLINE_CODE = /(?<!`)(`{1,3})(?!`)([^`\n]{1,500})\1(?!`)/g;
/** Code that continues in the next part of a text or is never closed. */
const OPEN_CODE = /(?<=^|[\s(])`{1,3}(?=[^\s`])([^`]{1,500})$/;
/** Words, names and paths; a text with other characters is code. */
const SAYABLE = /^[\p{L}\p{N}\s._/:@-]{1,40}$/u;
/** Three or more folders, or an absolute path. */
const LONG_PATH = /(?<![\w.:/\\-])(?:~|\.{1,2}|[A-Za-z]:)?(?:[/\\]?[\w.@+-]{1,100}[/\\]){3,40}[\w.@+-]{1,200}[/\\]?(?![\w/\\])/g;
const EMPHASIS = [
  /\*\*(?=\S)([^*\n]{1,500})\*\*/g,
  /(?<![\w*])\*(?=[^\s*])([^*\n]{0,500}[^\s*])\*(?![\w*])/g,
  /(?<!\w)__(?=\S)([^_\n]{1,500})__(?!\w)/g,
  /(?<!\w)_(?=\S)([^_\n]{0,500}\S)_(?!\w)/g,
  /~~(?=\S)([^~\n]{1,500})~~/g,
] as const;

/** Markup state between consecutive parts of an output. */
export interface MarkupPlace {
  /** Number of lines in the open code block; undefined outside of one. */
  readonly codeLines: number | undefined;
  readonly atLineStart: boolean;
  /** Within inline code that began in the same line. */
  readonly inCode: boolean;
}

export const MARKUP_START: MarkupPlace = { codeLines: undefined, atLineStart: true, inCode: false };

/** The spoken form of a part: markup is removed, code blocks become their number of lines. */
export function toSpokenPart(text: string, place: MarkupPlace, phrases: Phrases): readonly [spoken: string, place: MarkupPlace] {
  const spoken: string[] = [];
  let { codeLines, atLineStart, inCode } = place;
  const lines = text.split(/\r\n|\n|\r/);
  lines.forEach((line, index) => {
    const beginsLine = index > 0 || atLineStart;
    const goesOn = index === lines.length - 1 && line === "";
    if (beginsLine && FENCE.test(line)) {
      if (codeLines !== undefined) spoken.push(phrases.code(codeLines));
      codeLines = codeLines === undefined ? 0 : undefined;
      inCode = false;
    } else if (codeLines === undefined) {
      const rest = inCode && index === 0 ? afterCode(line) : line;
      inCode = rest === undefined || OPEN_CODE.test(rest.replace(INLINE_CODE, ""));
      if (rest !== undefined) spoken.push(withoutMarks(rest, beginsLine, phrases));
    } else if (!goesOn && beginsLine) codeLines++;
  });
  atLineStart = lines.at(-1) === "" && (lines.length > 1 || atLineStart);
  return [toSpoken(spoken.join("\n"), phrases), { codeLines, atLineStart, inCode }];
}

/** The spoken form of a whole text. An unclosed code block ends with the text. */
export function toSpokenWhole(text: string, phrases: Phrases): string {
  const [spoken, { codeLines }] = toSpokenPart(cutText(text, MAX_CHARACTERS), MARKUP_START, phrases);
  if (codeLines === undefined) return spoken;
  return `${spoken} ${phrases.code(codeLines)}`.trim();
}

function withoutMarks(line: string, beginsLine: boolean, phrases: Phrases): string {
  if (beginsLine && (RULE.test(line) || (line.includes("|") && TABLE_RULE.test(line)))) return "";
  let text = beginsLine ? line.replace(LINE_MARKS, "") : line;
  text = text.replace(PICTURE_OR_LINK, "$1").replace(ADDRESS, (_whole, host: string) => phrases.link(host));
  text = text.replace(INLINE_CODE, (_whole, _ticks, code: string) => inlineCode(code, phrases));
  text = text.replace(OPEN_CODE, (_whole, code: string) => inlineCode(code, phrases)).replaceAll("`", "");
  text = text.replace(TAG, "").replace(LONG_PATH, (path) => pathAloud(path, phrases));
  for (const mark of EMPHASIS) text = text.replace(mark, "$1");
  return /^\s*\|.*\|\s*$/.test(text)
    ? text
        .split("|")
        .map((cell) => cell.trim())
        .filter((cell) => cell !== "")
        .join(", ")
    : text;
}

/** The text after inline code that began earlier; undefined while it continues. */
function afterCode(line: string): string | undefined {
  const end = line.indexOf("`");
  return end < 0 ? undefined : line.slice(end + 1);
}

/** Code is not read out, except a name or a word, and a path by its file name. */
function inlineCode(code: string, phrases: Phrases): string {
  const text = code.trim();
  if (/^(?:~|\.{1,2}|[A-Za-z]:)?[/\\]?(?:[\w.@+-]+[/\\])+[\w.@+-]+$/.test(text)) return pathAloud(text, phrases);
  return SAYABLE.test(text) ? text : phrases.snippet;
}

/** `words.ts in announce`: the file comes first, which suffices for those who know the project. */
function pathAloud(path: string, phrases: Phrases): string {
  const parts = path.split(/[/\\]/).filter((part) => part !== "" && part !== ".");
  const name = parts.at(-1) ?? path;
  const folder = parts.at(-2);
  return folder === undefined || parts.length < 3 ? path : phrases.file(name, folder);
}

/** The beginning of a text without splitting characters. */
export function cutText(text: string, characters: number): string {
  if (text.length <= characters) return text.isWellFormed() ? text : text.toWellFormed();
  return text
    .slice(0, characters)
    .replace(/[\ud800-\udbff]$/, "")
    .toWellFormed();
}

const WORDS = new Intl.Segmenter(undefined, { granularity: "word" });
/** Symbols, emoji and endless words take time to speak as well. */
const CHARACTERS_OF_A_WORD = 25;

/** The beginning of a text up to the last whole word that fits, and the number of remaining words. */
export function cutToWords(text: string, most: number): { readonly text: string; readonly left: number } {
  const all = countSpokenWords(text);
  if (all <= most) return { text, left: 0 };
  let end = 0;
  let words = 0;
  for (const { segment, index, isWordLike } of WORDS.segment(text)) {
    if (isWordLike === true && ++words > most) break;
    if (index + segment.length > most * CHARACTERS_OF_A_WORD) break;
    end = index + segment.length;
  }
  const kept = end === 0 ? cutText(text, most * CHARACTERS_OF_A_WORD) : text.slice(0, end).trimEnd();
  return { text: kept, left: Math.max(1, all - countSpokenWords(kept)) };
}

/** The speaking length of a text, including languages without spaces between words. */
export function countSpokenWords(text: string): number {
  let words = 0;
  for (const { isWordLike } of WORDS.segment(text)) if (isWordLike === true) words++;
  return Math.max(words, Math.ceil(text.length / CHARACTERS_OF_A_WORD));
}
