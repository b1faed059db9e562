import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { hubHomeOf, prepareHome } from "@earshot/hub/home";
import { launcherPlaces, launcherText, windowsLauncherText } from "../hook/launcher-text.ts";
import { launcherPath } from "./place.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The launcher that this version needs on this machine. */
export interface Launcher {
  readonly path: string;
  readonly text: string;
}

export async function launcherFor(env: Environment, platform: NodeJS.Platform = process.platform): Promise<Launcher> {
  const home = hubHomeOf(env);
  const places = await launcherPlaces(home);
  const text = platform === "win32" ? windowsLauncherText(places) : launcherText(places);
  return { path: launcherPath({ earshotHome: home.folder, platform }), text };
}

export type LauncherState = "good" | "missing" | "not-executable" | "outdated";

export function lookAtLauncher({ path, text }: Launcher, platform: NodeJS.Platform = process.platform): LauncherState {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() !== true) return "missing";
  if (platform !== "win32" && (stat.mode & 0o100) === 0) return "not-executable";
  return readFileSync(path, "utf8") === text ? "good" : "outdated";
}

/** Rewrites an outdated launcher; creates a missing one only if requested. */
export async function refreshLauncher(
  env: Environment,
  platform: NodeJS.Platform,
  { installs }: { readonly installs: boolean },
): Promise<Launcher> {
  const launcher = await launcherFor(env, platform);
  const state = lookAtLauncher(launcher, platform);
  if (state === "outdated" || (installs && state !== "good")) installLauncher(launcher, env);
  return launcher;
}

/** Replaced atomically, because an agent may be running the old one. */
export function installLauncher({ path, text }: Launcher, env: Environment): void {
  const home = hubHomeOf(env);
  prepareHome(home);
  mkdirSync(home.bin, { recursive: true, mode: 0o700 });
  const beside = `${path}.${process.pid}.new`;
  writeFileSync(beside, text, { mode: 0o700 });
  renameSync(beside, path);
}
