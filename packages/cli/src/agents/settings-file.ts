import { createHash } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { EarshotError } from "@earshot/protocol/problem";

/** The content of a settings file. `mode` is undefined if there is none. */
export type SettingsText =
  | { readonly ok: true; readonly text: string | null; readonly mode: number | undefined }
  | { readonly ok: false; readonly why: string };

const LARGEST_BYTES = 4 * 1024 * 1024;

/** Null for a missing file. A byte-order mark stays in the text. */
export function readSettingsText(path: string): SettingsText {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) {
      const isDangling = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
      return isDangling ? { ok: false, why: "it is a broken link" } : { ok: true, text: null, mode: undefined };
    }
    if (!stat.isFile()) return { ok: false, why: "it is not a regular file" };
    if (stat.size > LARGEST_BYTES) return { ok: false, why: "it is larger than 4 MiB" };
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
    return { ok: true, text, mode: stat.mode & 0o777 };
  } catch (error) {
    if (error instanceof TypeError) return { ok: false, why: "it is not UTF-8" };
    return { ok: false, why: error instanceof Error ? error.message : "it cannot be read" };
  }
}

/**
 * Writes a temporary file and renames it, following links and keeping the mode. Refuses if the file differs from the text read before.
 * Returns the created folders.
 */
export function writeSettingsText(path: string, text: string, expected: string | null, mode: number): readonly string[] {
  const now = readSettingsText(path);
  if (!now.ok || now.text !== expected) {
    throw new EarshotError({
      code: "FILE_UNREADABLE",
      message: `${path} was changed by another program in the meantime. Nothing was written to it.`,
      hint: "Run the command again.",
    });
  }
  const made = makeFolders(dirname(path));
  const real = expected === null ? path : realpathSync(path);
  const beside = `${real}.${process.pid}.new`;
  writeFileSync(beside, text, { mode });
  chmodSync(beside, mode);
  renameSync(beside, real);
  return made;
}

/** Removes a file, and the folders created for it if empty. */
export function removeSettings(path: string, folders: readonly string[]): void {
  rmSync(path, { force: true });
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      return; // somebody else keeps something there by now
    }
  }
}

export function digestOfText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** From the outermost missing one on. */
function makeFolders(folder: string): readonly string[] {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) return [];
  const made = makeFolders(dirname(folder));
  mkdirSync(folder);
  return [...made, folder];
}
