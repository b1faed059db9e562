import { formatNumber } from "@earshot/narrate";
import { plainText } from "./plain-text.ts";

/** How much of a text is shown. */
export interface Cutting {
  readonly characters: number;
  readonly lines: number;
}

export const UNCUT: Cutting = { characters: Number.POSITIVE_INFINITY, lines: Number.POSITIVE_INFINITY };

/** A text as lines that are fit for a terminal, and how much of it they leave out. */
export interface Passage {
  readonly lines: readonly string[];
  /** `1,204 more characters`; empty when everything is there. */
  readonly left: string;
}

const LINE_BREAKS = /\r\n|[\n\r\u0085\u2028\u2029]/;
/** Fewer are dropped: they part paragraphs. More may be there to push something out of sight, and are said. */
const EMPTY_LINES_DROPPED = 3;

/**
 * What an agent wrote, line by line, each through `plainText`. Empty lines go, since a listener would hear "blank"; many of
 * them are counted instead. What is cut is cut at the end, and counted.
 */
export function toPassage(text: string, { characters, lines: most }: Cutting): Passage {
  const trimmed = text.trim();
  const kept = cutAt(trimmed, characters);
  const all = withoutEmpty(kept.split(LINE_BREAKS));
  const lines = all.slice(0, most);
  const later = all.slice(most).reduce((sum, line) => sum + line.length, 0);
  const left = trimmed.length - kept.length + later;
  return {
    lines: lines.map(toLine),
    left: left === 0 ? "" : `${formatNumber(left)} more ${left === 1 ? "character" : "characters"}`,
  };
}

/** Cutting must not leave half a character behind. */
export function cutAt(text: string, characters: number): string {
  return text.length <= characters ? text : text.slice(0, characters).replace(/[\ud800-\udbff]$/, "");
}

/** Tabs indent code; written out as `\t` they would be heard instead. */
function toLine(line: string): string {
  return plainText(line.replaceAll("\t", "  ").trimEnd());
}

function withoutEmpty(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let empty = 0;
  for (const line of lines) {
    if (line.trim() === "") {
      empty++;
      continue;
    }
    if (empty > EMPTY_LINES_DROPPED) kept.push(`(${formatNumber(empty)} empty lines)`);
    empty = 0;
    kept.push(line);
  }
  return kept;
}
