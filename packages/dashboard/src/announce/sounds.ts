import { EARCON_TONES, type EarconName, type EarconTone } from "@earshot/announcer";

export const SOUND_NAMES: Readonly<Record<EarconName, string>> = {
  request: "a request needs your answer",
  guard: "an agent is no longer gated",
  failure: "something failed",
  ended: "an agent is done",
};

const LOUDEST = 0.5;
const EDGE_SECONDS = 0.015;

/** `blocked`: the browser allows no sound before the first user interaction. `none`: the browser has no audio support. */
export type SoundState = "ready" | "blocked" | "none";

/** Sounds are synthesized when played; no file is loaded. */
export class Sounds {
  #context: AudioContext | undefined;

  /** The state as far as it can be determined without playing a sound. */
  get state(): SoundState {
    if (!("AudioContext" in globalThis)) return "none";
    const isAllowed = this.#context === undefined ? navigator.userActivation?.hasBeenActive !== false : this.#context.state === "running";
    return isAllowed ? "ready" : "blocked";
  }

  /** Returns whether the sound is audible. A call from a click or key handler unblocks a browser that blocks sounds. */
  async play(sound: EarconName, volume: number): Promise<boolean> {
    if (!(await this.wake())) return false;
    const context = this.#take();
    const loudness = context.createGain();
    loudness.gain.value = (LOUDEST * volume) / 100;
    loudness.connect(context.destination);
    for (const note of EARCON_TONES[sound]) strike(context, loudness, note);
    return true;
  }

  /** Asks the browser to allow sounds. */
  async wake(): Promise<boolean> {
    if (this.state === "none" || (this.#context === undefined && this.state === "blocked")) return false;
    const context = this.#take();
    // If sounds are blocked, this would wait for a user interaction.
    if (context.state !== "running")
      await Promise.race([context.resume().catch(() => {}), new Promise((resolve) => setTimeout(resolve, 200))]);
    return this.state === "ready";
  }

  #take(): AudioContext {
    this.#context ??= new AudioContext();
    return this.#context;
  }
}

function strike(context: AudioContext, loudness: AudioNode, [pitch, at, lasts]: EarconTone): void {
  const from = context.currentTime + at;
  const tone = context.createOscillator();
  const shape = context.createGain();
  tone.type = "triangle";
  tone.frequency.value = pitch;
  // Without ramps at both ends, the sound clicks.
  shape.gain.setValueAtTime(0, from);
  shape.gain.linearRampToValueAtTime(1, from + EDGE_SECONDS);
  shape.gain.setValueAtTime(1, from + lasts - EDGE_SECONDS);
  shape.gain.linearRampToValueAtTime(0, from + lasts);
  tone.connect(shape).connect(loudness);
  tone.start(from);
  tone.stop(from + lasts);
}
