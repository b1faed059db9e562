import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Desktop } from "./desktop.ts";
import { readUtterances, type Utterance, type VoiceLine } from "./utterance.ts";

/** Orca with default settings, except that pressed keys are spoken for the transcript. */
export interface Orca {
  /** Everything spoken so far. */
  spoken(): readonly Utterance[];
  /** Waits for speech after the first `from` utterances, if any comes, and then for silence. */
  untilSilent(from: number, options?: SilenceOptions): Promise<void>;
}

export interface SilenceOptions {
  /** Maximum time until it begins. */
  readonly beginsMs?: number;
  /** How long a pause counts as silence. */
  readonly silentMs?: number;
}

const STEP_MS = 50;
const LONGEST_MS = 120_000;

export async function startOrca(desktop: Desktop, debugFile?: string): Promise<Orca> {
  const debug = debugFile === undefined ? [] : ["--debug-file", debugFile];
  const settings = join(desktop.folder, "orca");
  mkdirSync(settings);
  writeFileSync(join(settings, "orca-customizations.py"), "import orca.settings\norca.settings.enableKeyEcho = False\n");
  const child = desktop.run("orca", ["--user-prefs", settings, "--disable", "braille", ...debug]);
  const spoken = () => {
    const text = readFileSync(desktop.spokenFile, "utf8");
    return readUtterances(text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as VoiceLine])));
  };
  const orca: Orca = {
    spoken,
    async untilSilent(from, { beginsMs = 3000, silentMs = 900 } = {}) {
      const startedAt = Date.now();
      let [count, changedAt] = [from, startedAt];
      while (Date.now() - startedAt < LONGEST_MS) {
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`Orca ended:\n${readFileSync(desktop.logFile, "utf8").slice(-2000)}`);
        const all = spoken();
        if (all.length !== count || all.at(-1)?.isOver === false) [count, changedAt] = [all.length, Date.now()];
        if (Date.now() - changedAt > (count === from ? beginsMs : silentMs)) return;
        await pause(STEP_MS);
      }
      throw new Error("Orca goes on and on.");
    },
  };
  await orca.untilSilent(0, { beginsMs: 30_000 });
  if (orca.spoken().length === 0) throw new Error(`Orca says nothing:\n${readFileSync(desktop.logFile, "utf8").slice(-2000)}`);
  return orca;
}
