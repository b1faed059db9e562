import { phrasesIn } from "../sentences/phrases-in.ts";
import type { Phrases } from "../sentences/words.ts";
import { ENGLISH } from "./english.ts";

/** The announcer's own words in English. */
export const ENGLISH_PHRASES: Phrases = phrasesIn(ENGLISH);
