import { findHiddenParts as findAll, type HiddenPart } from "@earshot/policy";

export type TextPart = string | HiddenPart;

/**
 * The kind of text decides which characters count as hidden. `input`: an agent's requested input, where even padding can hide something.
 * `code`: every character counts, but alignment and empty lines are legitimate. `prose`: characters that languages and emoji need are kept.
 */
export type TextKind = "prose" | "code" | "input";

/** Characters that legitimate prose never needs: controls, bidirectional overrides, tags, lone surrogates. */
const IN_PROSE = /^(?:[\p{Cc}\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\p{Cs}]|[\u{e0000}-\u{e007f}])$/u;

/** Splits a text into visible and hidden parts. Line breaks and tabs are visible. */
export function splitHidden(text: string, where: TextKind): readonly TextPart[] {
  if (where === "input") return findAll(text).flatMap((part) => (typeof part === "string" ? findWritten(part) : part));
  const parts = findAll(text.replaceAll("\r\n", "\n"), { foldsPadding: false });
  return where === "code" ? parts : onlyInProse(parts);
}

/** The hub escapes hidden characters in some of its texts about an input. Marking too much is better than too little. */
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

/** Removes color codes from terminal output. All other control sequences are kept and shown. */
export function withoutColours(text: string): string {
  return text.includes("\u001b") ? text.replaceAll(COLOURS, "") : text;
}
