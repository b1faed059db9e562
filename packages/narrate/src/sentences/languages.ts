import { matchLanguage } from "@earshot/aaep/speaking";
import type { Catalogue } from "../words/catalogue.ts";
import { ENGLISH } from "../words/english.ts";
import { ENGLISH_PHRASES } from "../words/english-phrases.ts";
import { GERMAN } from "../words/german.ts";
import { phrasesIn } from "./phrases-in.ts";
import type { LanguageWords } from "./reading.ts";
import type { Phrases, WordsFor } from "./words.ts";
import { wordsInLanguage } from "./words-in.ts";

interface Spoken extends LanguageWords {
  readonly words: WordsFor;
}

/** All languages; the first is the default. Another language is a catalogue and a line here. */
const ALL: readonly [Spoken, ...Spoken[]] = [spoken(ENGLISH, ENGLISH_PHRASES), spoken(GERMAN)];

/** BCP 47. */
export const LANGUAGES: readonly string[] = ALL.map(({ catalogue }) => catalogue.language);

/** Words for activities in a language (`de-AT` uses German), or else in English. */
export function wordsForLanguage(language: string): WordsFor {
  return find(language).words;
}

/** The announcer's own phrases in a language, or else in English. */
export function phrasesFor(language: string): Phrases {
  return find(language).phrases;
}

export function languageWordsFor(language: string): LanguageWords {
  return find(language);
}

export const englishWords: WordsFor = ALL[0].words;

/** Each activity in the language requested for it. */
export const catalogueWords: WordsFor = (activity, verbosity, language) => find(language).words(activity, verbosity, language);

function find(language: string): Spoken {
  const found = matchLanguage(language, LANGUAGES);
  return ALL.find(({ catalogue }) => catalogue.language === found) ?? ALL[0];
}

function spoken(catalogue: Catalogue, phrases: Phrases = phrasesIn(catalogue)): Spoken {
  const tongue = { catalogue, phrases };
  return { ...tongue, words: wordsInLanguage(tongue) };
}
