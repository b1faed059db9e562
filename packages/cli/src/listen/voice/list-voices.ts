import type { Engine } from "./engines.ts";
import { runProgram } from "./run-program.ts";

const LIST_MS = 5000;

/** The engine's own names of voices, by language. Without a list it speaks all languages with the voice that it has. */
export async function listVoices({ languages }: Engine, path: string): Promise<ReadonlyMap<string, string>> {
  if (languages === undefined) return new Map();
  const list = await runProgram(path, languages.words, { limitMs: LIST_MS }).over.catch(() => undefined);
  return list === undefined ? new Map() : languages.read(list.output.toString("utf8"));
}
