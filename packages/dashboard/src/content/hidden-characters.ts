import { findHidden as findAll, type HiddenPart } from "@earshot/policy";

export type TextPart = string | HiddenPart;

/**
 * What counts as hidden. `input`: everything that an agent wants to do, where padding hides something too. `code`: every character
 * counts, but columns and empty lines are what they are. `prose`: what languages and emoji need stays as it is.
 */
export type TextKind = "prose" | "code" | "input";

/** What no honest prose needs: controls, overrides of direction, tags, halves of characters. */
const IN_PROSE = /^(?:[\p{Cc}\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\p{Cs}]|[\u{e0000}-\u{e007f}])$/u;

/** Cuts a text into what can be seen and what cannot. Line breaks and tabs are seen. */
export function findHidden(text: string, where: TextKind): readonly TextPart[] {
  if (where === "input") return findAll(text).flatMap((part) => (typeof part === "string" ? findWritten(part) : part));
  const parts = findAll(text.replaceAll("\r\n", "\n"), { foldsPadding: false });
  return where === "code" ? parts : onlyInProse(parts);
}

/** The hub writes out what is hidden in some of what it tells about an input. Marked too much is better than marked too little. */
const WRITTEN = /⟨(U\+[0-9A-F]{4,6}(?: [A-Za-z -]{1,40})?|\d{1,9} (?:spaces|line breaks))⟩/;

function findWritten(text: string): readonly TextPart[] {
  return text.split(WRITTEN).flatMap((part, index) => (index % 2 === 1 ? { name: part } : part === "" ? [] : part));
}

function onlyInProse(parts: readonly TextPart[]): readonly TextPart[] {
  const kept: TextPart[] = [];
  for (const part of parts) {
    const { character = "" } = typeof part === "string" ? { character: part } : part;
    const shown = typeof part === "string" || !IN_PROSE.test(character) ? character : part;
    const last = kept.at(-1);
    if (typeof shown === "string" && typeof last === "string") kept[kept.length - 1] = last + shown;
    else kept.push(shown);
  }
  return kept;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colours in a terminal are written with
const COLOURS = /\u001b\[[0-9;:]*m/g;

/** Output of a terminal without its colours. Whatever else a terminal would obey stays, and is shown. */
export function withoutColours(text: string): string {
  return text.includes("\u001b") ? text.replaceAll(COLOURS, "") : text;
}
