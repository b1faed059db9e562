import { closeSync, fchmodSync, fstatSync, renameSync, rmSync, writeSync } from "node:fs";
import { openForAppending } from "./regular-file.ts";

const LARGEST_BYTES = 5 * 1024 * 1024;
const LONGEST_TEXT = 2000;

export type LogLevel = "info" | "warning" | "failure";

/**
 * Events of the hub itself, one JSON object per line: never agents' texts, queries or credentials. A full file becomes `….1`, and the
 * previous one is deleted.
 */
export class HubLog implements Disposable {
  readonly #path: string;
  readonly #now: () => number;
  readonly #largestBytes: number;
  #file: number | undefined;
  #sizeBytes = 0;

  constructor(path: string, now: () => number, largestBytes: number = LARGEST_BYTES) {
    this.#path = path;
    this.#now = now;
    this.#largestBytes = largestBytes;
    this.#open();
  }

  write(level: LogLevel, message: string, facts: Readonly<Record<string, string | number | boolean>> = {}): void {
    const line = Buffer.from(
      `${maskCredentials(JSON.stringify({ time: new Date(this.#now()).toISOString(), level, message: message.slice(0, LONGEST_TEXT), ...facts }))}\n`,
    );
    try {
      if (this.#sizeBytes + line.length > this.#largestBytes) this.#turn();
      if (this.#file !== undefined) this.#sizeBytes += writeSync(this.#file, line);
    } catch {
      // A full disk must not stop the hub because of its log; important messages are also reported elsewhere.
    }
  }

  [Symbol.dispose](): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #open(): void {
    try {
      this.#file = openForAppending(this.#path);
    } catch {
      this.#moveAside(); // a pipe or a folder under its name must not keep the hub from starting
      this.#file = openForAppending(this.#path);
    }
    fchmodSync(this.#file, 0o600);
    this.#sizeBytes = fstatSync(this.#file).size;
  }

  #turn(): void {
    this[Symbol.dispose]();
    this.#moveAside();
    this.#open();
  }

  #moveAside(): void {
    rmSync(`${this.#path}.1`, { force: true, recursive: true });
    renameSync(this.#path, `${this.#path}.1`);
  }
}

/** Removes credentials as a last resort; none should reach the log. */
export function maskCredentials(text: string): string {
  return text
    .replaceAll(/\/k\/[^/\s"?]+/g, "/k/…")
    .replaceAll(/\bear_[\w-]{8,}/g, "ear_…")
    .replaceAll(/\b(bearer|basic)\s+[^\s"]+/gi, "$1 …")
    .replaceAll(/(https?:\/\/[^\s"?#]{1,4096})[?#][^\s"]*/g, "$1")
    .replaceAll(/\b((?:start|pair)=)[\w-]+/g, "$1…");
}

/** An error for the log, with its causes. */
export function describeErrorForLog(error: unknown): string {
  const { cause } = error instanceof Error ? error : { cause: undefined };
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return cause instanceof Error ? `${text} (${cause.message})` : text;
}
