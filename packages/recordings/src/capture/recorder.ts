import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, rmSync, writeSync } from "node:fs";
import { createUsageError } from "@earshot/terminal/usage";

const MAX_BUFFERED_CHARACTERS = 256 * 1024;

/**
 * A recording: one event per line, in a new private file, or printed. Lines are collected until `flush`, which writes synchronously, so
 * that sources are read no faster than the disk.
 */
export class RecordingWriter implements Disposable {
  readonly #path: string | undefined;
  readonly #print: (text: string) => void;
  readonly #file: number | undefined;
  #text = "";

  /** Without a path, lines are printed. An existing file is never overwritten. */
  constructor(path: string | undefined, print: (text: string) => void) {
    this.#path = path;
    this.#print = print;
    if (path === undefined) return;
    try {
      this.#file = openSync(path, "wx", 0o600);
    } catch (error) {
      throw isCode(error, "EEXIST") ? createUsageError(`${path} exists already.`, "Name another file after -o.") : unwritable(path, error);
    }
  }

  append(line: string): void {
    this.#text += `${line}\n`;
  }

  /** `flush` is due. */
  get isFull(): boolean {
    return this.#text.length >= MAX_BUFFERED_CHARACTERS;
  }

  flush(): void {
    const text = this.#text;
    if (text === "") return;
    this.#text = "";
    if (this.#file === undefined || this.#path === undefined) {
      this.#print(text);
      return;
    }
    const bytes = Buffer.from(text);
    const { size } = fstatSync(this.#file);
    try {
      for (let written = 0; written < bytes.length; ) written += writeSync(this.#file, bytes, written);
    } catch (error) {
      ftruncateSync(this.#file, size); // a recording ends with a whole line
      throw unwritable(this.#path, error);
    }
  }

  /** Removes a recording that never began, so that the next capture may use its name. */
  remove(): void {
    this.#text = "";
    if (this.#path !== undefined) rmSync(this.#path, { force: true });
  }

  /** The rest is on disk when this returns. */
  [Symbol.dispose](): void {
    try {
      this.flush();
    } finally {
      if (this.#file !== undefined) {
        fdatasyncSync(this.#file);
        closeSync(this.#file);
      }
    }
  }
}

function unwritable(path: string, error: unknown): Error {
  return isCode(error, "ENOSPC", "EDQUOT", "EFBIG")
    ? createUsageError(`There is no room left for ${path}.`, "Free some space, or write to another disk.")
    : createUsageError(`${path} cannot be written.`, "Check that the folder exists and may be written to.");
}

function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
