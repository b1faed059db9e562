import type { Announcer } from "./announcer.ts";
import { ENGLISH_PHRASES } from "./english-phrases.ts";
import { englishWords } from "./english-words.ts";
import { PacedAnnouncer } from "./paced-announcer.ts";
import { type AnnouncerSettings, changeSettings, DEFAULT_SETTINGS } from "./settings.ts";
import type { Phrases, WordsFor } from "./words.ts";

export interface AnnouncerOptions extends Partial<AnnouncerSettings> {
  readonly words?: WordsFor;
  /** By language. */
  readonly phrases?: (language: string) => Phrases;
}

export function createAnnouncer({ words = englishWords, phrases = () => ENGLISH_PHRASES, ...settings }: AnnouncerOptions = {}): Announcer {
  return new PacedAnnouncer({ words, phrases }, changeSettings(DEFAULT_SETTINGS, settings));
}
