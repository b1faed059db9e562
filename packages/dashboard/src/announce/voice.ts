import type { Segment } from "@earshot/narrate";

export interface VoiceOptions {
  readonly paceWpm: number;
  /** In percent. */
  readonly volume: number;
  /** Language of texts that do not declare one. */
  readonly language: string;
  /** URI of the selected voice, by language. */
  readonly voices: Readonly<Record<string, string>>;
}

/** Words per minute of most voices at their default rate. */
const USUAL_WPM = 180;
const SLOWEST = 0.5;
const FASTEST = 4;

/** The browser's own voices. There may be none; some browsers list them only after a delay. */
export class BrowserVoice {
  /** Referenced until they end: some browsers never fire `end` for a garbage-collected utterance. */
  #utterances: SpeechSynthesisUtterance[] = [];
  #over: (() => void) | undefined;

  list(): readonly SpeechSynthesisVoice[] {
    return "speechSynthesis" in globalThis ? speechSynthesis.getVoices() : [];
  }

  /** Returns the function that stops it. */
  onList(hear: () => void): () => void {
    if (!("speechSynthesis" in globalThis)) return () => {};
    speechSynthesis.addEventListener("voiceschanged", hear);
    return () => speechSynthesis.removeEventListener("voiceschanged", hear);
  }

  /** Resolves when all segments were spoken, or speech was stopped. */
  speak(segments: readonly Segment[], { paceWpm, volume, language, voices }: VoiceOptions): Promise<void> {
    this.stop();
    const all = this.list();
    const utterances = segments.map((segment) => {
      const utterance = new SpeechSynthesisUtterance(segment.text);
      utterance.lang = segment.language ?? language;
      utterance.voice = findBrowserVoice(utterance.lang, all, voices) ?? null;
      utterance.rate = Math.min(FASTEST, Math.max(SLOWEST, paceWpm / USUAL_WPM));
      utterance.volume = volume / 100;
      return utterance;
    });
    this.#utterances = utterances;
    return new Promise((resolve) => {
      this.#over = resolve;
      const end = (one: SpeechSynthesisUtterance) => {
        if (this.#utterances !== utterances || one !== utterances.at(-1)) return;
        this.#utterances = [];
        resolve();
      };
      for (const utterance of utterances) {
        utterance.addEventListener("end", () => end(utterance));
        utterance.addEventListener("error", () => end(utterance));
        speechSynthesis.speak(utterance);
      }
      if (utterances.length === 0) resolve();
    });
  }

  stop(): void {
    if (this.#utterances.length === 0) return;
    this.#utterances = [];
    speechSynthesis.cancel();
    this.#over?.();
  }
}

interface VoiceLike {
  readonly lang: string;
  readonly voiceURI: string;
  readonly default: boolean;
}

/** Returns the voice selected for the language, or any voice that speaks it, preferably of the same region. */
export function findBrowserVoice<One extends VoiceLike>(
  language: string,
  voices: readonly One[],
  chosen: Readonly<Record<string, string>>,
): One | undefined {
  const wanted = Object.hasOwn(chosen, primarySubtag(language)) ? chosen[primarySubtag(language)] : undefined;
  const fitting = voices.filter(({ lang }) => primarySubtag(lang) === primarySubtag(language));
  return (
    fitting.find(({ voiceURI }) => voiceURI === wanted) ??
    fitting.find(({ lang }) => lang.replace("_", "-").toLowerCase() === language.toLowerCase()) ??
    fitting.find((one) => one.default) ??
    fitting[0]
  );
}

/** `de-AT` → `de`. */
export function primarySubtag(language: string): string {
  return language.toLowerCase().split(/[-_]/)[0] ?? "";
}
