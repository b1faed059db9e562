import { ENGLISH } from "./english-catalogue.ts";
import { phrasesIn } from "./phrases-in.ts";
import type { Phrases } from "./words.ts";

/** Our own words in English. */
export const ENGLISH_PHRASES: Phrases = phrasesIn(ENGLISH);
