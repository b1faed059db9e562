import { chmodSync, closeSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";

const OWN_ALONE = 0o600;

/**
 * Puts a text in the place of a file, at once: written beside it, on disk, then moved. Who may read it stays as it was; a new file is
 * its owner's alone. Where the file is a link into a folder of settings, it stays one.
 */
export function replaceFile(path: string, text: string): void {
  const before = statSync(path, { throwIfNoEntry: false });
  const target = before === undefined ? path : realpathSync(path);
  const beside = `${target}.${process.pid}.new`;
  try {
    const file = openSync(beside, "w", OWN_ALONE);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (before !== undefined) chmodSync(beside, before.mode & 0o777);
    renameSync(beside, target);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}
