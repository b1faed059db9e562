import type { Sound } from "@earshot/announcer";
import type { Segment } from "@earshot/narrate";
import { plainText } from "../terminal/plain-text.ts";
import { LinesVoice, type Manner, type Utterance, type Voice } from "./voice/voice.ts";

export interface MouthPorts {
  readonly out: (text: string) => void;
  readonly manner: () => Manner;
  /** Plays a short sound and fulfils when it is over; left out where none are wanted. */
  readonly play?: (sound: Sound) => Promise<void>;
  /** Told once: from then on there are lines only. */
  readonly onFailure: (voice: string, why: string) => void;
}

/** Says one thing at a time, and prints it. Lines are only ever added. */
export class Mouth {
  readonly #ports: MouthPorts;
  #voice: Voice;
  #utterance: Utterance | undefined;
  #turn = 0;

  constructor(voice: Voice, ports: MouthPorts) {
    this.#voice = voice;
    this.#ports = ports;
  }

  /** Whether what is said can be heard, so that it takes its time to be known. */
  get isHeard(): boolean {
    return this.#voice.isHeard;
  }

  /** Stops what was being said. Fulfils with whether it was said to its end. */
  async say(segments: readonly Segment[], sound?: Sound): Promise<"said" | "stopped"> {
    // In one line, whatever is in it: nothing that an agent says looks like a line of ours.
    this.#ports.out(`${plainText(segments.map(({ text }) => text).join(" "))}\n`);
    return this.speak(segments, sound);
  }

  /** The same, for what stands there already. */
  async speak(segments: readonly Segment[], sound?: Sound): Promise<"said" | "stopped"> {
    this.stop();
    const turn = this.#turn;
    if (sound !== undefined) await this.#ports.play?.(sound);
    if (turn !== this.#turn) return "stopped";
    const voice = this.#voice;
    const utterance = voice.say(segments, this.#ports.manner());
    this.#utterance = utterance;
    try {
      return await utterance.over;
    } catch (error) {
      this.#replace(voice, error);
      // It stands there as a line, and that has to do.
      return turn === this.#turn ? "said" : "stopped";
    }
  }

  /** Lines of our own. */
  print(text: string): void {
    for (const line of text.trimEnd().split("\n")) this.#ports.out(`${plainText(line)}\n`);
  }

  stop(): void {
    this.#turn++;
    this.#utterance?.stop();
    this.#utterance = undefined;
  }

  #replace(voice: Voice, error: unknown): void {
    if (this.#voice !== voice) return;
    this.#voice = new LinesVoice();
    this.#ports.onFailure(voice.name, error instanceof Error ? error.message : "for an unknown reason");
  }
}
