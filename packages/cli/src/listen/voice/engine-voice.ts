import { spawn } from "node:child_process";
import type { Segment } from "@earshot/narrate";
import { findEngineVoice, listVoices, type SpeechEngine, toUtterable } from "./engines.ts";
import { runProgram } from "./run-program.ts";
import { inBreaths, type SpeechSettings, type SpeechVoice, type SpokenUtterance } from "./voice.ts";

/** A program that speaks, one process per breath: stopping it ends the process. */
export class EngineVoice implements SpeechVoice {
  readonly isSpoken = true;
  readonly #engine: SpeechEngine;
  readonly #path: string;
  readonly #voices: ReadonlyMap<string, string>;

  private constructor(engine: SpeechEngine, path: string, voices: ReadonlyMap<string, string>) {
    this.#engine = engine;
    this.#path = path;
    this.#voices = voices;
  }

  /** Queries its languages. */
  static async open(engine: SpeechEngine, path: string): Promise<EngineVoice> {
    return new EngineVoice(engine, path, await listVoices(engine, path));
  }

  get name(): string {
    return this.#engine.name;
  }

  speak(segments: readonly Segment[], manner: SpeechSettings): SpokenUtterance {
    const breaths = inBreaths(segments, manner.language);
    const { stopWords, textOn } = this.#engine;
    let isStopped = false;
    let running: ReturnType<typeof runProgram> | undefined;
    const run = async (): Promise<"said" | "stopped"> => {
      for (const breath of breaths) {
        if (isStopped) return "stopped";
        const text = toUtterable(breath.text);
        const voice = findEngineVoice(breath.language, this.#voices);
        const words = this.#engine.words({ text, paceWpm: manner.paceWpm, language: breath.language, voice });
        running = runProgram(this.#path, words, {
          limitMs: limitFor(text, manner.paceWpm),
          ...(textOn === "stdin" ? { input: text } : {}),
        });
        await running.over.catch((error: unknown) => {
          if (!isStopped) throw error;
        });
      }
      return isStopped ? "stopped" : "said";
    };
    return {
      over: run(),
      stop: () => {
        if (isStopped) return;
        isStopped = true;
        running?.stop();
        // Another process speaks and outlives this one.
        if (stopWords !== undefined) spawn(this.#path, stopWords, { stdio: "ignore" }).on("error", () => {});
      },
    };
  }
}

const CHARACTERS_PER_WORD = 5;
const MINUTE_MS = 60_000;
const PATIENCE_MS = 5000;
/** Engines deviate from the configured rate, and pause at commas. */
const PATIENT = 4;

/** A much longer duration means that the engine hangs. */
export function limitFor(text: string, paceWpm: number): number {
  return PATIENCE_MS + (PATIENT * (text.length / CHARACTERS_PER_WORD) * MINUTE_MS) / paceWpm;
}
