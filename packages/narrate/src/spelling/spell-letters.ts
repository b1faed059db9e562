import type { SpellingOptions } from "../requests/request.ts";
import { nameCharacter } from "./name-character.ts";
import type { SignNames } from "./sign-names.ts";
import { signsFor } from "./signs-for.ts";
import { announceRest, MAX_EXACT_CHARACTERS } from "./spell-exactly.ts";
import { type SpokenToken, splitSpokenTokens, spokenSign, spokenSpace } from "./spoken-tokens.ts";

/**
 * A text letter by letter, by a spelling alphabet unless only the letters are wanted. Different texts are spelt differently, as
 * with `spellExactly`, and up to the same length.
 *
 *     rm -rf    Romeo, Mike, space, dash, Romeo, Foxtrot
 */
export function spellLetters(text: string, language: string, { alphabet = "words" }: SpellingOptions = {}): string {
  const names = signsFor(language);
  const spelt: string[] = [];
  for (const token of splitSpokenTokens(text.slice(0, MAX_EXACT_CHARACTERS), names))
    spelt.push(...letterByLetter(token, names, alphabet === "words"));
  return announceRest(spelt.join(", "), text, names);
}

function letterByLetter(token: SpokenToken, names: SignNames, byWords: boolean): readonly string[] {
  switch (token.is) {
    case "space":
      return [spokenSpace(token.count, names)];
    case "sign":
      return [spokenSign(token.name, token.count, names)];
    case "kept":
      return [...token.word].map((character) => nameCharacter(character, names));
    case "digits":
      return [...token.digits];
    case "word":
      return [...token.word].map((letter) => letterAloud(letter, names, byWords));
  }
}

function letterAloud(letter: string, { letters, spelling, capital }: SignNames, byWords: boolean): string {
  const small = letter.toLowerCase();
  const said = (byWords ? spelling[letters.indexOf(small)] : undefined) ?? small;
  return letter === small ? said : `${capital} ${said}`;
}
