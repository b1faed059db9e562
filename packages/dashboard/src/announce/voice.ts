import type { Segment } from "@earshot/narrate";

export interface VoiceOptions {
  readonly paceWpm: number;
  /** In percent. */
  readonly volume: number;
  /** Of what names none. */
  readonly language: string;
  /** By language, the address of the voice that was chosen for it. */
  readonly voices: Readonly<Record<string, string>>;
}

/** How many words a minute most voices say at their usual rate. */
const USUAL_WPM = 180;
const SLOWEST = 0.5;
const FASTEST = 4;

/** The browser's own voices. There may be none; some browsers only list them after a while. */
export class Voice {
  /** Kept until they are over: some browsers forget the end of what nobody holds on to. */
  #utterances: SpeechSynthesisUtterance[] = [];
  #over: (() => void) | undefined;

  list(): readonly SpeechSynthesisVoice[] {
    return "speechSynthesis" in globalThis ? speechSynthesis.getVoices() : [];
  }

  /** Returns how to stop hearing of it. */
  onList(hear: () => void): () => void {
    if (!("speechSynthesis" in globalThis)) return () => {};
    speechSynthesis.addEventListener("voiceschanged", hear);
    return () => speechSynthesis.removeEventListener("voiceschanged", hear);
  }

  /** Fulfils when everything was said, or nothing more will be. */
  say(segments: readonly Segment[], { paceWpm, volume, language, voices }: VoiceOptions): Promise<void> {
    this.stop();
    const all = this.list();
    const utterances = segments.map((segment) => {
      const utterance = new SpeechSynthesisUtterance(segment.text);
      utterance.lang = segment.language ?? language;
      utterance.voice = voiceFor(utterance.lang, all, voices) ?? null;
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

/** The voice that was chosen for the language, or one that speaks it; of the same region, if there is one. */
export function voiceFor<One extends VoiceLike>(
  language: string,
  voices: readonly One[],
  chosen: Readonly<Record<string, string>>,
): One | undefined {
  const wanted = Object.hasOwn(chosen, primary(language)) ? chosen[primary(language)] : undefined;
  const fitting = voices.filter(({ lang }) => primary(lang) === primary(language));
  return (
    fitting.find(({ voiceURI }) => voiceURI === wanted) ??
    fitting.find(({ lang }) => lang.replace("_", "-").toLowerCase() === language.toLowerCase()) ??
    fitting.find((one) => one.default) ??
    fitting[0]
  );
}

/** `de-AT` is `de`. */
export function primary(language: string): string {
  return language.toLowerCase().split(/[-_]/)[0] ?? "";
}
