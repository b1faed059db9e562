import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** Neither flag exists on Windows. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY, O_WRONLY, O_APPEND, O_CREAT } = constants;

export interface ReadFileOptions {
  readonly maxBytes: number;
  /** For files that people may keep elsewhere and link to: settings, rules, mounted tokens. */
  readonly followsLinks?: boolean;
}

/**
 * The text of a regular file of bounded size. Throws for a pipe, a device, a folder, a longer file and, unless followed, a link. It never
 * blocks: a pipe without a writer would stop the whole process.
 */
export function readRegularFile(path: string, { maxBytes, followsLinks = false }: ReadFileOptions): string {
  const descriptor = openRegularFile(path, O_RDONLY | (followsLinks ? 0 : O_NOFOLLOW));
  try {
    const { size } = fstatSync(descriptor);
    // One more byte than expected, because the file may grow meanwhile.
    const bytes = Buffer.allocUnsafe(Math.min(size, maxBytes) + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) read = readSync(descriptor, bytes, { offset: length });
    if (length > maxBytes) throw new Error(`${path} has more than ${maxBytes} bytes.`);
    return bytes.toString("utf8", 0, length);
  } finally {
    closeSync(descriptor);
  }
}

/** A descriptor that appends to a private regular file, created if missing. Throws for anything else. */
export function openForAppending(path: string): number {
  return openRegularFile(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW);
}

function openRegularFile(path: string, flags: number): number {
  const descriptor = openSync(path, flags | O_NONBLOCK, 0o600);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new Error(`${path} is not a regular file.`);
}
