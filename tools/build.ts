import { createHash } from "node:crypto";
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "vite";
import { commandConfig } from "./build-command.ts";
import { buildLibrary, type Exports, type Library } from "./build-library.ts";

/**
 * Builds the three published packages into dist/:
 *
 *     node tools/install.cjs tools/build.ts [dashboard | earshot | sdk | protocol]
 *
 * `dashboard` builds only the pages, into packages/dashboard/dist. A hub that runs from sources serves them from there.
 */
const root = resolve(import.meta.dirname, "..");
const wanted = process.argv.slice(2);
process.env["NODE_ENV"] = "production"; // otherwise Vite bundles the development build of React

if (wanted.length === 0 || wanted.includes("dashboard") || wanted.includes("earshot")) await buildDashboard();
if (wanted.length === 0 || wanted.includes("earshot")) await buildCommand();
for (const name of ["protocol", "sdk"] as const) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const folder = emptyFolder(name);
  const library = buildLibrary(name, folder);
  if (name === "protocol") cpSync(join(root, "packages/protocol/schemas"), join(folder, "schemas"), { recursive: true });
  writeManifest(name, `packages/${name}`, library);
}

/** Builds the pages, unless the existing build is from the same sources. */
async function buildDashboard(): Promise<void> {
  const folder = join(root, "packages/dashboard");
  const stamp = join(folder, "dist/.stamp");
  const hash = createHash("sha256");
  const sources = globSync(
    ["packages/dashboard/{index.html,vite.config.ts,public/*}", "packages/*/src/**/*.{ts,tsx,css,svg}", "package-lock.json"],
    {
      cwd: root,
    },
  );
  for (const path of sources.filter((name) => !/[/\\](hub|cli|agents)[/\\]|\.test\.tsx?$|[/\\]testing[/\\]/.test(name)).sort())
    hash.update(path).update(readFileSync(join(root, path)));
  const digest = hash.digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === digest) return;
  process.stderr.write("Building the dashboard ...\n");
  await build({ root: folder, logLevel: "warn" });
  writeFileSync(stamp, digest);
}

async function buildCommand(): Promise<void> {
  const folder = emptyFolder("earshot");
  await build({ ...commandConfig(join(folder, "dist")), configFile: false, logLevel: "warn" });
  cpSync(join(root, "packages/dashboard/dist"), join(folder, "dist/ui"), { recursive: true, filter: (path) => !path.endsWith(".stamp") });
  for (const name of ["bin", "recordings"]) cpSync(join(root, "packages/cli", name), join(folder, name), { recursive: true });
  writeManifest("earshot", "packages/cli");
}

function emptyFolder(name: string): string {
  const folder = join(root, "dist", name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Writes a published package's package.json: the one in `packages/`, with exports that name built files. */
function writeManifest(name: string, source: string, library?: Library): void {
  const read = (path: string) => JSON.parse(readFileSync(join(root, path, "package.json"), "utf8")) as Record<string, unknown>;
  const { private: _private, dependencies: _dependencies, devDependencies: _dev, exports, ...rest } = read(source);
  const { repository, homepage, bugs } = read(".");
  const manifest = { ...rest, repository: { ...(repository as object), directory: source }, homepage, bugs };
  const entries = library && { exports: publishedExports(exports as Exports, library.entries), dependencies: library.dependencies };
  const folder = join(root, "dist", name);
  writeFileSync(join(folder, "package.json"), `${JSON.stringify({ ...manifest, ...entries }, null, 2)}\n`);
  cpSync(join(root, source, "README.md"), join(folder, "README.md"));
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
}

function publishedExports(exports: Exports, built: ReadonlyMap<string, string>): object {
  return Object.fromEntries(
    Object.entries(exports).flatMap(([name, target]): [string, object | string][] => {
      if (typeof target !== "string") return [[name, publishedExports(target, built)]];
      if (!target.endsWith(".ts")) return [[name, target]];
      const file = built.get(target);
      return file === undefined ? [] : [[name, { types: file.replace(/\.js$/, ".d.ts"), default: file }]];
    }),
  );
}
