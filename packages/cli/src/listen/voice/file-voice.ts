import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { basename } from "node:path";
import type { Segment } from "@earshot/narrate";
import { limitFor } from "./engine-voice.ts";
import { findEngineVoice, listVoices, type SpeechEngine, toUtterable } from "./engines.ts";
import { runProgram } from "./run-program.ts";
import { inBreaths, type SpeechSettings, type SpeechVoice, type SpokenUtterance } from "./voice.ts";
import { cutSound, durationMs, readWav, type WavSound, wavHeader } from "./wav.ts";

const HEADER_BYTES = 44;
/** The maximum size of a WAV file. */
const MAX_BYTES = 0xffff_0000;

/**
 * `--voice file:out.wav`: espeak writes the speech to a file in real time, and interrupted texts only as far as they were spoken. The
 * file is complete after each breath.
 */
export class FileVoice implements SpeechVoice, Disposable {
  readonly isSpoken = true;
  readonly name: string;
  readonly #engine: SpeechEngine;
  readonly #path: string;
  readonly #voices: ReadonlyMap<string, string>;
  readonly #file: number;
  #size = 0;

  private constructor(engine: SpeechEngine, path: string, voices: ReadonlyMap<string, string>, filePath: string) {
    this.#engine = engine;
    this.#path = path;
    this.#voices = voices;
    this.name = `${engine.name}, ${basename(filePath)}`;
    this.#file = openSync(filePath, "w", 0o600);
    ftruncateSync(this.#file);
  }

  static async open(engine: SpeechEngine, path: string, filePath: string): Promise<FileVoice> {
    return new FileVoice(engine, path, await listVoices(engine, path), filePath);
  }

  speak(segments: readonly Segment[], manner: SpeechSettings): SpokenUtterance {
    const stop = new AbortController();
    return { over: this.#say(segments, manner, stop.signal), stop: () => stop.abort() };
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }

  async #say(segments: readonly Segment[], { paceWpm, language }: SpeechSettings, signal: AbortSignal): Promise<"said" | "stopped"> {
    for (const breath of inBreaths(segments, language)) {
      if (signal.aborted) return "stopped";
      const text = toUtterable(breath.text);
      const words = this.#engine.words({ text, paceWpm, language: breath.language, voice: findEngineVoice(breath.language, this.#voices) });
      const { output } = await runProgram(this.#path, [...words, "--stdout"], { limitMs: limitFor(text, paceWpm), input: text }).over;
      const sound = readWav(output);
      if (sound === undefined) throw new Error("it wrote no sound");
      const heardMs = await hearing(durationMs(sound), signal);
      this.#append(cutSound(sound, heardMs));
    }
    return signal.aborted ? "stopped" : "said";
  }

  #append({ samplesPerSecond, samples }: WavSound): void {
    if (this.#size + samples.length > MAX_BYTES) throw new Error("the file is full");
    writeSync(this.#file, samples, 0, samples.length, HEADER_BYTES + this.#size);
    this.#size += samples.length;
    writeSync(this.#file, wavHeader(samplesPerSecond, this.#size), 0, HEADER_BYTES, 0);
  }
}

/** Waits for the duration of the speech, or until it is stopped. Returns how much was heard. */
function hearing(ms: number, signal: AbortSignal): Promise<number> {
  if (signal.aborted) return Promise.resolve(0);
  const began = performance.now();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve(signal.aborted ? Math.min(ms, performance.now() - began) : ms);
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}
