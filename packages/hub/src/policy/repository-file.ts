import { readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** A repository's own rules stand here. */
export const IN_REPOSITORY = join(".earshot", "policy.yaml");
const MOST_LEVELS = 40;

/** The nearest one above a folder. What an agent calls its folder is not believed further than a file being there. */
export function findRepositoryFile(cwd: string, home: string | undefined): string | undefined {
  return placesAbove(cwd, home).find((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
}

/** A folder as the system itself calls it: one call, where `realpathSync` asks about every folder above it. Throws where there is none. */
export function realFolder(path: string): string {
  return realpathSync.native(path);
}

const MOST_LINKS = 16;

/**
 * Where a path leads when the links on the disk are followed. Of a file that is not there, its nearest folder counts; a link to a file
 * that is not there leads to it all the same, because writing through the link creates it.
 */
export function followDiskLinks(path: string, links = 0): string {
  let rest = "";
  for (let at = path; links < MOST_LINKS; at = dirname(at)) {
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

/** Where such a file could be for a folder, the nearest place first. None where there is no such folder here. */
export function placesAbove(cwd: string, namedHome: string | undefined): readonly string[] {
  const places: string[] = [];
  const top = namedHome === undefined ? undefined : realHome(namedHome);
  let folder: string;
  try {
    folder = realFolder(cwd);
  } catch {
    return places;
  }
  for (let level = 0; level < MOST_LEVELS && folder !== top; level++) {
    places.push(join(folder, IN_REPOSITORY));
    const above = dirname(folder);
    if (above === folder) break;
    folder = above;
  }
  return places;
}
