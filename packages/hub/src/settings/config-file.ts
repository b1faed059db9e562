import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type HubHome, readLastStart, writePrivately } from "../home.ts";
import { MAX_FILE_BYTES, parseSettings } from "./read-settings.ts";
import type { HubSettings, SettingsProblem } from "./settings.ts";

/** The user's settings file as it was found. */
export interface ConfigFile {
  readonly path: string;
  readonly state: "absent" | "good" | "broken";
  /** The effective settings: from the file, from the last valid file, or none. */
  readonly settings: HubSettings;
  readonly from: "file" | "last-good" | "defaults";
  /** Problems of the file. */
  readonly troubles: readonly SettingsProblem[];
  /** Its text; empty unless the file is valid. */
  readonly text: string;
}

export function configPath({ folder }: HubHome): string {
  return join(folder, "config.yaml");
}

function lastGoodPath({ folder }: HubHome): string {
  return join(folder, "config.last-good.yaml");
}

/** Where the running or last hub keeps its ledger: a file path or a database address. */
export function ledgerLocation(home: HubHome): string {
  const last = readLastStart(home);
  return (last === undefined ? readConfig(home).settings.store : last.store) ?? home.ledger;
}

/** The defaults without retention limits, because the unreadable file may ask to keep everything. */
const CAUTIOUS = { settings: { retention: { days: 0, bytes: 0 } }, from: "defaults" } as const;

/** Reads the settings. A broken file never prevents a start: the last valid settings apply, or the defaults. */
export function readConfig(home: HubHome): ConfigFile {
  const path = configPath(home);
  const file = readText(path);
  if (file === undefined) return { path, state: "absent", settings: {}, from: "defaults", troubles: [], text: "" };
  const read = "trouble" in file ? { ok: false as const, troubles: [file.trouble] } : parseSettings(file.text);
  if (read.ok) return { path, state: "good", settings: read.value, from: "file", troubles: [], text: "text" in file ? file.text : "" };
  const before = readText(lastGoodPath(home));
  const good = before === undefined || "trouble" in before ? undefined : parseSettings(before.text);
  const fallback = good?.ok === true ? ({ settings: good.value, from: "last-good" } as const) : CAUTIOUS;
  return { path, state: "broken", ...fallback, troubles: read.troubles, text: "" };
}

/**
 * Call once a hub runs with the settings: a valid file may still name an unavailable port. Without a file the copy is removed, so that it
 * cannot reappear later.
 */
export function keepAsLastGood(home: HubHome, { state, text }: ConfigFile): void {
  if (state === "good") writePrivately(lastGoodPath(home), text);
  else if (state === "absent") rmSync(lastGoodPath(home), { force: true });
}

/** One line per problem in the format of compilers, with its hint below. */
export function describeTroubles({ path, troubles }: Pick<ConfigFile, "path" | "troubles">): string {
  return troubles
    .map(({ line, column, message, hint }) => `${path}:${line}:${column}: ${message}\n${hint === undefined ? "" : `    ${hint}\n`}`)
    .join("");
}

type FileText = { readonly text: string } | { readonly trouble: SettingsProblem };

/** Follows links, since many people keep such files elsewhere; anything but a regular file could be endless. */
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
