import { matchLanguage } from "@earshot/aaep/speaking";
import { ENGLISH_SIGNS } from "../words/english-signs.ts";
import { GERMAN_SIGNS } from "../words/german-signs.ts";
import type { SignNames } from "./sign-names.ts";

const ALL: readonly SignNames[] = [ENGLISH_SIGNS, GERMAN_SIGNS];

/** The names of signs in a language, or else in English. */
export function signsFor(language: string): SignNames {
  const found = matchLanguage(
    language,
    ALL.map((one) => one.language),
  );
  return ALL.find((one) => one.language === found) ?? ENGLISH_SIGNS;
}
