import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writePrivately } from "@earshot/hub/home";
import type { Scope } from "./place.ts";

/** What was written into a file of an agent's, and what stood there before. */
export interface RecordedFile {
  readonly agent: string;
  readonly scope: Scope;
  readonly path: string;
  /** The project it belongs to, in that scope. */
  readonly project?: string;
  /** When it was written last. */
  readonly at: string;
  /** The text without Earshot's entries, in Earshot's folder; null where there was no file. */
  readonly backup: string | null;
  /** Digest of the text that was written: while it fits, nobody else has changed the file. */
  readonly wrote: string;
  /** Folders that were made for it, from the outermost on. */
  readonly folders: readonly string[];
  /** Over HTTP, as far as nothing waits for the answer. */
  readonly http?: boolean;
}

/** What `earshot init` did, so that `earshot init --undo` can undo exactly that. */
export class Record {
  readonly #folder: string;
  #files: readonly RecordedFile[];

  constructor(earshotHome: string) {
    this.#folder = earshotHome;
    this.#files = readFiles(this.#path);
  }

  get files(): readonly RecordedFile[] {
    return this.#files;
  }

  find(path: string): RecordedFile | undefined {
    return this.#files.find((file) => file.path === path);
  }

  /** The text that a backup holds; null for none, undefined when it is gone. */
  readBackup({ backup }: RecordedFile): string | null | undefined {
    if (backup === null) return null;
    try {
      return readFileSync(join(this.#folder, "backups", backup), "utf8");
    } catch {
      return undefined; // removed by somebody: the entries are taken out one by one instead
    }
  }

  /** Keeps a copy of a text under a name of its own, with the time in it. */
  backUp(name: string, text: string, now: Date): string {
    mkdirSync(join(this.#folder, "backups"), { recursive: true, mode: 0o700 });
    const stamp = now.toISOString().replaceAll(/[-:]|\.\d+/g, "");
    const file = `${stamp}-${name.replaceAll(/[^\w.-]+/g, "_").slice(-120)}`;
    writePrivately(join(this.#folder, "backups", file), text);
    return file;
  }

  keep(file: RecordedFile): void {
    this.#write([...this.#files.filter(({ path }) => path !== file.path), file]);
  }

  forget(path: string): void {
    this.#write(this.#files.filter((file) => file.path !== path));
  }

  #write(files: readonly RecordedFile[]): void {
    this.#files = files;
    if (files.length === 0) rmSync(this.#path, { force: true });
    else writePrivately(this.#path, `${JSON.stringify({ version: 1, files }, null, 2)}\n`);
  }

  get #path(): string {
    return join(this.#folder, "registered.json");
  }
}

function readFiles(path: string): readonly RecordedFile[] {
  try {
    const read = JSON.parse(readFileSync(path, "utf8")) as { readonly files?: unknown };
    return Array.isArray(read.files)
      ? (read.files as RecordedFile[]).filter((file) => typeof file?.path === "string" && typeof file.wrote === "string")
      : [];
  } catch {
    return []; // never written, or damaged: then files are put right entry by entry
  }
}
