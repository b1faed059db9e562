import type { EarconName } from "@earshot/announcer";
import type { Segment } from "@earshot/narrate";
import { plainText } from "@earshot/terminal/plain-text";
import { LinesVoice, type SpeechSettings, type SpeechVoice, type SpokenUtterance } from "./voice/voice.ts";

export interface SpeechOutputPorts {
  readonly out: (text: string) => void;
  readonly manner: () => SpeechSettings;
  /** Plays a short sound and fulfills at its end; left out if sounds are off. */
  readonly play?: (sound: EarconName) => Promise<void>;
  /** Called once: from then on only lines are printed. */
  readonly onFailure: (voice: string, why: string) => void;
}

/** Speaks and prints one text at a time. Output is append-only. */
export class SpeechOutput {
  readonly #ports: SpeechOutputPorts;
  #voice: SpeechVoice;
  #utterance: SpokenUtterance | undefined;
  #turn = 0;

  constructor(voice: SpeechVoice, ports: SpeechOutputPorts) {
    this.#voice = voice;
    this.#ports = ports;
  }

  /** Whether texts are audible, so that they take time. */
  get isSpoken(): boolean {
    return this.#voice.isSpoken;
  }

  /** Stops the current text. Fulfills with whether it was spoken to its end. */
  async printAndSpeak(segments: readonly Segment[], sound?: EarconName): Promise<"said" | "stopped"> {
    // On one line: nothing from an agent can look like a line of Earshot's.
    this.#ports.out(`${plainText(segments.map(({ text }) => text).join(" "))}\n`);
    return this.speak(segments, sound);
  }

  /** As `printAndSpeak`, for text that is already printed. */
  async speak(segments: readonly Segment[], sound?: EarconName): Promise<"said" | "stopped"> {
    this.stop();
    const turn = this.#turn;
    if (sound !== undefined) await this.#ports.play?.(sound);
    if (turn !== this.#turn) return "stopped";
    const voice = this.#voice;
    const utterance = voice.speak(segments, this.#ports.manner());
    this.#utterance = utterance;
    try {
      return await utterance.over;
    } catch (error) {
      this.#replace(voice, error);
      // The printed line has to suffice.
      return turn === this.#turn ? "said" : "stopped";
    }
  }

  /** Lines of Earshot's own. */
  print(text: string): void {
    for (const line of text.trimEnd().split("\n")) this.#ports.out(`${plainText(line)}\n`);
  }

  stop(): void {
    this.#turn++;
    this.#utterance?.stop();
    this.#utterance = undefined;
  }

  #replace(voice: SpeechVoice, error: unknown): void {
    if (this.#voice !== voice) return;
    this.#voice = new LinesVoice();
    this.#ports.onFailure(voice.name, error instanceof Error ? error.message : "for an unknown reason");
  }
}
