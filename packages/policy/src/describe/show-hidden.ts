import names from "./hidden-characters.json" with { type: "json" };

/** A text as it really is, with characters that a screen would hide written out. */
export interface VisibleTextParts {
  readonly shown: string;
  readonly hidden: readonly HiddenText[];
}

export interface HiddenText {
  readonly kind: "direction" | "invisible" | "control" | "space" | "padding" | "look-alike";
  /** A whole sentence. */
  readonly told: string;
}

/** A part that a screen would hide, at its position. */
export interface HiddenPart {
  /** Its display name: `U+202E right-to-left override`, `300 spaces`. */
  readonly name: string;
  /** The character; absent for padding. */
  readonly character?: string;
}

const NAMES: Readonly<Record<string, string>> = names;

const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const INVISIBLE =
  /[\u00ad\u115f\u1160\u180e\u200b-\u200d\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e007f}]|\u034f|\u17b4|\u17b5|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb\p{Cs}]/u; // also halves of characters
const SPACE = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/u;
const ANY_HIDDEN = new RegExp([DIRECTION, INVISIBLE, CONTROL, SPACE].map(({ source }) => source).join("|"), "gu");
/** More empty lines, or more spaces within a line, than a legitimate text needs. */
const PADDING = /\n(?:[ \t]*\n){3,}|(?<=\S)[ \t]{16,}(?=\S)|[ \t]{60,}/g;
const MAX_TOLD = 20;
const MAX_MIXED = 5;
const MAX_CHARACTERS = 100_000;

/** Writes out invisible characters, folds padding, and marks letters that look like others. */
export function showHidden(text: string): VisibleTextParts {
  const parts = findHiddenParts(text);
  const hidden = parts.filter((part) => typeof part !== "string");
  const counts = new Map<string, number>();
  for (const { character } of hidden) if (character !== undefined) counts.set(character, (counts.get(character) ?? 0) + 1);
  const padding = hidden.filter(({ character }) => character === undefined);
  const told: readonly HiddenText[] = [
    ...padding.map(({ name }) => ({ kind: "padding" as const, told: `${name} push what follows out of sight.` })),
    ...[...counts].map(([one, count]) => ({ kind: kindOf(one), told: `${nameOf(one)}, ${count === 1 ? "once" : `${count} times`}.` })),
    ...lookAlikes(text),
  ];
  return { shown: parts.map((part) => (typeof part === "string" ? part : `⟨${part.name}⟩`)).join(""), hidden: told.slice(0, MAX_TOLD) };
}

/** Splits a text into visible and hidden parts, for a surface that shows hidden parts in its own way. */
export function findHiddenParts(text: string, { foldsPadding = true } = {}): readonly (string | HiddenPart)[] {
  const parts: (string | HiddenPart)[] = [];
  let from = 0;
  const add = (shown: string) => parts.push(...cutCharacters(shown));
  for (const { 0: run, index } of foldsPadding ? text.matchAll(PADDING) : []) {
    const lines = run.split("\n").length - 1;
    const [edge, name] = lines > 0 ? ["\n", `${lines} line breaks`] : [" ", `${run.length} spaces`];
    add(`${text.slice(from, index)}${edge}`);
    parts.push({ name });
    add(edge);
    from = index + run.length;
  }
  add(text.slice(from));
  return parts.reduce(join, []);
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

/** Appends a part; skips empty text and merges adjacent texts. */
function join(whole: (string | HiddenPart)[], part: string | HiddenPart): (string | HiddenPart)[] {
  const last = whole.at(-1);
  if (typeof part === "string" && typeof last === "string") whole[whole.length - 1] = last + part;
  else if (part !== "") whole.push(part);
  return whole;
}

function kindOf(character: string): HiddenText["kind"] {
  if (DIRECTION.test(character)) return "direction";
  if (INVISIBLE.test(character)) return "invisible";
  return CONTROL.test(character) ? "control" : "space";
}

function nameOf(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return NAMES[hex] === undefined ? `U+${hex}` : `U+${hex} ${NAMES[hex]}`;
}

const LATIN = /\p{Script=Latin}/u;
const OTHER =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\uff21-\uff5a\u{1d400}-\u{1d7ff}]/gu;

/** Words that mix letters of several alphabets. */
function lookAlikes(text: string): readonly HiddenText[] {
  if (text.search(OTHER) < 0) return [];
  const words = new Set([...text.slice(0, MAX_CHARACTERS).matchAll(/[\p{L}\p{N}_-]{2,200}/gu)].map(([word]) => word));
  const mixed = [...words].filter((word) => word.search(OTHER) >= 0 && LATIN.test(word.replaceAll(OTHER, "")));
  return mixed.slice(0, MAX_MIXED).map((word) => {
    const letters = [...new Set(word.match(OTHER))].map((letter) => `${letter} (${nameOf(letter)})`).join(", ");
    return { kind: "look-alike", told: `“${word.slice(0, 60)}” mixes alphabets: ${letters}.` };
  });
}
