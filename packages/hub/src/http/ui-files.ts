import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";

export interface UiFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** Its name contains a hash of its content. */
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
 * The built dashboard. Its files are listed on first use and looked up by name, so that no URL ever becomes a file name. Each is read on
 * first use. A missing file makes the list outdated.
 */
export class UiFiles {
  readonly #folder: string;
  #paths: ReadonlyMap<string, string> | undefined;
  readonly #read = new Map<string, UiFile>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The file at a path under `/ui/`, or the application's document for every page. */
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

  /** The dashboard was replaced while the hub ran: the old document refers to missing files. */
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
