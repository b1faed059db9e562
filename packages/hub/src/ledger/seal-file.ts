import { closeSync, fstatSync, fsyncSync, lstatSync, openSync, readSync, writeSync } from "node:fs";
import { EarshotError } from "@earshot/protocol/problem";
import { openForAppending } from "../regular-file.ts";

const CHUNK_BYTES = 1 << 16;
const NEWLINE = 10;

/** Appends lines to the file beside the ledger; on disk when it returns. */
export function appendToSealFile(path: string, text: string): void {
  const descriptor = openForAppending(path);
  try {
    const bytes = Buffer.from(text);
    for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export interface SealFileEnd {
  /** The last complete line; undefined if there is none. */
  readonly line: string | undefined;
  /** The text after it: a line whose writer died. */
  readonly rest: string;
}

/** Reads only the end of the file, which may cover years. */
export function readSealFileEnd(path: string): SealFileEnd {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { line: undefined, rest: "" };
  if (!stats.isFile()) throw new EarshotError({ code: "LEDGER_REFUSED", message: `${path} was not opened: it is no regular file.` });
  const descriptor = openSync(path, "r");
  try {
    let end = Buffer.alloc(0);
    let from = fstatSync(descriptor).size;
    for (;;) {
      const last = end.lastIndexOf(NEWLINE);
      const before = last <= 0 ? -1 : end.lastIndexOf(NEWLINE, last - 1);
      if (before < 0 && from > 0) {
        const length = Math.min(CHUNK_BYTES, from);
        from -= length;
        end = Buffer.concat([readAt(descriptor, from, length), end]);
        continue;
      }
      return { line: last < 0 ? undefined : end.toString("utf8", before + 1, last), rest: end.toString("utf8", last + 1) };
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Reads the file's lines as of opening, a chunk at a time. */
export class SealFileLines implements Disposable {
  readonly #descriptor: number | undefined;
  readonly #end: number;
  #at = 0;
  #rest = Buffer.alloc(0);

  constructor(path: string) {
    this.#descriptor = lstatSync(path, { throwIfNoEntry: false })?.isFile() ? openSync(path, "r") : undefined;
    this.#end = this.#descriptor === undefined ? 0 : fstatSync(this.#descriptor).size;
  }

  /** The next line; the last one may be marked as incomplete. Undefined at the end. */
  next(): { readonly text: string; readonly ended: boolean } | undefined {
    for (let from = 0; ; ) {
      const end = this.#rest.indexOf(NEWLINE, from);
      if (end >= 0) {
        const text = this.#rest.toString("utf8", 0, end);
        this.#rest = this.#rest.subarray(end + 1);
        return { text, ended: true };
      }
      from = this.#rest.length;
      const chunk =
        this.#descriptor === undefined
          ? this.#rest.subarray(0, 0)
          : readAt(this.#descriptor, this.#at, Math.min(CHUNK_BYTES, this.#end - this.#at));
      if (chunk.length === 0) break;
      this.#at += chunk.length;
      this.#rest = Buffer.concat([this.#rest, chunk]);
    }
    if (this.#rest.length === 0) return undefined;
    const text = this.#rest.toString("utf8");
    this.#rest = Buffer.alloc(0);
    return { text, ended: false };
  }

  [Symbol.dispose](): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }
}

function readAt(descriptor: number, position: number, length: number): Buffer<ArrayBuffer> {
  const chunk = Buffer.alloc(length);
  return chunk.subarray(0, readSync(descriptor, chunk, 0, length, position));
}
