import { catalogueWords, type Phrases, phrasesFor, type WordsFor } from "@earshot/narrate";
import type { Announcer } from "./announcer.ts";
import { PacedAnnouncer } from "./paced-announcer.ts";
import { type AnnouncerSettings, changeAnnouncerSettings, DEFAULT_ANNOUNCER_SETTINGS } from "./settings.ts";

export interface AnnouncerOptions extends Partial<AnnouncerSettings> {
  readonly words?: WordsFor;
  /** By language. */
  readonly phrases?: (language: string) => Phrases;
}

export function createAnnouncer({ words = catalogueWords, phrases = phrasesFor, ...settings }: AnnouncerOptions = {}): Announcer {
  return new PacedAnnouncer({ words, phrases }, changeAnnouncerSettings(DEFAULT_ANNOUNCER_SETTINGS, settings));
}
