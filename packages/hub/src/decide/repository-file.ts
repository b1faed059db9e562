import { realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** A repository's own rules stand here. */
export const IN_REPOSITORY = join(".earshot", "policy.yaml");
const MOST_LEVELS = 40;

/** The nearest one above a folder. What an agent calls its folder is not believed further than a file being there. */
export function findRepositoryFile(cwd: string, home: string | undefined): string | undefined {
  return placesAbove(cwd, home).find((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
}

/** Where such a file could be for a folder, the nearest place first. None where there is no such folder here. */
export function placesAbove(cwd: string, home: string | undefined): readonly string[] {
  const places: string[] = [];
  let folder: string;
  try {
    folder = realpathSync.native(cwd); // one call, where the other one asks about every folder above
  } catch {
    return places;
  }
  for (let level = 0; level < MOST_LEVELS && folder !== home; level++) {
    places.push(join(folder, IN_REPOSITORY));
    const above = dirname(folder);
    if (above === folder) break;
    folder = above;
  }
  return places;
}
