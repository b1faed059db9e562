/** What characters are called in one language. The shape of every language: a missing name is a type error. */
export interface SignNames {
  /** BCP 47. */
  readonly language: string;
  /** Letters that a voice of this language says as they are, small ones. Their capitals are told by `capital`. */
  readonly letters: string;
  readonly space: string;
  /** From 2 on: `4 spaces`. Sounds unlike a number that is followed by one space. */
  spaces(count: number): string;
  /** Between a number from 3 and a name: `3 times dot`. */
  readonly times: string;
  /** Before a word that begins with a capital letter, and before one that is all capitals. */
  readonly capital: string;
  readonly capitals: string;
  /** Before a word that would otherwise sound like the name of a sign. */
  readonly word: string;
  /** Before the number of a character that has no name here. */
  readonly character: string;
  /** By character, all printable ASCII but letters, digits and the space. */
  readonly signs: Readonly<Record<string, string>>;
  /** Control characters and those that nobody sees, by code point. */
  readonly hidden: Readonly<Record<number, string>>;
  /** Combining marks of Latin letters, by code point: `acute` stands before its letter, `combining` before the mark alone. */
  readonly marks: Readonly<Record<number, string>>;
  readonly combining: string;
  /** Before the name of a letter of the alphabet: small and capital. */
  readonly cyrillic: readonly [small: string, capital: string];
  /** From U+0430 to U+044F in order, see `MORE_CYRILLIC` for the others. */
  readonly cyrillicLetters: readonly string[];
  readonly greek: readonly [small: string, capital: string];
  /** Before words in scripts that are heard as they are. */
  readonly scripts: Readonly<Record<ScriptName, string>>;
  /** Words that sound like a number or the name of a sign, besides the names themselves. */
  readonly soundsAlike: readonly string[];
  /** For spelling: a word for each letter, in order from a to z, then those of `letters` that are beyond. */
  readonly spelling: readonly string[];
  part(number: number, of: number): string;
  left(characters: number): string;
}

/** Scripts that nobody takes for Latin: their words are kept. */
export const KEPT_SCRIPTS = {
  han: /\p{Script=Han}/u,
  hiragana: /\p{Script=Hiragana}/u,
  katakana: /\p{Script=Katakana}/u,
  hangul: /[가-힣]/u,
  arabic: /\p{Script=Arabic}/u,
  hebrew: /\p{Script=Hebrew}/u,
  devanagari: /\p{Script=Devanagari}/u,
  thai: /\p{Script=Thai}/u,
} as const;
export type ScriptName = keyof typeof KEPT_SCRIPTS;

/** Letters beyond those in order; the names are the same in every language. */
export const MORE_CYRILLIC: Readonly<Record<number, string>> = {
  1105: "io",
  1108: "ukrainian-ie",
  1109: "dze",
  1110: "ukrainian-i",
  1111: "yi",
  1112: "je",
  1211: "shha",
  1281: "komi-de",
  1307: "qa",
  1309: "we",
};

/** From U+03B1 on. */
export const GREEK =
  "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho final-sigma sigma tau upsilon phi chi psi omega".split(
    " ",
  );
