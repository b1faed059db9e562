import type { Places } from "../asked.ts";
import { isSecretPath, SECRET_NAMES } from "../catalogue/secrets.ts";
import { TOO_MANY, type Touched } from "../effects/touched.ts";
import { normalise } from "../paths.ts";
import type { TextPattern } from "../policy.ts";
import { HOLE, WILD } from "../shell/shell-command.ts";
import { type Glob, mayMatch, readGlob } from "./glob.ts";
import type { PatternEngine } from "./pattern-engine.ts";
import { compileRegex } from "./text-pattern.ts";

/** How strictly a path is read: `narrow` when it is let through, `broad` when it is held, `may` when it is excepted. */
export type PathReading = "narrow" | "broad" | "may";
export type PathTest = (touched: Pick<Touched, "path" | "shape">, roots: readonly string[], reading: PathReading) => boolean;

/** What a pattern for paths begins with. */
export const PATH_BEGINNINGS = ["/", "~", "**/", "{workspace}", "{earshot}", "{secret}"] as const;

type Segment = Glob | "**";

const MOST_SEGMENTS = 128;
const LONGEST = 4096;

/**
 * Patterns for absolute paths, segment by segment: `*` within one, `**` for any number. `~` is the home folder, `{earshot}` the
 * hub's, `{workspace}` each of the folders that the agent was opened on, `{secret}` whatever looks as if it held secrets.
 */
export function compilePath(patterns: readonly TextPattern[], places: Places, engine: PatternEngine | undefined): PathTest {
  const others: PathTest[] = [];
  const fixed: (readonly Segment[])[] = [];
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

/** For a text that was not taken apart: whether the last name of a pattern stands in it. */
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
    if (pattern === "{secret}") return (text) => SECRET_NAMES.some((name) => text.includes(name));
    const name = nameOf(placed(pattern.replace("{workspace}", "**"), places).findLast((segment) => nameOf(segment) !== undefined));
    return (text) => name === undefined || text.toLowerCase().includes(name);
  });
  return (text) => tests.some((test) => test(text));
}

const knownNames = new Map<string, readonly string[]>();

/** The same path is looked at by every rule. */
function namesIn(path: string): readonly string[] {
  const known = knownNames.get(path);
  if (known !== undefined) return known;
  if (knownNames.size >= 256) knownNames.clear();
  const names = path.toLowerCase().split("/");
  knownNames.set(path, names);
  return names;
}

/** A quick look whether letters of the path could meet the last name of the pattern: `matchUnknown` asks for that. */
function maySign(segments: readonly Segment[], shape: string): boolean {
  if (shape === TOO_MANY.shape || shape.length > LONGEST) return true;
  const at = segments.findLastIndex((segment) => segment !== "**" && segment.literal !== undefined);
  const name = nameOf(segments[at]);
  if (name === undefined) return true;
  const names = namesIn(shape);
  return names.some((part, index) => {
    if (part === WILD) return nameOf(segments[at - 1]) === names[index - 1];
    return part !== HOLE && endsAlike(name, part);
  });
}

function nameOf(segment: Segment | undefined): string | undefined {
  return segment === undefined || segment === "**" ? undefined : segment.literal?.toLowerCase();
}

/** Whether a name begins and ends as a shape does whose middle is not known. */
function endsAlike(name: string, part: string): boolean {
  const from = part.search(UNKNOWN);
  if (from < 0) return part === name;
  const to = Math.max(part.lastIndexOf(HOLE), part.lastIndexOf(WILD));
  return name.startsWith(part.slice(0, from)) && name.endsWith(part.slice(to + 1));
}

const UNKNOWN = new RegExp(`[${HOLE}${WILD}]`);

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}

function compileOne(pattern: TextPattern, engine: PatternEngine | undefined): PathTest {
  if (typeof pattern !== "string") {
    const test = compileRegex(pattern.regex, engine);
    return ({ path, shape }, _roots, reading) => (reading === "narrow" ? shape === undefined && test(path, false) : test(path, true));
  }
  if (pattern === "{secret}") return (touched, _roots, reading) => matchSecret(touched, reading);
  const rest = readSegments(pattern.slice("{workspace}".length));
  let known: readonly string[] | undefined;
  let whole: readonly (readonly Segment[])[] = [];
  return (touched, roots, reading) => {
    if (known === undefined || (known !== roots && !isSame(known, roots))) {
      known = roots;
      whole = roots.map((root) => [...literalSegments(root), ...rest]);
    }
    return whole.some((segments) => matchPath(segments, touched, reading));
  };
}

/** A path that fits must have the last name of the pattern in it: so most patterns need not be looked at. */
function indexByName(patterns: readonly (readonly Segment[])[]): (path: string) => readonly (readonly Segment[])[] {
  const byName = new Map<string, (readonly Segment[])[]>();
  const always: (readonly Segment[])[] = [];
  for (const segments of patterns) {
    const name = nameOf(segments.findLast((segment) => segment !== "**" && segment.literal !== undefined));
    if (name === undefined) always.push(segments);
    else byName.set(name, [...(byName.get(name) ?? []), segments]);
  }
  return (path) => {
    // Longer ones are not taken apart: each pattern says for itself what it makes of them.
    if (path.length > LONGEST) return patterns;
    let found = always;
    for (const name of namesIn(path)) {
      const named = byName.get(name);
      if (named !== undefined) found = [...found, ...named];
    }
    return found;
  };
}

