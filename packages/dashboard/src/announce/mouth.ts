import type { Announcement } from "@earshot/announcer";
import { soundOf } from "@earshot/announcer";
import { settings } from "../settings.ts";
import { tellParts } from "./regions.ts";
import { Sounds } from "./sounds.ts";
import { Voice } from "./voice.ts";

const MINUTE_MS = 60_000;

/** Outputs an announcement through every channel that the user enabled. */
export class Mouth {
  readonly voice = new Voice();
  readonly sounds = new Sounds();
  #enough: (() => void) | undefined;

  /** Resolves when speech has ended, or when the time needed to read the text has passed. */
  async say({ about, urgency, segments, words, demanded }: Announcement): Promise<void> {
    const { sounds, volume, announces, speaks, paceWpm, language, voices } = settings();
    const sound = soundOf(about);
    if (sounds && sound !== undefined) void this.sounds.play(sound, volume);
    const spoken = languageOf(language);
    if (announces || demanded === true) {
      const parts = language === "system" ? segments : segments.map((one) => ({ language: spoken, ...one }));
      tellParts(urgency === "critical" ? "assertive" : "polite", parts);
    }
    if (speaks && this.voice.list().length > 0) return this.voice.say(segments, { paceWpm, volume, language: spoken, voices });
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
export function languageOf(setting: string): string {
  return setting === "system" ? navigator.language : setting;
}
