import { closeSync, existsSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { EarshotError } from "@earshot/protocol/problem";
import { plainText } from "../terminal/plain-text.ts";
import { readSideFile, type SideFile, sideFileOf } from "./side-file.ts";

/** Where events are written, one per line. */
export interface Output {
  /** Bytes, with those that are gathered. */
  readonly size: number;
  append(line: string): void;
  /** What is gathered goes where it is seen. */
  flush(): void;
  /** Everything is as safe as it gets when this returns. */
  sync(): void;
}

const GATHERED = 64 * 1024;

/** Standard output: nothing is gathered for longer than what came at once. */
export class PrintedOutput implements Output {
  readonly #print: (text: string) => void;
  #text = "";
  #size = 0;

  constructor(print: (text: string) => void) {
    this.#print = print;
  }

  get size(): number {
    return this.#size;
  }

  append(line: string): void {
    this.#text += `${line}\n`;
    this.#size += line.length + 1;
    if (this.#text.length >= GATHERED) this.flush();
  }

  flush(): void {
    if (this.#text === "") return;
    const text = this.#text;
    this.#text = "";
    this.#print(text);
  }

  sync(): void {
    this.flush();
  }
}

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
    ? "Free some space and start the same capture again: it continues where it stopped."
    : "Check that the folder exists and may be written to.";
  return new EarshotError({ code: "WRONG_USAGE", message, hint }, { cause });
}

/** A recording that is to be written, and what an earlier capture left of it. */
export interface OpenedRecording {
  readonly recorder: Recorder;
  readonly before: SideFile | undefined;
  /** Bytes of a line that was not finished. */
  readonly torn: number;
}

/** Opens a new recording, or one of the same source to go on with. Whatever else is there is left alone. */
export function openRecording(path: string, source: SideFile["source"], { redacts }: { readonly redacts: boolean }): OpenedRecording {
  const before = readSideFile(path);
  if (before === undefined && existsSync(path) && statSync(path).size > 0) {
    throw refuse(`${path} exists, and no capture can go on with it: there is no ${sideFileOf(path)}.`, "Capture into another file.");
  }
  if (before !== undefined) {
    const { kind, name, session } = before.source;
    if (kind !== source.kind || name !== source.name || session !== source.session) {
      const was = `${plainText(name)}${session === undefined ? "" : `, session ${plainText(session)}`}`;
      throw refuse(`${path} holds a capture of something else: ${was}.`, "Capture into another file.");
    }
    if ((before.masked !== undefined) !== redacts) {
      const was = redacts ? "without" : "with";
      throw refuse(`${path} was captured ${was} --redact until now.`, "Go on with it in the same way, or capture into another file.");
    }
    if (before.pid !== undefined && before.pid !== process.pid && isRunning(before.pid)) {
      throw refuse(
        `Another capture writes ${path}: process ${before.pid}.`,
        `Stop it first. If that process is something else, remove "pid" from ${sideFileOf(path)}.`,
      );
    }
    if (!existsSync(path) || statSync(path).size < before.bytes) {
      throw refuse(`${path} is shorter than when it was captured: it was changed.`, `Remove ${sideFileOf(path)} to start over.`);
    }
  }
  const recorder = Recorder.open(path);
  return { recorder, before, torn: recorder.mend(before?.bytes ?? 0) };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function refuse(message: string, hint: string): EarshotError {
  return new EarshotError({ code: "WRONG_USAGE", message, hint });
}
