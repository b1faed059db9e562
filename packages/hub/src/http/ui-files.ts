import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";

export interface UiFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** Its name changes whenever it does. */
  readonly isLasting: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
  ".mp3": "audio/mpeg",
  ".wav": "audio/wav",
};

/**
 * The built dashboard. Its files are listed when the first of them is asked for, and found by name in that list: nothing in an
 * address ever becomes the name of a file. Each is read when it is first asked for. A listed file that is gone makes the list old.
 */
export class UiFiles {
  readonly #folder: string;
  #paths: ReadonlyMap<string, string> | undefined;
  readonly #read = new Map<string, UiFile>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** What stands at a path under `/ui/`: a file, or for every page of the application the one document that draws it. */
  find(path: string): UiFile | undefined {
    return this.#file(path) ?? (extname(path) === "" ? this.#file("index.html") : undefined);
  }

  #file(name: string): UiFile | undefined {
    const known = this.#read.get(name);
    if (known !== undefined) return known;
    this.#paths ??= this.#list();
    const path = this.#paths.get(name);
    if (path === undefined) return undefined;
    const bytes = readIfThere(path);
    if (bytes === undefined) {
      this.#forget();
      return undefined;
    }
    const file: UiFile = { type: TYPES[extname(name)] ?? "application/octet-stream", bytes, isLasting: name.startsWith("assets/") };
    this.#read.set(name, file);
    return file;
  }

  /** Another dashboard was put there while the hub ran: a document that names files which are gone would lead nowhere. */
  #forget(): void {
    this.#paths = undefined;
    this.#read.clear();
  }

  #list(): ReadonlyMap<string, string> {
    const entries: readonly Dirent[] = readdirSync(this.#folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith("."));
    return new Map(
      files.map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [relative(this.#folder, path).split(sep).join("/"), path];
      }),
    );
  }
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
