import type { SignNames } from "./sign-names.ts";
import { signsFor } from "./signs-for.ts";
import { type SpokenToken, splitSpokenTokens, spokenSign, spokenSpace } from "./spoken-tokens.ts";

/** Longer texts are cut, and the remaining length is announced. */
export const MAX_EXACT_CHARACTERS = 10_000;

/**
 * The exact text, to be heard: words as words, and every sign, space and capital letter by its name. Characters that a screen
 * would hide, or that look like others, are named.
 *
 *     rm -rf / tmp    rm, space, dash rf, space, slash, space, tmp
 *     rm -rf /tmp     rm, space, dash rf, space, slash tmp
 *
 * Two different texts, up to `MAX_EXACT_CHARACTERS` characters, give two different spoken texts, also without commas and upper case.
 * That holds because what is spoken can be read back word by word: no name of a character is the beginning of another one, a
 * word of the text that begins like a name has `word` before it, and capitals are told by a word before them.
 */
export function spellExactly(text: string, language: string): string {
  const names = signsFor(language);
  let spoken = "";
  let wasSpace = false;
  for (const token of splitSpokenTokens(text.slice(0, MAX_EXACT_CHARACTERS), names)) {
    const isSpace = token.is === "space";
    // Listeners expect a pause at a space.
    const pause = isSpace || wasSpace ? ", " : " ";
    spoken += `${spoken === "" ? "" : pause}${plainly(token, names)}`;
    wasSpace = isSpace;
  }
  return announceRest(spoken, text, names);
}

/** Announces how much of a text was left out. */
export function announceRest(spoken: string, text: string, { left }: SignNames): string {
  return text.length <= MAX_EXACT_CHARACTERS ? spoken : `${spoken}. ${left(text.length - MAX_EXACT_CHARACTERS)}`;
}

function plainly(token: SpokenToken, names: SignNames): string {
  switch (token.is) {
    case "space":
      return spokenSpace(token.count, names);
    case "sign":
      return spokenSign(token.name, token.count, names);
    case "kept":
      return `${token.script} ${token.word}`;
    case "digits":
      return digitsAloud(token.digits);
    case "word":
      return wordAloud(token.word, names);
  }
}

/** Short numbers as numbers; longer ones, and those that begin with zero, digit by digit. */
function digitsAloud(digits: string): string {
  return digits.length <= 3 && !/^0./.test(digits) ? digits : [...digits].join(" ");
}

function wordAloud(word: string, names: SignNames): string {
  const small = word.toLowerCase();
  const said = reservedIn(names).has(small) ? `${names.word} ${word}` : word;
  if (word === small) return said;
  return `${word.length > 1 && word === word.toUpperCase() ? names.capitals : names.capital} ${said}`;
}

const RESERVED = new Map<SignNames, ReadonlySet<string>>();

/** First words of sign names, which are marked when they occur as text. */
function reservedIn(names: SignNames): ReadonlySet<string> {
  const known = RESERVED.get(names);
  if (known !== undefined) return known;
  const phrases = [
    ...Object.values(names.signs),
    ...Object.values(names.hidden),
    ...Object.values(names.marks),
    ...Object.values(names.scripts),
    ...names.cyrillic,
    ...names.greek,
    ...names.soundsAlike,
    ...[names.space, names.times, names.capital, names.capitals, names.word, names.character, names.combining],
  ];
  const reserved = new Set(phrases.map((phrase) => phrase.toLowerCase().split(" ")[0] ?? ""));
  RESERVED.set(names, reserved);
  return reserved;
}
