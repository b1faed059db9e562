import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { agentFiles } from "./generate/agents.ts";
import { attackFiles } from "./generate/attacks.ts";
import { writeCliPage } from "./generate/cli.ts";
import { conformanceFiles } from "./generate/conformance.ts";
import { errorFiles, ruleFiles } from "./generate/docs.ts";
import { schemaFiles } from "./generate/schemas.ts";

/** The content of all generated files by path. A test compares it with the committed files. */
export function generatedFiles(): Map<string, string> {
  return new Map([...schemaFiles(), ...conformanceFiles(), ...ruleFiles(), ...errorFiles(), ...agentFiles(), ...attackFiles()]);
}

/** Folders that hold generated files and nothing else. */
export const GENERATED_FOLDERS = ["packages/protocol/schemas", "conformance", "docs/rules"] as const;

export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.replaceAll("\\", "/"));
}

if (process.argv[1]?.endsWith("generate.ts") === true) {
  const files = generatedFiles();
  for (const folder of GENERATED_FOLDERS) {
    mkdirSync(folder, { recursive: true });
    for (const path of filesBelow(folder)) if (!files.has(path)) rmSync(path);
  }
  let changed = 0;
  for (const [path, content] of files) {
    mkdirSync(dirname(path), { recursive: true });
    if (readOr(path) === content) continue;
    writeFileSync(path, content);
    changed++;
  }
  await writeCliPage();
  console.log(`${files.size} files are generated; ${changed} changed.`);
}

function readOr(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // not there yet
  }
}
