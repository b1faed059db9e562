import { renameSync, rmSync } from "node:fs";
import { rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { Parcel } from "../delivery/platform.ts";
import { append, appendNow, SegmentReader } from "./segment.ts";
import { newWriterName, segmentName } from "./spool-names.ts";

const SEGMENT_BYTES = 256 * 1024;
const MAX_SEGMENTS = 1024;
/** After an error, writing is not tried for a while: a disk may get room again. */
const PAUSE_MS = 10_000;

interface Segment {
  readonly place: number;
  readonly path: string;
  lines: number;
  bytes: number;
}

export interface OwnSpoolOptions {
  readonly folder: string;
  readonly maxBytes: number;
  readonly dropped: (lines: number) => void;
}

/** The lines of this process that wait on disk: files with rising numbers, delivered in that order. */
export class OwnSpool {
  readonly #spool: string;
  readonly #folder: string;
  readonly #startedMs = Date.now();
  readonly #maxBytes: number;
  readonly #dropped: (lines: number) => void;
  #segments: Segment[] = [];
  /** The last one, while lines may be added to it. */
  #open: Segment | undefined;
  #lastPlace = 0;
  #reader: SegmentReader | undefined;
  /** On its way to the disk: whether it arrived is not known yet. */
  #writing: { readonly path: string; readonly text: string } | undefined;
  #failedMs = Number.NEGATIVE_INFINITY;

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
    for (const { segment, text, count } of this.#assign(lines, place)) {
      this.#writing = { path: segment.path, text };
      try {
        await append(segment.path, text);
      } catch {
        return this.#fail(segment, count, text); // the disk is full or not ours: memory has to do
      } finally {
        this.#writing = undefined;
      }
    }
    this.#prune();
    return true;
  }

  writeNow(lines: readonly string[], place?: number): boolean {
    // What is on its way may be cut off by the end of the process. Twice is better than half: the hub sees the same line.
    const writing = this.#writing;
    try {
      if (writing !== undefined) appendNow(writing.path, `\n${writing.text}`);
      for (const { segment, text } of this.#assign(lines, place)) appendNow(segment.path, text);
    } catch {
      this.#failedMs = performance.now();
      return false; // the same as above
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

  /** Lets any process deliver what is left. */
  release(): void {
    if (this.#segments.length === 0) return;
    try {
      renameSync(this.#folder, join(this.#spool, newWriterName(this.#startedMs, 0)));
    } catch {
      // It keeps the number of this process, which will be seen to be gone.
    }
  }

  /** Cuts lines into pieces of a bearable size, each for one file. */
  *#assign(lines: readonly string[], place: number | undefined): Generator<{ segment: Segment; text: string; count: number }> {
    let first = 0;
    while (first < lines.length) {
      const segment = first === 0 ? this.#segmentAt(place) : this.#segmentAt(place, true);
      let size = segment.bytes;
      let last = first;
      while (last < lines.length && (last === first || size < SEGMENT_BYTES)) size += (lines[last++]?.length ?? 0) + 1;
      const text = `${lines.slice(first, last).join("\n")}\n`;
      segment.lines += last - first;
      segment.bytes += Buffer.byteLength(text);
      yield { segment, text, count: last - first };
      first = last;
    }
  }

  #segmentAt(place: number | undefined, isNew = false): Segment {
    const { path: inUse } = this.#writing ?? {};
    const open = this.#open;
    // A place that was kept takes all of its parcel, which is not larger than a file.
    const known = place === undefined ? undefined : this.#segments.find((segment) => segment.place === place);
    if (known !== undefined) return known;
    if (place === undefined && !isNew && open !== undefined && open.path !== inUse && open.bytes < SEGMENT_BYTES) return open;
    const number = place ?? ++this.#lastPlace;
    const segment = { place: number, path: join(this.#folder, segmentName(number)), lines: 0, bytes: 0 };
    this.#segments = [...this.#segments, segment].sort((one, other) => one.place - other.place);
    if (place === undefined) this.#open = segment;
    // What is being read is the first; should this one belong before it, reading begins with this one.
    if (this.#segments[0] === segment) this.#reader = undefined;
    return segment;
  }

  #fail(segment: Segment, count: number, text: string): false {
    this.#failedMs = performance.now();
    segment.lines -= count;
    segment.bytes -= Buffer.byteLength(text);
    return false;
  }

  async #settle(reader: SegmentReader, head: Segment, done: number): Promise<void> {
    reader.skip(done);
    head.lines = Math.max(0, head.lines - done);
    if (reader.isDone) await this.#finish(reader, head);
  }

  async #finish(reader: SegmentReader, head: Segment): Promise<void> {
    this.#reader = undefined;
    this.#segments = this.#segments.filter((segment) => segment !== head);
    await reader.remove();
    if (this.#segments.length === 0) await rmdir(this.#folder).catch(() => {}); // in the way of nobody if it stays
  }

  /** The oldest give way, and are counted. */
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
        void rm(oldest.path, { force: true }).catch(() => {}); // it no longer counts as ours; a sweep finds it
      }
    }
  }
}
