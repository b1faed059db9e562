import { readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** The path of a repository's own rules. */
export const IN_REPOSITORY = join(".earshot", "policy.yaml");
const MAX_LEVELS = 40;

/** The nearest one above a folder. An agent's claim about its folder is only trusted as far as a file exists there. */
export function findRepositoryFile(cwd: string, home: string | undefined): string | undefined {
  return placesAbove(cwd, home).find((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
}

/** The canonical path of a folder in one system call, where `realpathSync` makes one per parent. Throws if it does not exist. */
export function realFolder(path: string): string {
  return realpathSync.native(path);
}

const MAX_LINKS = 16;

/**
 * The target of a path after following links. For a missing file, its nearest folder counts; a link to a missing file leads to it anyway,
 * because writing through the link creates it.
 */
export function followDiskLinks(path: string, links = 0): string {
  let rest = "";
  for (let at = path; links < MAX_LINKS; at = dirname(at)) {
    try {
      return join(realFolder(at), rest);
    } catch {} // it is not there: its folder may be
    const target = readLink(at);
    if (target !== undefined) return join(followDiskLinks(resolve(dirname(at), target), links + 1), rest);
    if (dirname(at) === at) break;
    rest = join(basename(at), rest);
  }
  return path;
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined; // no link
  }
}

let home: { readonly named: string; readonly real: string } | undefined;

/** The same for the home, which does not move while the hub runs. */
function realHome(named: string): string {
  if (home?.named === named) return home.real;
  let real = named;
  try {
    real = realFolder(named);
  } catch {} // it is not there, and nothing lies in it
  home = { named, real };
  return real;
}

/** Possible places of such a file for a folder, nearest first. None if there is no such folder here. */
export function placesAbove(cwd: string, namedHome: string | undefined): readonly string[] {
  const places: string[] = [];
  const top = namedHome === undefined ? undefined : realHome(namedHome);
  let folder: string;
  try {
    folder = realFolder(cwd);
  } catch {
    return places;
  }
  for (let level = 0; level < MAX_LEVELS && folder !== top; level++) {
    places.push(join(folder, IN_REPOSITORY));
    const above = dirname(folder);
    if (above === folder) break;
    folder = above;
  }
  return places;
}
