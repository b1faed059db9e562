import { statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import type { AgentCard, SettingsFile, SettingsFormat } from "@earshot/agents";
import { LAUNCHER } from "./hook-command.ts";

export type InstallScope = "user" | "project";
type Environment = Readonly<Record<string, string | undefined>>;

/** The installer's environment. */
export interface InstallPlace {
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
  readonly userHome: string;
  /** Earshot's folder. */
  readonly earshotHome: string;
  readonly project: string;
  readonly scope: InstallScope;
  /** Rules may restrict tools that only read, so their hooks wait for an answer. */
  readonly holdsReads?: boolean;
}

/** The launcher's path, equal in every version. */
export function launcherPath({ earshotHome, platform }: Pick<InstallPlace, "earshotHome" | "platform">): string {
  return join(earshotHome, "bin", platform === "win32" ? `${LAUNCHER}.cmd` : LAUNCHER);
}

export interface FoundFile {
  readonly path: string;
  readonly format: SettingsFormat;
}

/** An agent's settings file in this scope, or its folder for scripts; undefined if there is none. */
export function settingsFile(card: AgentCard, place: InstallPlace): FoundFile | undefined {
  const settings: SettingsFile | undefined = card[place.scope];
  if (settings === undefined) return undefined;
  const folder = settingsFolderOf(settings, place);
  const path = join(folder, settings.file);
  const { otherwise } = settings;
  if (otherwise !== undefined && !pathExists(path) && pathExists(join(folder, otherwise.file)))
    return { path: join(folder, otherwise.file), format: otherwise.format };
  return { path, format: settings.format };
}

export function settingsFolderOf({ folder, variable }: SettingsFile, place: InstallPlace): string {
  if (place.scope === "project") return resolve(place.project, folder);
  const given = variable === undefined ? undefined : place.env[variable];
  return given !== undefined && isAbsolute(given) ? given : expandPath(folder, place);
}

/** `~` is the user's home, `~config` the folder for program settings. */
export function expandPath(path: string, { env, userHome }: Pick<InstallPlace, "env" | "userHome">): string {
  if (path.startsWith("~config/")) {
    const given = env["XDG_CONFIG_HOME"];
    return join(given !== undefined && isAbsolute(given) ? given : join(userHome, ".config"), path.slice("~config/".length));
  }
  return path.startsWith("~/") ? join(userHome, path.slice(2)) : path;
}

export function pathExists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
