/** The names of characters in one language. A missing name is a type error. */
export interface SignNames {
  /** BCP 47. */
  readonly language: string;
  /** Lower case letters that a voice of this language pronounces. Capitals are announced with `capital`. */
  readonly letters: string;
  readonly space: string;
  /** From 2 on: `4 spaces`. Must sound unlike a number followed by one space. */
  spaces(count: number): string;
  /** Between a number from 3 on and a name: `3 times dot`. */
  readonly times: string;
  /** Before a capitalized word, and before a word in capitals. */
  readonly capital: string;
  readonly capitals: string;
  /** Before a word that would sound like the name of a sign. */
  readonly word: string;
  /** Before the code point of an unnamed character. */
  readonly character: string;
  /** By character: all printable ASCII except letters, digits and the space. */
  readonly signs: Readonly<Record<string, string>>;
  /** Control and invisible characters by code point. */
  readonly hidden: Readonly<Record<number, string>>;
  /** Combining marks of Latin letters, by code point: `acute` precedes its letter, `combining` precedes the mark alone. */
  readonly marks: Readonly<Record<number, string>>;
  readonly combining: string;
  /** Precedes the name of a small or capital letter. */
  readonly cyrillic: readonly [small: string, capital: string];
  /** U+0430 to U+044F in order; see `MORE_CYRILLIC` for the others. */
  readonly cyrillicLetters: readonly string[];
  readonly greek: readonly [small: string, capital: string];
  /** Precede words in scripts that are spoken as they are. */
  readonly scripts: Readonly<Record<ScriptName, string>>;
  /** Further words that sound like a number or the name of a sign. */
  readonly soundsAlike: readonly string[];
  /** The spelling alphabet: a word for each letter from a to z, then for the further `letters`. */
  readonly spelling: readonly string[];
  part(number: number, of: number): string;
  left(characters: number): string;
}

/** Scripts that cannot be mistaken for Latin: their words are kept. */
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

/** Further letters; their names are the same in every language. */
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
