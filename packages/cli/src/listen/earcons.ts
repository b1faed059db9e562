import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EARCON_TONES, type EarconName, type EarconTone } from "@earshot/announcer";
import { findSpeechProgram, runProgram } from "./voice/run-program.ts";
import { wavHeader } from "./voice/wav.ts";

/** Programs that play a sound file, in lookup order. */
const PLAYERS: readonly (readonly [command: string, words: (path: string) => readonly string[]])[] = [
  ["paplay", (path) => [path]],
  ["aplay", (path) => ["-q", path]],
  ["afplay", (path) => [path]],
  [
    "powershell.exe",
    (path) => ["-NoProfile", "-NonInteractive", "-Command", "& { param($path) (New-Object Media.SoundPlayer $path).PlaySync() }", path],
  ],
];

const SAMPLES_PER_SECOND = 22_050;
const LOUDNESS = 0.4;
const EDGE_SECONDS = 0.015;
const LONGEST_MS = 3000;
const BEL = "\u0007";

export interface EarconPorts {
  /** Rings the terminal bell if there is no player. */
  readonly ring: (sign: string) => void;
  readonly find: (command: string) => string | undefined;
}

/** Short tones before important announcements, generated here. */
export class Earcons implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "earshot-earcons-"));
  readonly #ports: EarconPorts;
  #player: (typeof PLAYERS)[number] | undefined;
  #path: string | undefined;

  constructor(ports: EarconPorts = { ring: () => {}, find: findSpeechProgram }) {
    this.#ports = ports;
    this.#player = PLAYERS.find(([command]) => ports.find(command) !== undefined);
    this.#path = this.#player && ports.find(this.#player[0]);
  }

  /** Fulfills when played; otherwise the bell is rung. */
  async play(sound: EarconName): Promise<void> {
    if (this.#player === undefined || this.#path === undefined) {
      this.#ports.ring(BEL);
      return;
    }
    const file = join(this.#folder, `${sound}.wav`);
    try {
      writeFileSync(file, renderTones(EARCON_TONES[sound]));
      await runProgram(this.#path, this.#player[1](file), { limitMs: LONGEST_MS }).over;
    } catch {
      // Without a sound card or player, the bell is used from now on.
      this.#player = undefined;
      this.#ports.ring(BEL);
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Notes as a WAV file with soft edges, because hard ones would click. */
export function renderTones(notes: readonly EarconTone[]): Buffer {
  const seconds = Math.max(...notes.map(([, at, lasts]) => at + lasts));
  const samples = Buffer.alloc(Math.ceil(seconds * SAMPLES_PER_SECOND) * 2);
  for (const [pitch, at, lasts] of notes) {
    const first = Math.floor(at * SAMPLES_PER_SECOND);
    const count = Math.floor(lasts * SAMPLES_PER_SECOND);
    for (let index = 0; index < count && (first + index) * 2 + 1 < samples.length; index++) {
      const time = index / SAMPLES_PER_SECOND;
      const edge = Math.min(1, time / EDGE_SECONDS, (lasts - time) / EDGE_SECONDS);
      const level = Math.sin(2 * Math.PI * pitch * time) * edge * LOUDNESS;
      samples.writeInt16LE(Math.round(level * 32_767), (first + index) * 2);
    }
  }
  return Buffer.concat([wavHeader(SAMPLES_PER_SECOND, samples.length), samples]);
}
