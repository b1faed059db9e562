import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");

/** Builds the command and copies it into a folder without sources, so that it runs as installed. Returns its path. */
export function installBuilt(folder: string): string {
  const built = spawnSync(process.execPath, [join(ROOT, "tools/build.ts"), "earshot"], { cwd: ROOT, encoding: "utf8" });
  if (built.status !== 0) throw new Error(`The command could not be built:\n${built.stdout}${built.stderr}`);
  const target = join(folder, "node_modules/earshot");
  cpSync(join(ROOT, "dist/earshot"), target, { recursive: true });
  return join(target, "bin/earshot.cjs");
}
