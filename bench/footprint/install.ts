import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";

const ROOT = new URL("../../", import.meta.url).pathname;

interface Manifest {
  readonly name: string;
  readonly files?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
}

/**
 * Builds the packages and puts what would be published into a folder, without sources: then `earshot` runs as installed.
 * What others have written is linked to, not copied. Gives the path of the command.
 */
export function installBuilt(folder: string): string {
  for (const tool of ["tools/build.cjs", "tools/build-command.cjs"]) {
    const built = spawnSync(process.execPath, [join(ROOT, tool)], { encoding: "utf8" });
    if (built.status !== 0) throw new Error(`The packages do not build:\n${built.stdout}${built.stderr}`);
  }
  const manifests = new Map<string, { readonly manifest: Manifest; readonly path: string }>();
  for (const name of readdirSync(join(ROOT, "packages"))) {
    const path = join(ROOT, "packages", name);
    const manifest = JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as Manifest;
    manifests.set(manifest.name, { manifest, path });
  }
  const wanted = ["earshot"];
  const done = new Set<string>();
  for (let name = wanted.shift(); name !== undefined; name = wanted.shift()) {
    if (done.has(name)) continue;
    done.add(name);
    const target = join(folder, "node_modules", name);
    mkdirSync(join(target, ".."), { recursive: true });
    const ours = manifests.get(name);
    if (ours === undefined) {
      symlinkSync(join(ROOT, "node_modules", name), target);
      continue;
    }
    for (const pattern of ["package.json", ...(ours.manifest.files ?? [])])
      for (const file of globSync(pattern, { cwd: ours.path })) cpSync(join(ours.path, file), join(target, file), { recursive: true });
    wanted.push(...Object.keys(ours.manifest.dependencies ?? {}));
  }
  return join(folder, "node_modules/earshot/bin/earshot.cjs");
}
