import type { Places } from "../asked.ts";
import { EXAMPLE_SECRET_FILES, isSecretPath } from "../catalogue/secrets.ts";
import { TOO_MANY_PATHS, type TouchedPath } from "../effects/touched-path.ts";
import { normalisePath } from "../paths.ts";
import type { TextPattern } from "../policy.ts";
import { UNKNOWN_PART, UNKNOWN_TEXT } from "../shell/shell-command.ts";
import { type Glob, matchSequence, mayMatch, readGlob, searchPairs } from "./glob.ts";
import { compileRegex, type PatternEngine } from "./text-pattern.ts";

/** How strictly a path is read: `narrow` for a permissive rule, `broad` for a restrictive one, `may` for an exception. */
export type PathReading = "narrow" | "broad" | "may";
type Seen = Pick<TouchedPath, "path" | "shape">;
export type PathTest = (touched: Seen, roots: readonly string[], reading: PathReading) => boolean;

/** Valid beginnings of a path pattern. */
export const PATH_BEGINNINGS = ["/", "~", "**/", "{workspace}", "{earshot}", "{secret}"] as const;

type Segment = Glob | "**";
type Segments = readonly Segment[];

const MAX_SEGMENTS = 128;
const MAX_PATH_CHARACTERS = 4096;

/**
 * Compiles patterns for absolute paths, matched segment by segment: `*` within one segment, `**` for any number of them. `~` is the home
 * folder, `{earshot}` the hub's folder, `{workspace}` each of the folders the agent was opened on, `{secret}` any path that looks as if
 * it contains secrets.
 */
export function compilePath(patterns: readonly TextPattern[], places: Places, engine: PatternEngine | undefined): PathTest {
  const others: PathTest[] = [];
  const fixed: Segments[] = [];
  for (const pattern of patterns) {
    if (typeof pattern !== "string" || pattern.startsWith("{workspace}") || pattern === "{secret}")
      others.push(compileOne(pattern, engine));
    else fixed.push(placed(pattern, places));
  }
  const index = indexByName(fixed);
  return (touched, roots, reading) => {
    const { path, shape } = touched;
    const found = shape === undefined ? index(path) : reading === "broad" ? fixed.filter((segments) => maySign(segments, shape)) : fixed;
    return found.some((segments) => matchPath(segments, touched, reading)) || others.some((test) => test(touched, roots, reading));
  };
}

/** For a text that was not parsed: whether the last name of a pattern occurs in it. */
export function mentionsPath(
  patterns: readonly TextPattern[],
  places: Places,
  engine: PatternEngine | undefined,
): (text: string) => boolean {
  const tests = patterns.map((pattern): ((text: string) => boolean) => {
    if (typeof pattern !== "string") {
      const test = compileRegex(pattern.regex, engine);
      return (text) => test(text, true);
    }
    if (pattern === "{secret}") return (text) => EXAMPLE_SECRET_FILES.some((name) => text.includes(name));
    const segments = placed(pattern.replace("{workspace}", "**"), places);
    const name = nameOf(segments[lastNamed(segments)]);
    return (text) => name === undefined || text.toLowerCase().includes(name);
  });
  return (text) => tests.some((test) => test(text));
}

const knownNames = new Map<string, readonly string[]>();

/** Cached, because every rule examines the same path. */
function namesIn(path: string): readonly string[] {
  const names = knownNames.get(path) ?? path.toLowerCase().split("/");
  if (knownNames.size >= 256) knownNames.clear();
  knownNames.set(path, names);
  return names;
}

/** A quick check whether letters of the path could match the last name of the pattern, as `matchUnknown` requires. */
function maySign(segments: Segments, shape: string): boolean {
  const at = lastNamed(segments);
  const name = nameOf(segments[at]);
  if (name === undefined || shape === TOO_MANY_PATHS.shape || shape.length > MAX_PATH_CHARACTERS) return true;
  const names = namesIn(shape);
  return names.some((part, index) => {
    if (part === UNKNOWN_TEXT) return nameOf(segments[at - 1]) === names[index - 1];
    return part !== UNKNOWN_PART && endsAlike(name, part);
  });
}

/** The position of the last segment without a wildcard. */
function lastNamed(segments: Segments): number {
  return segments.findLastIndex((segment) => nameOf(segment) !== undefined);
}

function nameOf(segment: Segment | undefined): string | undefined {
  return segment === undefined || segment === "**" ? undefined : segment.literal?.toLowerCase();
}

/** Whether a name begins and ends like a shape with an unknown middle. */
function endsAlike(name: string, part: string): boolean {
  const from = part.search(UNKNOWN);
  if (from < 0) return part === name;
  const to = Math.max(part.lastIndexOf(UNKNOWN_PART), part.lastIndexOf(UNKNOWN_TEXT));
  return name.startsWith(part.slice(0, from)) && name.endsWith(part.slice(to + 1));
}

const UNKNOWN = new RegExp(`[${UNKNOWN_PART}${UNKNOWN_TEXT}]`);

function compileOne(pattern: TextPattern, engine: PatternEngine | undefined): PathTest {
  if (typeof pattern !== "string") {
    const test = compileRegex(pattern.regex, engine);
    return ({ path, shape }, _roots, reading) => (reading === "narrow" ? shape === undefined && test(path, false) : test(path, true));
  }
  if (pattern === "{secret}") return (touched, _roots, reading) => matchSecret(touched, reading);
  const rest = readSegments(pattern.slice("{workspace}".length));
  let known: readonly string[] = [];
  let whole: readonly Segments[] = [];
  return (touched, roots, reading) => {
    if (known.length !== roots.length || known.some((root, index) => root !== roots[index])) {
      known = roots;
      whole = roots.map((root) => [...literalSegments(root), ...rest]);
    }
    return whole.some((segments) => matchPath(segments, touched, reading));
  };
}

