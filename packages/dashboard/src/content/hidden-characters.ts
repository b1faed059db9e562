/** A character that nobody sees, or that makes text look like other text. */
export interface HiddenCharacter {
  readonly code: string;
  readonly name: string;
}

export type TextPart = string | HiddenCharacter;

const NAMES: Readonly<Record<number, string>> = {
  0: "null",
  7: "bell",
  8: "backspace",
  11: "vertical tab",
  12: "form feed",
  13: "carriage return",
  27: "escape",
  127: "delete",
  160: "no-break space",
  173: "soft hyphen",
  1564: "Arabic letter mark",
  8203: "zero-width space",
  8204: "zero-width non-joiner",
  8205: "zero-width joiner",
  8206: "left-to-right mark",
  8207: "right-to-left mark",
  8234: "left-to-right embedding",
  8235: "right-to-left embedding",
  8236: "end of direction",
  8237: "left-to-right override",
  8238: "right-to-left override",
  8288: "word joiner",
  8294: "left-to-right isolate",
  8295: "right-to-left isolate",
  8296: "first strong isolate",
  8297: "end of isolate",
  65279: "byte order mark",
};

/** What no honest prose needs: controls, overrides of direction, tags, halves of characters. */
const IN_PROSE = /[\p{Cc}\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\p{Cs}]|[\u{e0000}-\u{e007f}]/gu;
/** Where every character counts, whatever has no ink is shown besides. */
const IN_CODE =
  /[\p{Cc}\p{Cf}\p{Cs}\u00a0\u115f\u1160\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\u3164\uffa0]|\u034f|\u17b4|\u17b5|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu;
const USUAL: ReadonlySet<string> = new Set(["\n", "\t"]);

/** Cuts a text into what can be seen and what cannot. Line breaks and tabs are seen. */
export function findHidden(text: string, where: "prose" | "code"): readonly TextPart[] {
  const parts: TextPart[] = [];
  let seen = 0;
  const ends = text.replaceAll("\r\n", "\n");
  for (const { 0: character, index } of ends.matchAll(where === "prose" ? IN_PROSE : IN_CODE)) {
    if (USUAL.has(character)) continue;
    if (index > seen) parts.push(ends.slice(seen, index));
    parts.push(describe(character));
    seen = index + character.length;
  }
  if (seen < ends.length) parts.push(ends.slice(seen));
  return parts;
}

function describe(character: string): HiddenCharacter {
  const point = character.codePointAt(0) ?? 0;
  const code = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
  return { code, name: NAMES[point] ?? (point >= 0xe0000 ? "tag or variation" : "invisible character") };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colours in a terminal are written with
const COLOURS = /\u001b\[[0-9;:]*m/g;

/** Output of a terminal without its colours. Whatever else a terminal would obey stays, and is shown. */
export function withoutColours(text: string): string {
  return text.includes("\u001b") ? text.replaceAll(COLOURS, "") : text;
}
