import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** `other` is every file that is neither code nor generated: documentation, data and settings. */
const KINDS = ["source", "test", "generated", "other"] as const;
export type Kind = (typeof KINDS)[number];

export interface Count {
  files: number;
  lines: number;
}

/** The counts of one folder, with everything below it. */
export interface Row extends Readonly<Record<Kind, Count>> {
  readonly folder: string;
  /** Lines of the longest source file. */
  longest: number;
}

const SKIPPED = new Set(["node_modules", "dist", "coverage", ".cache", ".git"]);
const TEST = /\.(test|scenario|browser|deep|contract)\.tsx?$|(^|\/)(testing|samples)[./]|^scenarios\//;
const GENERATED =
  /^(conformance|docs\/rules|packages\/protocol\/schemas|packages\/agents\/compiled)\/|^docs\/(errors|agents|cli)\.md$|^packages\/protocol\/src\/coding-agents\.ts$|^package-lock\.json$/;
const CODE = /\.(tsx?|[cm]?js|css|html|sh)$/;

export function kindOf(path: string): Kind {
  if (GENERATED.test(path)) return "generated";
  if (TEST.test(path)) return "test";
  return CODE.test(path) ? "source" : "other";
}

/** Rows per folder at the top, per package, and per folder in a package's `src`, sorted by path; the last row counts everything. */
export function countLines(root: string): readonly Row[] {
  const rows = new Map<string, Row>();
  for (const path of filesBelow(root, "")) {
    const kind = kindOf(path);
    const lines = linesOf(readFileSync(join(root, path)));
    for (const folder of foldersOf(path)) {
      const row = rows.get(folder) ?? emptyRow(folder);
      rows.set(folder, row);
      row[kind].files++;
      row[kind].lines += lines;
      if (kind === "source") row.longest = Math.max(row.longest, lines);
    }
  }
  const [whole = emptyRow(""), ...folders] = [...rows.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1));
  return [...folders, whole];
}

function* filesBelow(root: string, folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    if (SKIPPED.has(entry.name)) continue;
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(root, path);
    else if (entry.isFile() && !entry.name.endsWith(".tsbuildinfo")) yield path;
  }
}

/** `packages/hub/src/ledger/sqlite/x.ts` counts for "", `packages`, `packages/hub` and `packages/hub/src/ledger`. */
function foldersOf(path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  const depths = parts[0] !== "packages" ? [0, 1] : parts[2] === "src" ? [0, 1, 2, 4] : [0, 1, 2];
  return depths.filter((depth) => depth <= parts.length).map((depth) => parts.slice(0, depth).join("/"));
}

/** Like `wc -l`, but an unterminated last line counts. A file with a zero byte has no lines. */
function linesOf(content: Buffer): number {
  if (content.includes(0)) return 0;
  const text = content.toString("latin1");
  return text.split("\n").length - (text === "" || text.endsWith("\n") ? 1 : 0);
}

function emptyRow(folder: string): Row {
  const none = (): Count => ({ files: 0, lines: 0 });
  return { folder, source: none(), test: none(), generated: none(), other: none(), longest: 0 };
}

export function formatRows(rows: readonly Row[]): string {
  const table = rows.map((row) => [
    row.folder === "" ? "everything" : row.folder,
    ...KINDS.flatMap((kind) => [row[kind].lines, row[kind].files]).map((count) => (count === 0 ? "" : count.toLocaleString("en"))),
    row.longest === 0 ? "" : String(row.longest),
  ]);
  const lines = [["folder", ...KINDS.flatMap((kind) => [kind, "files"]), "longest"], ...table];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  const pad = (cell: string, column: number) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0));
  const whole = rows.at(-1);
  const sum = (what: keyof Count) => KINDS.reduce((total, kind) => total + (whole?.[kind][what] ?? 0), 0).toLocaleString("en");
  return [...lines.map((line) => line.map(pad).join("  ").trimEnd()), `${sum("files")} files, ${sum("lines")} lines`].join("\n");
}

if (import.meta.main) {
  const rows = countLines(join(import.meta.dirname, ".."));
  console.log(process.argv.includes("--json") ? JSON.stringify(rows, null, 2) : formatRows(rows));
}