/** Indexes patterns by their last name. A matching path must contain it, so most patterns are skipped. */
function indexByName(patterns: readonly Segments[]): (path: string) => readonly Segments[] {
  const byName = Map.groupBy(patterns, (segments) => nameOf(segments[lastNamed(segments)]));
  const always = byName.get(undefined) ?? [];
  // Longer paths are not split: each pattern is tested.
  return (path) => {
    if (path.length > MAX_PATH_CHARACTERS) return patterns;
    let found = always;
    for (const name of namesIn(path)) {
      const named = byName.get(name);
      if (named !== undefined) found = [...found, ...named];
    }
    return found;
  };
}

function matchSecret({ path, shape }: Seen, reading: PathReading): boolean {
  if (shape === undefined || isSecretPath(shape)) return isSecretPath(shape ?? path);
  if (shape.includes(UNKNOWN_PART)) return reading === "may";
  const name = shape.slice(shape.lastIndexOf("/") + 1);
  const may = (secret: string) => endsAlike(secret, name) && mayMatch([...secret], [...name], (mark) => mark === UNKNOWN_TEXT, false);
  return reading !== "narrow" && EXAMPLE_SECRET_FILES.some(may);
}

function placed(pattern: string, { home, earshot }: Places): Segments {
  if (pattern.startsWith("{earshot}")) {
    const rest = pattern.slice("{earshot}".length);
    if (earshot !== undefined) return [...literalSegments(earshot), ...readSegments(rest)];
    return placed(`~/.earshot${rest}`, { ...(home === undefined ? {} : { home }) });
  }
  if (pattern !== "~" && !pattern.startsWith("~/")) return readSegments(pattern);
  // Without a known home folder, `~/x` is any x.
  return [...(home === undefined ? ["**" as const] : literalSegments(home)), ...readSegments(pattern.slice(1))];
}

function readSegments(text: string): Segments {
  return text
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".")
    .filter((segment, index, all) => segment !== "**" || all[index - 1] !== "**")
    .map((segment) => (segment === "**" ? "**" : readGlob(segment)));
}

function literalSegments(path: string): Segments {
  const names = normalisePath(path).split("/");
  return names.filter((name) => name !== "").map((name) => readGlob(name.replaceAll(/[\\*?<]/g, String.raw`\$&`)));
}

function matchPath(segments: Segments, { path, shape }: Seen, reading: PathReading): boolean {
  const form = shape ?? path;
  const parts = form.length > MAX_PATH_CHARACTERS ? [] : form.split("/").filter((part) => part !== "");
  if (form.length > MAX_PATH_CHARACTERS || shape === TOO_MANY_PATHS.shape || parts.length > MAX_SEGMENTS) return reading !== "narrow";
  if (shape === undefined) return matchExact(segments, parts, reading !== "narrow");
  return reading === "narrow" ? matchNarrow(segments, parts) : matchUnknown(segments, parts, reading === "broad");
}

function matchExact(segments: Segments, parts: readonly string[], ignoreCase: boolean): boolean {
  return matchSequence(
    segments,
    parts,
    (segment) => segment === "**",
    (segment, part) => segment !== "**" && segment.matches(part, ignoreCase),
  );
}

/** A path with a shell pattern is permitted if everything in its folder is. */
function matchNarrow(segments: Segments, parts: readonly string[]): boolean {
  if (segments.at(-1) !== "**" || parts.some((part) => part.includes(UNKNOWN_PART))) return false;
  const unknown = parts.findIndex((part) => part.includes(UNKNOWN_TEXT));
  return matchExact(segments, [...parts.slice(0, unknown), UNKNOWN_TEXT], false);
}

/**
 * Whether some path fits both. Since unknown parts fit nearly everything, a restrictive rule also requires a sign: the last name in its
 * pattern must be matched by letters of the path, or by a bare star directly in the folder named before it.
 */
function matchUnknown(segments: Segments, parts: readonly string[], needsSign: boolean): boolean {
  const last = lastNamed(segments);
  // The second position is twice the index of the part, plus one if a sign was seen.
  return searchPairs(2 * (MAX_SEGMENTS + 1), (segment, place, goOn) => {
    const sign = place % 2;
    const at = (place - sign) / 2;
    const wanted = segments[segment];
    const part = parts[at];
    if (wanted === undefined && part === undefined) return sign === 1 || !needsSign;
    if (wanted === "**" && (goOn(segment + 1, place) || (part !== undefined && goOn(segment, place + 2)))) return true;
    // A hole may be several folders or none.
    if (part === UNKNOWN_PART && (goOn(segment, place + 2) || (wanted !== undefined && goOn(segment + 1, place)))) return true;
    if (wanted === undefined || part === undefined || wanted === "**" || part === UNKNOWN_PART) return false;
    const isUnknown = (mark: string) => mark === UNKNOWN_PART || mark === UNKNOWN_TEXT;
    if (!mayMatch(wanted.small, [...part.toLowerCase()], isUnknown, part.startsWith(UNKNOWN_PART))) return false;
    const letters = part.replaceAll(UNKNOWN_PART, "").replaceAll(UNKNOWN_TEXT, "");
    const folder = nameOf(segments[segment - 1]);
    const isSigned = letters === "" ? folder !== undefined && folder === parts[at - 1]?.toLowerCase() : letters.length > 1;
    return goOn(segment + 1, place + 2 + (sign === 0 && segment === last && isSigned ? 1 : 0));
  });
}
