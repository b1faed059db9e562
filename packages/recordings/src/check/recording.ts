import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { LineSplitter, type SplitterSink } from "@earshot/hub/splitters";
import { EarshotError, JSON_LIMITS } from "@earshot/protocol";
import { ValueSplitter } from "./value-splitter.ts";

export type ReadProgress = (bytesRead: number) => void;
/** Called after each chunk. Reading continues when the returned promise fulfills. */
export type PauseReading = () => Promise<void> | undefined;

const NEWLINE = 10;
const MAX_EVENT_BYTES = JSON_LIMITS.maxCharacters;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Reads a recording: JSONL, a JSON array, or one JSON object over several lines, optionally compressed with gzip. The first bytes
 * determine the format, never the file name. Memory use is bounded by the longest permitted event.
 */
export async function readRecording(
  source: string | Readable,
  sink: SplitterSink,
  progress: ReadProgress = () => {},
  pause: PauseReading = () => undefined,
): Promise<void> {
  const raw = typeof source === "string" ? createReadStream(source, { highWaterMark: 1 << 18 }) : source;
  try {
    let reader: ((chunk: Buffer) => void) | undefined;
    let end: (() => void) | undefined;
    let head: Buffer = Buffer.alloc(0);
    let read = 0;
    const start = () => {
      const body = head.subarray(0, 3).equals(BOM) ? head.subarray(3) : head;
      const layout = layoutOf(body);
      const splitter =
        layout === "lines"
          ? new LineSplitter(sink, { maxBytes: MAX_EVENT_BYTES })
          : new ValueSplitter(layout, sink, { maxBytes: MAX_EVENT_BYTES });
      reader = (chunk) => splitter.write(chunk);
      end = () => splitter.end();
      reader(body);
    };
    const count = (bytes: number) => {
      read += bytes;
      progress(read);
    };
    for await (const chunk of await decompressed(raw, count)) {
      if (reader !== undefined) reader(chunk);
      else {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
        if (isTelling(head)) start();
      }
      const paused = pause();
      if (paused !== undefined) await paused;
    }
    if (reader === undefined) start();
    end?.();
  } catch (error) {
    throw toUnreadable(error);
  }
}

/** Throws the error that reading the file would throw, for callers with work to do before reading. */
export async function requireReadable(path: string): Promise<void> {
  try {
    await using file = await open(path);
    await file.read(Buffer.alloc(1), 0, 1, 0);
  } catch (error) {
    throw toUnreadable(error);
  }
}

/** Converts errors of the system and of zlib. Any other error is a bug in Earshot and must not be reported as a defect of the file. */
function toUnreadable(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!/^(?:E[A-Z0-9]+|Z_[A-Z_]+|ERR_STREAM_PREMATURE_CLOSE)$/.test(code)) return error;
  return new EarshotError({ code: "FILE_UNREADABLE", message: describe(code) }, { cause: error });
}

/** Inspects the first bytes and decompresses the stream if it is gzip. */
async function decompressed(raw: Readable, count: (bytes: number) => void): Promise<AsyncIterable<Buffer>> {
  const iterator = raw[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const first = await iterator.next();
  async function* all(): AsyncGenerator<Buffer> {
    for (let next = first; next.done !== true; next = await iterator.next()) {
      const chunk = next.value;
      count(chunk.length);
      yield chunk;
    }
  }
  if (first.done === true || first.value[0] !== 0x1f || first.value[1] !== 0x8b) return all();
  const gunzip = createGunzip();
  const feed = async () => {
    try {
      for await (const chunk of all()) if (!gunzip.write(chunk)) await new Promise((resolve) => gunzip.once("drain", resolve));
      gunzip.end();
    } catch (error) {
      gunzip.destroy(error instanceof Error ? error : undefined);
    }
  };
  void feed();
  return gunzip as AsyncIterable<Buffer>;
}

/** Whether enough bytes have been read to determine the layout: the first line and the beginning of the second. */
function isTelling(head: Buffer): boolean {
  const first = head.indexOf(NEWLINE);
  if (first < 0) return head.length > 1 << 20;
  return firstByte(head, first) !== undefined || head.length > 1 << 20;
}

function firstByte(bytes: Buffer, from: number): number | undefined {
  for (let index = from; index < bytes.length; index++) {
    const byte = bytes[index] as number;
    if (byte !== 32 && byte !== 9 && byte !== 13 && byte !== NEWLINE) return byte;
  }
  return undefined;
}

/**
 * An array begins with a bracket. An object that continues after the first line is one event over several lines. If the next line begins
 * with a brace in its first column, the first line is a broken line of JSONL.
 */
function layoutOf(head: Buffer): "lines" | "array" | "values" {
  const start = firstByte(head, 0);
  if (start !== 0x7b && start !== 0x5b) return "lines";
  const begin = head.indexOf(start);
  const newline = head.indexOf(NEWLINE, begin);
  const next = newline < 0 ? undefined : firstByte(head, newline);
  if (start === 0x5b) {
    // A line of JSONL may be an array by mistake: then the array ends on its own line and another value follows. The line may also be cut
    // off: then it does not end with a character after which an array may be broken.
    if (next !== 0x7b && next !== 0x5b) return "array";
    const line = head.subarray(begin, newline);
    return isBalanced(line) || !/[[{,:}]\s*$/.test(line.toString("latin1")) ? "lines" : "array";
  }
  if (newline < 0) return "lines";
  return isBalanced(head.subarray(begin, newline)) || next === undefined || head[newline + 1] === 0x7b ? "lines" : "values";
}

function isBalanced(line: Buffer): boolean {
  let depth = 0;
  for (let index = 0; index < line.length; index++) {
    const byte = line[index];
    if (byte === 0x22) for (index++; index < line.length && line[index] !== 0x22; index++) if (line[index] === 0x5c) index++;
    if (byte === 0x7b || byte === 0x5b) depth++;
    if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return depth <= 0;
}

function describe(code: string): string {
  if (code === "ENOENT") return "There is no such file.";
  if (code === "EACCES" || code === "EPERM") return "Reading it is not permitted.";
  if (code === "EISDIR") return "It is a folder.";
  if (code.startsWith("Z_") || code === "ERR_ZLIB" || code === "ERR_STREAM_PREMATURE_CLOSE") return "The gzip data is damaged or cut off.";
  return "It cannot be read.";
}
