/** A text as it really is: what a screen would hide is written out. */
export interface ShownText {
  readonly shown: string;
  readonly hidden: readonly HiddenText[];
}

export interface HiddenText {
  readonly kind: "direction" | "invisible" | "control" | "space" | "padding" | "look-alike";
  /** A whole sentence. */
  readonly told: string;
}

/** Something that a screen would hide, in the place where it stands. */
export interface HiddenPart {
  /** What it is called: `U+202E right-to-left override`, `300 spaces`. */
  readonly name: string;
  /** The character; left out for padding. */
  readonly character?: string;
}

const NAMES: Readonly<Record<number, string>> = {
  0: "null",
  7: "bell",
  8: "backspace",
  13: "carriage return",
  27: "escape",
  127: "delete",
  173: "soft hyphen",
  1564: "Arabic letter mark",
  6158: "Mongolian vowel separator",
  8203: "zero width space",
  8204: "zero width non-joiner",
  8205: "zero width joiner",
  8206: "left-to-right mark",
  8207: "right-to-left mark",
  8232: "line separator",
  8233: "paragraph separator",
  8234: "left-to-right embedding",
  8235: "right-to-left embedding",
  8236: "end of direction",
  8237: "left-to-right override",
  8238: "right-to-left override",
  8288: "word joiner",
  8294: "left-to-right isolate",
  8295: "right-to-left isolate",
  8296: "isolate",
  8297: "end of isolate",
  65279: "byte order mark",
  12644: "Hangul filler",
  4447: "Hangul filler",
  65440: "Hangul filler",
};

const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const INVISIBLE =
  /[\u00ad\u115f\u1160\u180e\u200b-\u200d\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e007f}]|\u034f|\u17b4|\u17b5|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb\p{Cs}]/u; // also halves of characters
const SPACE = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/u;
const ANY_HIDDEN = new RegExp([DIRECTION, INVISIBLE, CONTROL, SPACE].map(({ source }) => source).join("|"), "gu");
/** More empty lines, or more spaces within a line, than anybody needs. */
const PADDING = /\n(?:[ \t]*\n){3,}|(?<=\S)[ \t]{16,}(?=\S)|[ \t]{60,}/g;
const MOST_TOLD = 20;

/** Writes out what cannot be seen, folds padding, and points at letters that look like others. */
export function showHidden(text: string): ShownText {
  const hidden: HiddenText[] = [];
  const seen = new Map<string, number>();
  const parts = findHidden(text);
  for (const part of parts) {
    if (typeof part === "string") continue;
    const { name, character } = part;
    if (character !== undefined) seen.set(character, (seen.get(character) ?? 0) + 1);
    else if (hidden.length < MOST_TOLD) hidden.push({ kind: "padding", told: `${name} push what follows out of sight.` });
  }
  const shown = parts.map((part) => (typeof part === "string" ? part : `⟨${part.name}⟩`)).join("");
  for (const [character, count] of seen) {
    if (hidden.length >= MOST_TOLD) break;
    hidden.push({ kind: kindOf(character), told: `${nameOf(character)}, ${count === 1 ? "once" : `${count} times`}.` });
  }
  for (const word of lookAlikes(text)) if (hidden.length < MOST_TOLD) hidden.push(word);
  return { shown, hidden };
}

/** Cuts a text into what can be seen and what cannot: for whoever shows the latter in a way of its own. */
export function findHidden(text: string, { foldsPadding = true } = {}): readonly (string | HiddenPart)[] {
  const parts: (string | HiddenPart)[] = [];
  let from = 0;
  for (const { 0: run, index } of foldsPadding ? text.matchAll(PADDING) : []) {
    const lines = run.split("\n").length - 1;
    const [edge, name] = lines > 0 ? ["\n", `${lines} line breaks`] : [" ", `${run.length} spaces`];
    parts.push(...cutCharacters(`${text.slice(from, index)}${edge}`), { name }, edge);
    from = index + run.length;
  }
  return joined([...parts, ...cutCharacters(text.slice(from))]);
}

function cutCharacters(text: string): readonly (string | HiddenPart)[] {
  const parts: (string | HiddenPart)[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(ANY_HIDDEN)) {
    parts.push(text.slice(from, index), { name: nameOf(character), character });
    from = index + character.length;
  }
  return [...parts, text.slice(from)];
}

/** Without empty texts, and with one text where there were several side by side. */
function joined(parts: readonly (string | HiddenPart)[]): readonly (string | HiddenPart)[] {
  const whole: (string | HiddenPart)[] = [];
  for (const part of parts) {
    const last = whole.at(-1);
    if (typeof part === "string" && typeof last === "string") whole[whole.length - 1] = last + part;
    else if (part !== "") whole.push(part);
  }
  return whole;
}

function kindOf(character: string): HiddenText["kind"] {
  if (DIRECTION.test(character)) return "direction";
  if (INVISIBLE.test(character)) return "invisible";
  return CONTROL.test(character) ? "control" : "space";
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  return NAMES[code] === undefined ? hex : `${hex} ${NAMES[code]}`;
}

const LATIN = /\p{Script=Latin}/u;
const OTHER =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\uff21-\uff5a\u{1d400}-\u{1d7ff}]/gu;

/** Words that mix letters of several alphabets. */
function lookAlikes(text: string): readonly HiddenText[] {
  OTHER.lastIndex = 0;
  if (!OTHER.test(text)) return [];
  const words = new Set([...text.slice(0, 100_000).matchAll(/[\p{L}\p{N}_-]{2,200}/gu)].map(([word]) => word));
  const found: HiddenText[] = [];
  for (const word of words) {
    const others = word.match(OTHER);
    if (others === null || !LATIN.test(word.replaceAll(OTHER, ""))) continue;
    const letters = [...new Set(others)].map((letter) => `${letter} (${nameOf(letter)})`).join(", ");
    found.push({ kind: "look-alike", told: `“${word.slice(0, 60)}” mixes alphabets: ${letters}.` });
    if (found.length >= 5) break;
  }
  return found;
}
