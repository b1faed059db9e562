import { renameSync, rmSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { Parcel } from "../delivery/platform.ts";
import { appendToSegment, appendToSegmentNow, SegmentReader } from "./segment.ts";
import { newWriterName, pruneAbandoned, segmentName } from "./spool-names.ts";

const SEGMENT_BYTES = 256 * 1024;
const MAX_SEGMENTS = 1024;
/** Pause after a write error, because a full disk may get space again. */
const PAUSE_MS = 10_000;

interface Segment {
  readonly place: number;
  readonly path: string;
  lines: number;
  bytes: number;
}

/** Lines for one file. */
interface Piece {
  readonly segment: Segment;
  readonly text: string;
  readonly lines: number;
}

export interface OwnSpoolOptions {
  readonly folder: string;
  readonly maxBytes: number;
  readonly dropped: (lines: number) => void;
}

/** This process's waiting lines on disk, in numbered files that are delivered in order. */
export class OwnSpool {
  readonly #spool: string;
  readonly #folder: string;
  readonly #startedMs = Date.now();
  readonly #maxBytes: number;
  readonly #dropped: (lines: number) => void;
  #segments: Segment[] = [];
  /** The last file, while lines may be appended. */
  #open: Segment | undefined;
  #lastPlace = 0;
  #reader: SegmentReader | undefined;
  /** Writes in progress; whether they succeeded is not known yet. */
  #writing: Piece[] = [];
  #failedMs = Number.NEGATIVE_INFINITY;
  #hasLookedAround = false;

  constructor({ folder, maxBytes, dropped }: OwnSpoolOptions) {
    this.#spool = folder;
    this.#folder = join(folder, newWriterName(this.#startedMs, process.pid));
    this.#maxBytes = maxBytes;
    this.#dropped = dropped;
  }

  get isUsable(): boolean {
    return this.#maxBytes > 0 && performance.now() - this.#failedMs > PAUSE_MS;
  }

  get waiting(): number {
    return this.#segments.reduce((sum, { lines }) => sum + lines, 0);
  }

  reserve(): number {
    this.#open = undefined;
    return ++this.#lastPlace;
  }

  async write(lines: readonly string[], place?: number): Promise<boolean> {
    // All places are assigned now; lines written during this wait come after them.
    this.#writing = this.#toPieces(lines, place);
    try {
      this.#lookAround();
      for (let [piece] = this.#writing; piece !== undefined; [piece] = this.#writing) {
        await appendToSegment(piece.segment.path, piece.text);
        this.#writing.shift();
      }
    } catch {
      this.#fail(this.#writing); // the disk is full or not ours: memory has to do
      this.#writing = [];
      return false;
    }
    this.#prune();
    return true;
  }

  writeNow(lines: readonly string[], place?: number): boolean {
    if (this.#maxBytes <= 0) return false;
    const pieces = this.#toPieces(lines, place);
    try {
      this.#lookAround();
      for (const { segment, text } of pieces) appendToSegmentNow(segment.path, text);
    } catch {
      this.#fail(pieces); // the same as above
      return false;
    }
    this.#prune();
    return true;
  }

  async next(limit: number): Promise<Parcel | undefined> {
    for (;;) {
      const [head] = this.#segments;
      if (head === undefined) return undefined;
      if (head === this.#open) this.#open = undefined;
      this.#reader ??= await SegmentReader.open(head.path);
      const reader = this.#reader;
      if (!reader.isDone) return { lines: reader.next(limit), settle: (done) => this.#settle(reader, head, done) };
      await this.#finish(reader, head);
    }
  }

  /** Releases the lines to other processes when the process or agent ends. */
  release(): void {
    if (this.#segments.length === 0) return;
    try {
      // The pending write may be cut off. Writing twice is safe, because the hub recognizes repeated lines.
      for (const { segment, text } of this.#writing) appendToSegmentNow(segment.path, `\n${text}`);
      renameSync(this.#folder, join(this.#spool, newWriterName(this.#startedMs, 0)));
    } catch {
      // It keeps the number of this process, which others will find ended.
    }
  }

  #toPieces(lines: readonly string[], place: number | undefined): Piece[] {
    const pieces: Piece[] = [];
    for (let first = 0, last = 0; first < lines.length; first = last) {
      const segment = this.#segmentFor(place);
      let size = segment.bytes;
      do size += (lines[last++]?.length ?? 0) + 1;
      while (last < lines.length && size < SEGMENT_BYTES);
      const text = `${lines.slice(first, last).join("\n")}\n`;
      segment.lines += last - first;
      segment.bytes += Buffer.byteLength(text);
      pieces.push({ segment, text, lines: last - first });
    }
    return pieces;
  }

  #segmentFor(place: number | undefined): Segment {
    // A reserved place holds one parcel, which fits into a file.
    const open = place === undefined ? this.#open : this.#segments.find((segment) => segment.place === place);
    const isBeingWritten = this.#writing.some(({ segment }) => segment === open);
    if (open !== undefined && !isBeingWritten && (place !== undefined || open.bytes < SEGMENT_BYTES)) return open;
    const number = place ?? ++this.#lastPlace;
    const segment = { place: number, path: join(this.#folder, segmentName(number)), lines: 0, bytes: 0 };
    this.#segments = [...this.#segments, segment].sort((one, other) => one.place - other.place);
    if (place === undefined) this.#open = segment;
    // The first file is being read. If this one precedes it, reading starts here.
    if (this.#segments[0] === segment) this.#reader = undefined;
    return segment;
  }

  #fail(pieces: readonly Piece[]): void {
    this.#failedMs = performance.now();
    this.#open = undefined;
    for (const { segment, text, lines } of pieces) {
      segment.lines -= lines;
      segment.bytes -= Buffer.byteLength(text);
    }
    this.#segments = this.#segments.filter(({ lines }) => lines > 0);
  }

  async #settle(reader: SegmentReader, head: Segment, done: number): Promise<void> {
    reader.skip(done);
    head.lines = Math.max(0, head.lines - done);
    if (reader.isDone) await this.#finish(reader, head);
  }

  async #finish(reader: SegmentReader, head: Segment): Promise<void> {
    if (this.#reader === reader) this.#reader = undefined;
    this.#segments = this.#segments.filter((segment) => segment !== head);
    await reader.remove();
    if (this.#segments.length === 0) await rmdir(this.#folder).catch(() => {}); // in nobody's way if it stays
  }

  /** Drops the oldest lines and counts them. */
  #prune(): void {
    let bytes = this.#segments.reduce((sum, segment) => sum + segment.bytes, 0);
    while (this.#segments.length > 1 && (bytes > this.#maxBytes || this.#segments.length > MAX_SEGMENTS)) {
      const [oldest, ...rest] = this.#segments;
      if (oldest === undefined) return;
      this.#segments = rest;
      this.#reader = undefined;
      bytes -= oldest.bytes;
      this.#dropped(oldest.lines);
      try {
        rmSync(oldest.path, { force: true });
      } catch {
        // Delivered with the rest after this process ends.
      }
    }
  }

  #lookAround(): void {
    if (this.#hasLookedAround) return;
    this.#hasLookedAround = true;
    pruneAbandoned(this.#spool, this.#maxBytes);
  }
}
