import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** Links are not followed, and a pipe without a writer is not waited for. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The text of a regular file of bounded size. Throws for a link, a pipe, a folder or a longer file. */
export function readRegularFile(path: string, maxBytes: number): string {
  const file = openSync(path, FLAGS);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw new Error(`${path} is not a regular file.`);
    if (stat.size > maxBytes) throw new Error(`${path} has more than ${maxBytes} bytes.`);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}
