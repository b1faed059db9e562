import { DescriptionWords } from "@earshot/narrate";
import { plainText } from "./plain-text.ts";

/** The limits for a displayed text. */
export interface PassageLimits {
  readonly characters: number;
  readonly lines: number;
}

export const UNCUT: PassageLimits = { characters: Number.POSITIVE_INFINITY, lines: Number.POSITIVE_INFINITY };

/** A text as lines that are safe for a terminal, and the amount left out. */
export interface Passage {
  readonly lines: readonly string[];
  /** `1,204 more characters`; empty if nothing is left out. */
  readonly left: string;
}

/** The words for what is left out. */
export type TextWords = DescriptionWords["sessions"]["texts"];

export const ENGLISH_TEXTS: TextWords = new DescriptionWords({ language: "en", isShort: false }).sessions.texts;

const LINE_BREAKS = /\r\n|[\n\r\u0085\u2028\u2029]/;
/** Up to this many empty lines are dropped, as paragraph breaks. More may be meant to push text out of sight, so they are reported. */
const EMPTY_LINES_DROPPED = 3;

/**
 * Splits an agent's text into lines and passes each through `plainText`. Empty lines are dropped, because a screen reader says "blank"
 * for each; a long run of them is replaced by its count. The text is cut at the end only, and the rest is counted.
 */
export function toPassage(text: string, { characters, lines: most }: PassageLimits, texts: TextWords = ENGLISH_TEXTS): Passage {
  const trimmed = text.trim();
  const kept = cutAt(trimmed, characters);
  const all = withoutEmpty(kept.split(LINE_BREAKS), texts);
  const lines = all.slice(0, most);
  const later = all.slice(most).reduce((sum, line) => sum + line.length, 0);
  const left = trimmed.length - kept.length + later;
  return {
    lines: lines.map(toLine),
    left: left === 0 ? "" : texts.moreCharacters(left),
  };
}

/** Avoids cutting between the halves of a surrogate pair. */
export function cutAt(text: string, characters: number): string {
  return text.length <= characters ? text : text.slice(0, characters).replace(/[\ud800-\udbff]$/, "");
}

/** Tabs indent code; a screen reader would read them aloud as `\t`. */
function toLine(line: string): string {
  return plainText(line.replaceAll("\t", "  ").trimEnd());
}

function withoutEmpty(lines: readonly string[], { emptyLines }: TextWords): readonly string[] {
  const kept: string[] = [];
  let empty = 0;
  for (const line of lines) {
    if (line.trim() === "") {
      empty++;
      continue;
    }
    if (empty > EMPTY_LINES_DROPPED) kept.push(emptyLines(empty));
    empty = 0;
    kept.push(line);
  }
  return kept;
}
