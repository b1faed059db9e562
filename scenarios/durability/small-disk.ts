import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A small file system that is easily filled. */
export interface SmallDisk extends Disposable {
  readonly path: string;
  /** Fills it except for the given number of bytes. */
  fill(leaveBytes?: number): void;
  /** Removes the filler. */
  empty(): void;
}

/** Undefined if this user may not mount anything. */
export function mountSmallDisk(sizeMegabytes: number): SmallDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), "earshot-disk-"));
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${sizeMegabytes}m,mode=700`, "tmpfs", path]);
  if (mounted.status !== 0) {
    rmSync(path, { recursive: true, force: true });
    return undefined;
  }
  const ballast = join(path, "ballast");
  return {
    path,
    fill(leaveBytes = 0) {
      writeUntilFull(ballast);
      if (leaveBytes === 0) return;
      writeUntilFull(join(path, "ballast-2")); // what the rounding to whole pages left
      spawnSync("truncate", ["-s", `-${leaveBytes}`, ballast]);
    },
    empty() {
      for (const name of ["ballast", "ballast-2"]) rmSync(join(path, name), { force: true });
    },
    [Symbol.dispose]() {
      spawnSync("umount", ["-l", path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

function writeUntilFull(path: string): void {
  const file = openSync(path, "a");
  try {
    for (let size = 1 << 20; size >= 1; ) {
      try {
        writeSync(file, Buffer.alloc(size));
      } catch {
        size >>= 1; // no room for as much as this; perhaps for half of it
      }
    }
  } finally {
    closeSync(file);
  }
}

export const NO_MOUNT = "Skipped: this user may not mount a small disk (mount -t tmpfs), so that a full one cannot be tried.";
