import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** A program on the PATH, or by its own path; undefined where there is none. Never from the current folder, which may be an agent's. */
export function findProgram(command: string, path = process.env["PATH"] ?? ""): string | undefined {
  if (/[\\/]/.test(command)) return isAbsolute(command) && isProgram(command) ? command : undefined;
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .flatMap((folder) =>
      (process.platform === "win32" && !/\.\w+$/.test(command) ? [`${command}.exe`] : [command]).map((name) => join(folder, name)),
    )
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // not there, or not to be run
  }
}
