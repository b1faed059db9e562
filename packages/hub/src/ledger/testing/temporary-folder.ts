import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TemporaryFolder extends Disposable {
  readonly path: string;
  /** The path of a file in it. */
  file(name: string): string;
  /** Removes a file or folder in it. */
  clear(name: string): void;
  /** Names, permissions and contents of everything in it, to detect changes. */
  snapshot(): Readonly<Record<string, string>>;
}

/** A test's own folder, removed at its end. */
export function temporaryTestFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), "earshot-ledger-"));
  return {
    path,
    file: (name) => join(path, name),
    clear: (name) => rmSync(join(path, name), { recursive: true, force: true }),
    snapshot: () => Object.fromEntries(readdirSync(path, { recursive: true, encoding: "utf8" }).map((name) => describe(path, name))),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

function describe(folder: string, name: string): [string, string] {
  const path = join(folder, name);
  const stats = statSync(path);
  return [name, `${stats.mode.toString(8)} ${stats.mtimeMs} ${stats.isFile() ? readFileSync(path, "hex") : "folder"}`];
}
