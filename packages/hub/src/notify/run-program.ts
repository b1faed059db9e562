import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Runs a program with exactly these words: no shell reads them. Gives what it printed; rejects with what it complained about. */
export type RunProgram = (words: readonly string[], more?: Environment) => Promise<string>;

const LONGEST_MS = 5000;
const MOST_BYTES = 64 * 1024;
const LONGEST_COMPLAINT = 200;

export function createRunner(env: Environment): RunProgram {
  return ([program = "", ...words], more = {}) =>
    new Promise((resolve, reject) => {
      const options = {
        env: { ...env, ...more },
        timeout: LONGEST_MS,
        maxBuffer: MOST_BYTES,
        windowsHide: true,
        encoding: "utf8" as const,
      };
      execFile(program, words, options, (error, out, complaint) => {
        if (error === null) resolve(out);
        else reject(new Error((complaint.trim() || error.message).slice(0, LONGEST_COMPLAINT), { cause: error }));
      });
    });
}

/** Where a program is, of those that this user would run by its name. */
export function findProgram(name: string, env: Environment): string | undefined {
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // not there, or not ours to run
  }
}
