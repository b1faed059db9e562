import type { Announcement } from "@earshot/announcer";
import { earconFor } from "@earshot/announcer";
import { currentSettings } from "../settings.ts";
import { announceParts } from "./regions.ts";
import { Sounds } from "./sounds.ts";
import { BrowserVoice } from "./voice.ts";

const MINUTE_MS = 60_000;

/** Outputs an announcement through every channel that the user enabled. */
export class AnnouncementOutput {
  readonly voice = new BrowserVoice();
  readonly sounds = new Sounds();
  #enough: (() => void) | undefined;

  /** Resolves when speech has ended, or when the time needed to read the text has passed. */
  async speak({ about, urgency, segments, words, demanded }: Announcement): Promise<void> {
    const { sounds, volume, announces, speaks, paceWpm, language, voices } = currentSettings();
    const sound = earconFor(about);
    if (sounds && sound !== undefined) void this.sounds.play(sound, volume);
    const spoken = defaultLanguageFor(language);
    if (announces || demanded === true) {
      const parts = language === "system" ? segments : segments.map((one) => ({ language: spoken, ...one }));
      announceParts(urgency === "critical" ? "assertive" : "polite", parts);
    }
    if (speaks && this.voice.list().length > 0) return this.voice.speak(segments, { paceWpm, volume, language: spoken, voices });
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, (words * MINUTE_MS) / paceWpm);
      this.#enough = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  stop(): void {
    this.#enough?.();
    this.voice.stop();
  }
}

/** Returns the language of texts that do not declare one. */
export function defaultLanguageFor(setting: string): string {
  return setting === "system" ? navigator.language : setting;
}
