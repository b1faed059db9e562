import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { EarshotError } from "@earshot/protocol/problem";
import type { Output } from "./output.ts";

const BUFFERED_BYTES = 256 * 1024;
const NEWLINE = 10;
const LOOKED_AT = 64 * 1024;

/**
 * A recording that is written: one event per line, and nothing else. Lines are gathered for a moment, and are on the disk
 * when `sync` returns. Everything happens at once, so that whoever reads a source can never be faster than the disk.
 */
export class Recorder implements Output, Disposable {
  readonly path: string;
  readonly #file: number;
  #size: number;
  #lines: string[] = [];
  #gatheredBytes = 0;

  private constructor(path: string, file: number) {
    this.path = path;
    this.#file = file;
    this.#size = fstatSync(file).size;
  }

  /** Readable by this user only: events hold what agents work on. */
  static open(path: string): Recorder {
    try {
      return new Recorder(path, openSync(path, "a+", 0o600));
    } catch (cause) {
      throw unwritable(path, cause);
    }
  }

  /** Bytes, with those that are gathered. */
  get size(): number {
    return this.#size + this.#gatheredBytes;
  }

  append(line: string): void {
    this.#lines.push(line, "\n");
    this.#gatheredBytes += Buffer.byteLength(line) + 1;
    if (this.#gatheredBytes >= BUFFERED_BYTES) this.flush();
  }

  flush(): void {
    if (this.#lines.length === 0) return;
    const bytes = Buffer.from(this.#lines.join(""));
    try {
      for (let written = 0; written < bytes.length; ) written += writeSync(this.#file, bytes, written);
    } catch (cause) {
      ftruncateSync(this.#file, this.#size); // half a line must not be gone on with
      throw unwritable(this.path, cause);
    }
    this.#size += bytes.length;
    this.#lines = [];
    this.#gatheredBytes = 0;
  }

  sync(): void {
    this.flush();
    fdatasyncSync(this.#file);
  }

  /** Takes a last line away that was not finished, as a killed capture leaves it. Gives how many bytes that were. */
  mend(keepAtLeast: number): number {
    let end = this.#size;
    const buffer = Buffer.alloc(LOOKED_AT);
    while (end > keepAtLeast) {
      const start = Math.max(keepAtLeast, end - LOOKED_AT);
      const read = readSync(this.#file, buffer, 0, end - start, start);
      const last = buffer.subarray(0, read).lastIndexOf(NEWLINE);
      if (last >= 0) {
        end = start + last + 1;
        break;
      }
      end = start;
    }
    const torn = this.#size - end;
    if (torn > 0) ftruncateSync(this.#file, end);
    this.#size = end;
    return torn;
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }
}

function unwritable(path: string, cause: unknown): EarshotError {
  const isFull =
    cause instanceof Error && "code" in cause && (cause.code === "ENOSPC" || cause.code === "EDQUOT" || cause.code === "EFBIG");
  const message = isFull ? `There is no room left for ${path}.` : `${path} cannot be written.`;
  const hint = isFull
    ? "Make room, and start the same capture again: it goes on where it stopped."
    : "Check that the folder exists and may be written to.";
  return new EarshotError({ code: "WRONG_USAGE", message, hint }, { cause });
}
