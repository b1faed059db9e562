import { closeSync, fchmodSync, fsyncSync, linkSync, openSync, realpathSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";

export interface AtomicWriteOptions {
  /** Fails with `EEXIST` if the file exists, instead of replacing it. */
  readonly exclusive?: boolean;
  /** Keeps the file's mode and a link to it. Otherwise it is replaced by a private file. */
  readonly keepsMode?: boolean;
  /** False if the file may be lost in a power cut: there is no sync then. */
  readonly durable?: boolean;
  /** Writes bytes to a descriptor and returns their number: for tests of full disks. */
  readonly write?: (descriptor: number, bytes: Uint8Array) => number;
}

const OWNER_ALONE = 0o600;

/**
 * Replaces a file atomically: a reader sees the old content or the new one. On return the content is on disk; when it throws, the file is
 * unchanged and nothing is left beside it.
 */
export function writeFileAtomically(path: string, content: string | Uint8Array, options: AtomicWriteOptions = {}): void {
  const { exclusive = false, keepsMode = false, durable = true, write = writeSync } = options;
  const before = keepsMode ? statSync(path, { throwIfNoEntry: false }) : undefined;
  const target = before === undefined ? path : realpathSync(path);
  const beside = `${target}.${process.pid}.new`;
  try {
    rmSync(beside, { force: true, recursive: true }); // what was left there, a link or a pipe
    const descriptor = openSync(beside, "wx", OWNER_ALONE);
    try {
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      // A call may write only a part: a nearly full disk takes what it can.
      for (let written = 0; written < bytes.length; ) written += write(descriptor, bytes.subarray(written));
      if (before !== undefined) fchmodSync(descriptor, before.mode & 0o777);
      if (durable) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    if (exclusive) linkSync(beside, target);
    else renameSync(beside, target);
  } finally {
    rmSync(beside, { force: true });
  }
  if (durable) syncPath(dirname(target));
}

/** Syncs a file or folder to disk. Windows has no such call for folders, and files need another mode there. */
export function syncPath(path: string): void {
  if (process.platform === "win32") return;
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
