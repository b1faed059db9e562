import { renameSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { Parcel } from "../delivery/platform.ts";
import { SegmentReader } from "./segment.ts";
import { listAbandoned, listSegments, newWriterName, type WriterName } from "./spool-names.ts";

interface Claimed {
  readonly folder: string;
  readonly startedMs: number;
  readonly files: string[];
}

/**
 * Lines left by ended processes. A folder is claimed by renaming it, so that two processes do not deliver the same one; if they do, the
 * hub recognizes repeated lines.
 */
export class Leftovers {
  readonly #spool: string;
  #mayLook = false;
  #abandoned: WriterName[] = [];
  #claimed: Claimed | undefined;
  #reader: SegmentReader | undefined;

  constructor(spool: string) {
    this.#spool = spool;
  }

  get isEmpty(): boolean {
    return !this.#mayLook && this.#abandoned.length === 0 && this.#claimed === undefined;
  }

  look(): void {
    this.#mayLook = true;
  }

  async next(limit: number): Promise<Parcel | undefined> {
    for (;;) {
      const reader = this.#reader;
      if (reader !== undefined && !reader.isDone) return { lines: reader.next(limit), settle: (done) => this.#settle(reader, done) };
      this.#claimed ??= this.#claim();
      if (this.#claimed === undefined) return undefined;
      const { folder, files } = this.#claimed;
      const file = files.shift();
      if (file === undefined) {
        this.#claimed = undefined;
        await rmdir(folder).catch(() => {}); // something else is in it: it is looked at again another time
      } else {
        this.#reader = await SegmentReader.open(join(folder, file));
        if (this.#reader.isDone) await this.#reader.remove();
      }
    }
  }

  /** Releases undelivered lines to other processes. */
  release(): void {
    if (this.#claimed === undefined) return;
    this.#rename(this.#claimed.folder, newWriterName(this.#claimed.startedMs, 0));
  }

  async #settle(reader: SegmentReader, done: number): Promise<void> {
    reader.skip(done);
    if (reader.isDone) await reader.remove();
  }

  #claim(): Claimed | undefined {
    if (this.#mayLook) this.#abandoned = listAbandoned(this.#spool);
    this.#mayLook = false;
    for (let writer = this.#abandoned.shift(); writer !== undefined; writer = this.#abandoned.shift()) {
      const { startedMs } = writer;
      const folder = this.#rename(join(this.#spool, writer.name), newWriterName(startedMs, process.pid));
      if (folder !== undefined) return { folder, startedMs, files: listSegments(folder) };
    }
    return undefined;
  }

  /** Undefined when another process was faster. */
  #rename(folder: string, name: string): string | undefined {
    try {
      const renamed = join(this.#spool, name);
      renameSync(folder, renamed);
      return renamed;
    } catch {
      return undefined;
    }
  }
}
