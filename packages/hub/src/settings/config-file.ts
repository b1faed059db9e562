import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Home, readLastStart, writePrivately } from "../home.ts";
import { MAX_FILE_BYTES, readSettings } from "./read-settings.ts";
import type { Settings, Trouble } from "./settings.ts";

/** The user's file of settings, as it was found. */
export interface Config {
  readonly path: string;
  readonly state: "absent" | "good" | "broken";
  /** What counts: of the file, of the one that was good before it, or none. */
  readonly settings: Settings;
  readonly from: "file" | "last-good" | "defaults";
  /** What is wrong with the file. */
  readonly troubles: readonly Trouble[];
  /** As it was read; empty unless the file is good. */
  readonly text: string;
}

export function configPath({ folder }: Home): string {
  return join(folder, "config.yaml");
}

function lastGoodPath({ folder }: Home): string {
  return join(folder, "config.last-good.yaml");
}

/** Where the hub that runs, or ran last, keeps its ledger: the path of a file, or the address of a database. */
export function ledgerLocation(home: Home): string {
  const last = readLastStart(home);
  return (last === undefined ? readConfig(home).settings.store : last.store) ?? home.ledger;
}

/** The defaults, but nothing is removed by them: the file may ask, in a way that cannot be read, to keep everything. */
const CAUTIOUS = { settings: { retention: { days: 0, bytes: 0 } }, from: "defaults" } as const;

/** Reads the settings. A broken file is never a reason not to start: what was good before it counts, or the defaults. */
export function readConfig(home: Home): Config {
  const path = configPath(home);
  const file = readText(path);
  if (file === undefined) return { path, state: "absent", settings: {}, from: "defaults", troubles: [], text: "" };
  const read = "trouble" in file ? { ok: false as const, troubles: [file.trouble] } : readSettings(file.text);
  if (read.ok) return { path, state: "good", settings: read.value, from: "file", troubles: [], text: "text" in file ? file.text : "" };
  const before = readText(lastGoodPath(home));
  const good = before === undefined || "trouble" in before ? undefined : readSettings(before.text);
  const fallback = good?.ok === true ? ({ settings: good.value, from: "last-good" } as const) : CAUTIOUS;
  return { path, state: "broken", ...fallback, troubles: read.troubles, text: "" };
}

/**
 * To be called once a hub runs on the settings: a file that is well written may still ask for a port that cannot be had.
 * Without a file there is nothing to fall back to either, so that an old copy does not come back to life one day.
 */
export function keepAsLastGood(home: Home, { state, text }: Config): void {
  if (state === "good") writePrivately(lastGoodPath(home), text);
  else if (state === "absent") rmSync(lastGoodPath(home), { force: true });
}

/** One line for each trouble, in the format of compilers, with its hint below it. */
export function describeTroubles({ path, troubles }: Pick<Config, "path" | "troubles">): string {
  return troubles
    .map(({ line, column, message, hint }) => `${path}:${line}:${column}: ${message}\n${hint === undefined ? "" : `    ${hint}\n`}`)
    .join("");
}

type FileText = { readonly text: string } | { readonly trouble: Trouble };

/** A link is followed, since many keep such files elsewhere; what is no regular file could be without end. */
function readText(path: string): FileText | undefined {
  const wrong = (message: string, hint: string): FileText => ({ trouble: { line: 1, column: 1, message, hint } });
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (!stats.isFile()) return wrong("This is no regular file.", "Remove it, or put a file of settings in its place.");
    if (stats.size > MAX_FILE_BYTES) return wrong(`The file is larger than ${MAX_FILE_BYTES / 1024} KiB.`, "Settings take a few lines.");
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path)) };
  } catch (error) {
    if (error instanceof TypeError) return wrong("The file is not UTF-8.", "Save it as UTF-8.");
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    return wrong(`The file cannot be read (${code}).`, "Check its permissions.");
  }
}
