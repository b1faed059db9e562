import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writePrivately } from "@earshot/hub/home";
import type { InstallScope } from "./place.ts";

/** A write into an agent's file, and the text before it. */
export interface RecordedFile {
  readonly agent: string;
  readonly scope: InstallScope;
  readonly path: string;
  /** The project, for project scope. */
  readonly project?: string;
  /** Time of the last write. */
  readonly at: string;
  /** A copy of the text without Earshot's entries, in Earshot's folder; null if there was no file. */
  readonly backup: string | null;
  /** Digest of the written text: if it still matches, nobody else changed the file. */
  readonly wrote: string;
  /** Folders created for it, outermost first. */
  readonly folders: readonly string[];
  /** Observing hooks use HTTP. */
  readonly http?: boolean;
}

/** A record of `earshot init`, so that `earshot init --undo` can revert exactly that. */
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

  /** The text of a backup; null for no file, undefined if the backup is missing. */
  readBackup({ backup }: RecordedFile): string | null | undefined {
    if (backup === null) return null;
    try {
      return readFileSync(join(this.#folder, "backups", backup), "utf8");
    } catch {
      return undefined; // removed by somebody: the entries are taken out one by one instead
    }
  }

  /** Saves a copy under a unique name with its time. */
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
