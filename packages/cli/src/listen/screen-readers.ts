import { readdirSync, readFileSync } from "node:fs";
import { runProgram } from "./voice/run-program.ts";

/** A screen reader by process name. */
export interface ScreenReader {
  readonly name: string;
  readonly platform: NodeJS.Platform;
  readonly processes: readonly string[];
}

export const SCREEN_READERS: readonly ScreenReader[] = [
  { name: "Orca", platform: "linux", processes: ["orca"] },
  { name: "BRLTTY", platform: "linux", processes: ["brltty"] },
  { name: "Speakup", platform: "linux", processes: ["espeakup", "speechd-up"] },
  { name: "Fenrir", platform: "linux", processes: ["fenrir"] },
  { name: "VoiceOver", platform: "darwin", processes: ["voiceover"] },
  { name: "NVDA", platform: "win32", processes: ["nvda.exe"] },
  { name: "JAWS", platform: "win32", processes: ["jfw.exe"] },
  { name: "Narrator", platform: "win32", processes: ["narrator.exe"] },
];

/** The running screen reader; undefined if none was found. Two voices at once are unintelligible. */
export async function findScreenReader(
  platform: NodeJS.Platform = process.platform,
  running: (platform: NodeJS.Platform) => Promise<ReadonlySet<string>> = runningPrograms,
): Promise<ScreenReader | undefined> {
  const candidates = SCREEN_READERS.filter((one) => one.platform === platform);
  if (candidates.length === 0) return undefined;
  const names = await running(platform);
  return candidates.find(({ processes }) => processes.some((name) => names.has(name)));
}

/** The names of all running programs in lower case. */
async function runningPrograms(platform: NodeJS.Platform): Promise<ReadonlySet<string>> {
  if (platform === "linux") return new Set(readProcesses("/proc"));
  const [command, words, pattern] =
    platform === "win32"
      ? (["tasklist.exe", ["/fo", "csv", "/nh"], /^"([^"]+)"/] as const)
      : (["ps", ["-axco", "comm"], /^(.*\S)/] as const);
  // Without a process list, no screen reader is assumed.
  const list = await runProgram(command, words, { limitMs: 5000 }).over.catch(() => undefined);
  const lines = list?.output.toString("utf8").split(/\r?\n/) ?? [];
  return new Set(lines.flatMap((line) => pattern.exec(line)?.[1]?.toLowerCase() ?? []));
}

/** Program names, and script names for interpreters, as Orca runs in Python. */
export function readProcesses(folder: string): readonly string[] {
  return list(folder)
    .filter((name) => /^\d+$/.test(name))
    .flatMap((id) => {
      const [, script = ""] = read(`${folder}/${id}/cmdline`).split("\0");
      return [read(`${folder}/${id}/comm`).trim(), ...(script.startsWith("/") ? [script.slice(script.lastIndexOf("/") + 1)] : [])];
    })
    .filter((name) => name !== "")
    .map((name) => name.toLowerCase());
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // no such folder: nothing is known
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // it has ended meanwhile, or is another user's
  }
}
