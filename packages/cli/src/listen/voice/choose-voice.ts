import { resolve } from "node:path";
import { EarshotError } from "@earshot/protocol/problem";
import type { ScreenReader } from "../screen-readers.ts";
import { EngineVoice } from "./engine-voice.ts";
import { commandEngine, ENGINES, type SpeechEngine } from "./engines.ts";
import { FileVoice } from "./file-voice.ts";
import { LinesVoice, type SpeechVoice } from "./voice.ts";

export interface VoiceChoice {
  /** `--voice`: a command, an engine's name, or `file:out.wav`. */
  readonly voice: string | undefined;
  /** `--lines`. */
  readonly linesOnly: boolean;
  /** Whether the output is a terminal. */
  readonly isTerminal: boolean;
}

export interface VoicePorts {
  readonly findScreenReader: () => Promise<ScreenReader | undefined>;
  readonly find: (command: string) => string | undefined;
  readonly platform: NodeJS.Platform;
}

/** The reason for the choice, told once. */
export type VoiceReason =
  | { readonly is: "asked" | "found" | "no terminal" | "none found" }
  | { readonly is: "screen reader"; readonly name: string };

export interface ChosenVoice {
  readonly voice: SpeechVoice;
  readonly because: VoiceReason;
}

/** The requested voice; otherwise lines if a screen reader reads them, else the first available voice. */
export async function chooseVoice({ voice, linesOnly, isTerminal }: VoiceChoice, ports: VoicePorts): Promise<ChosenVoice> {
  if (linesOnly) return { voice: new LinesVoice(), because: { is: "asked" } };
  if (voice !== undefined) return { voice: await named(voice, ports), because: { is: "asked" } };
  if (!isTerminal) return { voice: new LinesVoice(), because: { is: "no terminal" } };
  const reader = await ports.findScreenReader();
  if (reader !== undefined) return { voice: new LinesVoice(), because: { is: "screen reader", name: reader.name } };
  for (const engine of ENGINES) {
    const path = isFor(engine, ports.platform) ? ports.find(engine.command) : undefined;
    if (path !== undefined) return { voice: await EngineVoice.open(engine, path), because: { is: "found" } };
  }
  return { voice: new LinesVoice(), because: { is: "none found" } };
}

async function named(wish: string, { find, platform }: VoicePorts): Promise<SpeechVoice> {
  const file = /^file:(.+)$/s.exec(wish)?.[1];
  if (file !== undefined) {
    const speaker = ENGINES.filter(({ command }) => command.startsWith("espeak")).find(({ command }) => find(command) !== undefined);
    const path = find(speaker?.command ?? "");
    if (speaker === undefined || path === undefined)
      throw noVoice("espeak-ng", "Only espeak-ng speaks to a file. On Debian: apt-get install espeak-ng");
    return FileVoice.open(speaker, path, resolve(file));
  }
  const known = ENGINES.find((engine) => isFor(engine, platform) && (engine.name === wish || engine.command === wish));
  const engine = known ?? commandEngine(wish);
  const path = find(engine.command);
  if (path === undefined) throw noVoice(engine.command, "Give a command on the PATH, or one with its whole path.");
  return EngineVoice.open(engine, path);
}

function isFor({ platform }: SpeechEngine, here: NodeJS.Platform): boolean {
  return platform === undefined || platform === here;
}

function noVoice(name: string, hint: string): EarshotError {
  return new EarshotError({ code: "WRONG_USAGE", message: `The voice ${JSON.stringify(name)} was not found.`, hint });
}
