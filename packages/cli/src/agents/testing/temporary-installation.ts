import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Installation } from "../installation.ts";

export interface TemporaryInstallation extends Installation, Disposable {
  readonly root: string;
  /** Writes a file below the user's home. */
  write(path: string, text: string): string;
  /** Creates a program on the PATH that prints its version. */
  program(name: string, version: string): void;
  /** All files and contents except Earshot's. */
  snapshot(): Readonly<{ [path: string]: string }>;
}

export function temporaryInstallation(): TemporaryInstallation {
  const root = mkdtempSync(join(tmpdir(), "earshot-init-"));
  const userHome = join(root, "home");
  const project = join(root, "project");
  const programs = join(root, "programs");
  const earshot = join(userHome, ".earshot");
  for (const folder of [userHome, project, programs]) mkdirSync(folder);
  return {
    root,
    userHome,
    project,
    platform: process.platform,
    env: { EARSHOT_HOME: earshot, PATH: programs },
    now: () => new Date("2026-11-15T12:00:00Z"),
    write(path, text) {
      const full = join(userHome, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, text);
      return full;
    },
    program(name, version) {
      const path = join(programs, name);
      writeFileSync(path, `#!/bin/sh\necho "${version} (Some Agent)"\n`);
      chmodSync(path, 0o755);
    },
    snapshot() {
      const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter(
        ({ parentPath, name }) => !join(parentPath, name).startsWith(earshot),
      );
      return Object.fromEntries(
        files.map((entry) => [
          join(entry.parentPath, entry.name),
          entry.isFile() ? readFileSync(join(entry.parentPath, entry.name), "latin1") : "",
        ]),
      );
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}
