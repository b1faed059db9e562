import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** Packages that are published separately. Every other workspace package is copied into the package that imports it. */
const PUBLISHED = new Set(["protocol", "sdk"]);
const COPIES = "bundled";

interface Manifest {
  readonly exports: Exports;
  readonly dependencies?: Readonly<Record<string, string>>;
}
export type Exports = { readonly [name: string]: string | Exports };

export interface Library {
  /** The built file of each entry, by its source: `./src/index.ts` → `./dist/index.js`. */
  readonly entries: ReadonlyMap<string, string>;
  /** The packages that the built files import. */
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Compiles a package for publication: JavaScript and declarations of every module that its entries reach, in `FOLDER/dist`. */
export function buildLibrary(name: string, folder: string): Library {
  const sources = sourceEntries(readManifest(name).exports);
  const output = join(root, ".cache/build", name);
  const versions: Record<string, string> = {};
  const imported = new Set<string>();
  compile(name, sources, output);
  for (const path of globSync("*/src/**/*.{js,d.ts}", { cwd: output })) {
    const [from = "", , ...rest] = path.split(/[/\\]/);
    if (from !== name && PUBLISHED.has(from)) continue;
    const target = join(folder, "dist", ...(from === name ? [] : [COPIES, from]), ...rest);
    mkdirSync(dirname(target), { recursive: true });
    const text = withRelativeImports(readFileSync(join(output, path), "utf8"), target, join(folder, "dist"));
    writeFileSync(target, text);
    Object.assign(versions, readManifest(from).dependencies);
    for (const [, specifier = ""] of text.matchAll(/(?:from |import\()"((?:@[\w-]+\/)?[\w-]+)/g)) imported.add(specifier);
  }
  return {
    entries: new Map(sources.map((source) => [source, source.replace("./src/", "./dist/").replace(/\.ts$/, ".js")])),
    dependencies: Object.fromEntries(Object.entries(versions).filter(([specifier]) => imported.has(specifier))),
  };
}

function readManifest(name: string): Manifest {
  return JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8")) as Manifest;
}

function sourceEntries(exports: Exports): readonly string[] {
  return Object.values(exports).flatMap((target) =>
    typeof target === "string" ? (target.endsWith(".ts") ? [target] : []) : sourceEntries(target),
  );
}

function compile(name: string, sources: readonly string[], output: string): void {
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const config = join(output, "tsconfig.json");
  const compilerOptions = {
    noEmit: false,
    rewriteRelativeImportExtensions: true,
    rootDir: join(root, "packages"),
    outDir: output,
    paths: unpublishedSources(), // the compiler emits nothing for a module that it found through node_modules
  };
  const files = sources.map((source) => join(root, "packages", name, source));
  writeFileSync(config, JSON.stringify({ extends: join(root, "tsconfig.json"), compilerOptions, files, include: [] }));
  const run = (...options: readonly string[]) =>
    execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", config, ...options], { stdio: "inherit" });
  run("--removeComments");
  run("--declaration", "--emitDeclarationOnly"); // editors read the comments from the declarations
}

function unpublishedSources(): Record<string, readonly string[]> {
  const names = readdirSync(join(root, "packages")).filter((name) => !PUBLISHED.has(name));
  return Object.fromEntries(
    names.flatMap((name) =>
      Object.entries(readManifest(name).exports ?? {}).map(([entry, target]) => [
        `@earshot/${name}${entry.slice(1)}`,
        [join(root, "packages", name, String(target))],
      ]),
    ),
  );
}

/** Rewrites imports of unpublished packages to their copies. */
function withRelativeImports(text: string, file: string, folder: string): string {
  return text.replace(/(from |import\()"@earshot\/([\w-]+)(?:\/([\w-]+))?"/g, (whole, before: string, name: string, entry = ".") => {
    if (PUBLISHED.has(name)) return whole;
    const target = readManifest(name).exports[entry === "." ? "." : `./${entry}`];
    if (typeof target !== "string") throw new Error(`${whole} in ${file} leads to no source.`);
    const path = relative(dirname(file), join(folder, COPIES, name, target.replace("./src/", "").replace(/\.ts$/, ".js")));
    return `${before}"${path.startsWith(".") ? path : `./${path}`}"`.replaceAll("\\", "/");
  });
}
