import { glob, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { EarshotError } from "@earshot/protocol";

const RECORDINGS = "**/*.{jsonl,ndjson,json,jsonl.gz,ndjson.gz,json.gz}";

/**
 * The recordings named by a command's arguments: files, every recording below a folder, and unexpanded patterns. A pattern or folder
 * without a match is an error.
 */
export async function findInputs(names: readonly string[], inFolders: string = RECORDINGS): Promise<string[]> {
  const found: string[] = [];
  for (const name of names) {
    if (name === "-") {
      found.push(name);
      continue;
    }
    const info = await stat(name).catch(() => undefined);
    if (info?.isDirectory() === true) found.push(...(await matching(inFolders, name)));
    else if (info !== undefined || !/[*?[{]/.test(name)) found.push(name);
    else found.push(...(await matching(name, undefined)));
  }
  return [...new Set(found)];
}

async function matching(pattern: string, folder: string | undefined): Promise<string[]> {
  const paths: string[] = [];
  const options = { exclude: (path: string) => path === "node_modules" || path.endsWith("/node_modules") };
  for await (const path of folder === undefined ? glob(pattern, options) : glob(pattern, { cwd: folder, ...options })) {
    paths.push(folder === undefined ? path : join(folder, path));
  }
  if (paths.length === 0) {
    const message = folder === undefined ? `Nothing matches ${pattern}.` : `There is no recording in ${relative(".", folder) || "."}.`;
    throw new EarshotError({
      code: "FILE_UNREADABLE",
      message,
      hint: "Recordings end in .jsonl, .ndjson or .json, with .gz behind when compressed.",
    });
  }
  return paths.sort();
}