function matchSecret({ path, shape }: Pick<Touched, "path" | "shape">, reading: PathReading): boolean {
  if (shape === undefined || isSecretPath(shape)) return isSecretPath(shape ?? path);
  if (shape.includes(HOLE)) return reading === "may";
  const name = shape.slice(shape.lastIndexOf("/") + 1);
  const may = (secret: string) => endsAlike(secret, name) && mayMatch([...secret], [...name], (mark) => mark === WILD, false);
  return reading !== "narrow" && SECRET_NAMES.some(may);
}

function placed(pattern: string, { home, earshot }: Places): readonly Segment[] {
  if (pattern.startsWith("{earshot}")) {
    const rest = pattern.slice("{earshot}".length);
    if (earshot !== undefined) return [...literalSegments(earshot), ...readSegments(rest)];
    return placed(`~/.earshot${rest}`, { ...(home === undefined ? {} : { home }) });
  }
  if (pattern !== "~" && !pattern.startsWith("~/")) return readSegments(pattern);
  // Without a home folder `~/x` is any x.
  return [...(home === undefined ? ["**" as const] : literalSegments(home)), ...readSegments(pattern.slice(1))];
}

function readSegments(text: string): readonly Segment[] {
  const segments = text
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".")
    .map((segment): Segment => (segment === "**" ? "**" : readGlob(segment)));
  return segments.filter((segment, index) => segment !== "**" || segments[index - 1] !== "**");
}

function literalSegments(path: string): readonly Segment[] {
  return normalise(path)
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment): Segment => readGlob(segment.replaceAll(/[\\*?<]/g, String.raw`\$&`)));
}

function matchPath(segments: readonly Segment[], { path, shape }: Pick<Touched, "path" | "shape">, reading: PathReading): boolean {
  const form = shape ?? path;
  if (form.length > LONGEST || shape === TOO_MANY.shape) return reading !== "narrow";
  const parts = form.split("/").filter((part) => part !== "");
  if (parts.length > MOST_SEGMENTS) return reading !== "narrow";
  if (shape === undefined) return matchExact(segments, parts, reading !== "narrow");
  if (reading === "narrow") return matchNarrow(segments, parts);
  return matchUnknown(segments, parts, reading === "broad");
}

function matchExact(segments: readonly Segment[], parts: readonly string[], ignoreCase: boolean): boolean {
  let at = 0;
  let segment = 0;
  let star = -1;
  let after = 0;
  while (at < parts.length) {
    const wanted = segments[segment];
    if (wanted === "**") {
      star = segment++;
      after = at;
    } else if (wanted?.matches(parts[at] ?? "", ignoreCase) === true) {
      segment++;
      at++;
    } else if (star >= 0) {
      segment = star + 1;
      at = ++after;
    } else return false;
  }
  while (segments[segment] === "**") segment++;
  return segment === segments.length;
}

/** A shell's pattern is let through where everything in its folder is. */
function matchNarrow(segments: readonly Segment[], parts: readonly string[]): boolean {
  const unknown = parts.findIndex((part) => part.includes(HOLE) || part.includes(WILD));
  if (parts.some((part) => part.includes(HOLE)) || segments.at(-1) !== "**") return false;
  return matchExact(segments, [...parts.slice(0, unknown), WILD], false) && segments.at(-1) === "**";
}

/**
 * Whether some path fits both. Since nearly everything may be nearly anything, a rule that restricts asks for a sign besides:
 * the last name in its pattern must be met by letters of the path, or by a bare star in the very folder that is named before.
 */
function matchUnknown(segments: readonly Segment[], parts: readonly string[], needsSign: boolean): boolean {
  const last = segments.findLastIndex((segment) => segment !== "**" && segment.literal !== undefined);
  const seen = new Set<number>();
  const visit = (segment: number, at: number, sign: boolean): boolean => {
    const key = (segment * (MOST_SEGMENTS + 1) + at) * 2 + (sign ? 1 : 0);
    if (seen.has(key)) return false;
    seen.add(key);
    const wanted = segments[segment];
    const part = parts[at];
    if (wanted === undefined && part === undefined) return sign || !needsSign;
    if (wanted === "**" && (visit(segment + 1, at, sign) || (part !== undefined && visit(segment, at + 1, sign)))) return true;
    // A hole may be several folders, or none.
    if (part === HOLE && (visit(segment, at + 1, sign) || (wanted !== undefined && visit(segment + 1, at, sign)))) return true;
    if (wanted === undefined || part === undefined || wanted === "**" || part === HOLE) return false;
    const letters = part.replaceAll(HOLE, "").replaceAll(WILD, "");
    const tokens = wanted.tokens.map((token) => token.toLowerCase());
    if (!mayMatch(tokens, [...part.toLowerCase()], (mark) => mark === HOLE || mark === WILD, part.startsWith(HOLE))) return false;
    const bare = letters === "" && segment === last && isNamed(segments[segment - 1], parts[at - 1]);
    return visit(segment + 1, at + 1, sign || bare || (segment === last && letters.length > 1));
  };
  return visit(0, 0, false);
}

function isNamed(segment: Segment | undefined, part: string | undefined): boolean {
  if (segment === undefined || segment === "**" || part === undefined) return false;
  return segment.literal !== undefined && segment.literal.toLowerCase() === part.toLowerCase();
}
