import type { Places } from "../asked.ts";
import { HOME_CACHES } from "../catalogue/paths.ts";
import { PROTECTED_PLACES } from "../catalogue/places.ts";
import { isSecretPath } from "../catalogue/secrets.ts";
import { compilePath } from "../match/path-pattern.ts";
import { isInside } from "../paths.ts";
import { UNKNOWN_PART } from "../shell/shell-command.ts";
import type { TargetContext } from "./target.ts";
import type { TouchedPath } from "./touched-path.ts";

/** Compiled once, because a machine has one home and one hub. */
const known = new Map<string, ReturnType<typeof compilePlaces>>();

function compilePlaces(places: Places) {
  return PROTECTED_PLACES.map(({ effect, paths, except = [], guessed = false }) => ({
    effect,
    guessed,
    test: compilePath(paths, places, undefined),
    except: compilePath(except, places, undefined),
  }));
}

function placesOf({ home, earshot }: Places): ReturnType<typeof compilePlaces> {
  const key = `${home ?? ""}\n${earshot ?? ""}`;
  const places = { ...(home === undefined ? {} : { home }), ...(earshot === undefined ? {} : { earshot }) };
  const made = known.get(key) ?? compilePlaces(places);
  if (known.size > 16) known.clear();
  known.set(key, made);
  return made;
}

/** All names in the patterns of places. Nearly all paths of a project contain none of them, and are skipped early. */
const NAMES: ReadonlySet<string> = new Set(
  PROTECTED_PLACES.flatMap(({ paths }) => paths.flatMap((path) => path.toLowerCase().split("/").slice(1))),
);

function isPlain(path: string, { roots, earshot }: TargetContext): boolean {
  const root = roots.find((one) => isInside(path, one));
  if (root === undefined || (earshot !== undefined && isInside(path, earshot))) return false;
  const rest = path.slice(root.length).toLowerCase();
  return !rest.includes("/.") && !rest.split("/").some((name) => NAMES.has(name)) && !isSecretPath(rest);
}

/** Ids of the dangers of changing a file with any tool; with `isGuess` the change is only likely. */
export function pathDangers(touched: TouchedPath, context: TargetContext, isGuess = false, mayWrite = () => true): readonly string[] {
  const { access, path, shape } = touched;
  if (access === "read" || (access === undefined && !isGuess)) return [];
  if (shape === undefined && isPlain(path, context)) return [];
  // A path with an unknown beginning and a known last name is checked by that name.
  const name = shape?.replace(/^\0+\/?/, "");
  if (name === "" || (name !== undefined && name !== shape && !name.includes("/") && name.includes(UNKNOWN_PART))) return [];
  const found = placesOf(context)
    .filter(({ guessed }) => !isGuess || guessed)
    .filter(({ test, except }) => test(touched, context.roots, "broad") && !except(touched, context.roots, "narrow"))
    .map(({ effect }) => effect);
  if (isGuess) return found.length > 0 && mayWrite() ? found : [];
  if (found.length === 0 && isHomeSetting(shape ?? path, context)) return ["write-startup"];
  const isSecret = access === "write" && isSecretPath(shape ?? path) && !/^(?:\/private)?\/(?:tmp|var\/tmp)\//.test(path);
  return found.length === 0 && isSecret ? ["write-secret"] : found;
}

/** Whether a path is a dot file or folder of the home folder, which some program reads when it starts; caches do not count. */
function isHomeSetting(path: string, { home, roots }: TargetContext): boolean {
  if (home === undefined || !isInside(path, home) || roots.some((root) => isInside(path, root))) return false;
  // The files of an archive, a folder or a search are written there.
  if (path === home || path.startsWith(`${home}/${UNKNOWN_PART}`)) return true;
  const below = `~${path.slice(home.length)}`;
  return /^~\/\.[^/]/.test(below) && !HOME_CACHES.test(below);
}
