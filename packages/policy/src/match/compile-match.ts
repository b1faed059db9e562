import type { Places } from "../asked.ts";
import { HARMLESS_VARIABLES, OWN_VARIABLES } from "../catalogue/variables.ts";
import { mentionsDanger } from "../effects/find-dangers.ts";
import type { RequestFacts, RequestPart } from "../facts.ts";
import type { RuleMatch } from "../policy.ts";
import type { SimpleCommand } from "../shell/shell-command.ts";
import { compileCommand, compileMention } from "./command-pattern.ts";
import { compilePath, mentionsPath, type PathReading } from "./path-pattern.ts";
import { compileText, type PatternEngine } from "./text-pattern.ts";

/**
 * How a match is read. `held`: one part is enough, and an unknown value counts as what it might be. `passed`: every part must fit, and an
 * unknown value fits nothing. `excepted`: like `held`, but a possible match is enough.
 */
export type MatchReading = "held" | "passed" | "excepted";

/** Undefined if it matches; otherwise the criterion that fails. */
export type MatchTest = (facts: RequestFacts, reading: MatchReading) => keyof RuleMatch | undefined;

/** The criteria about single parts of a request. */
const PART_CRITERIA = ["command", "danger", "path", "access", "cwd"] as const satisfies readonly (keyof RuleMatch)[];

export function hasPartCriteria(match: RuleMatch): boolean {
  return PART_CRITERIA.some((name) => match[name] !== undefined);
}

export function compileMatch(match: RuleMatch, places: Places, engine: PatternEngine | undefined): MatchTest {
  const wholes = compileWholes(match, engine);
  const partly = hasPartCriteria(match) ? compileParts(match, places, engine) : undefined;
  return (facts, reading) => wholes.find(([, holds]) => !holds(facts, reading !== "passed"))?.[0] ?? partly?.(facts, reading);
}

type WholeTest = readonly [name: keyof RuleMatch, holds: (facts: RequestFacts, broad: boolean) => boolean];

/** The criteria about a request as a whole. */
function compileWholes(match: RuleMatch, engine: PatternEngine | undefined): readonly WholeTest[] {
  const { moment, toolType, risk, inspectable, harmless, reversible, attended } = match;
  const texts = (["agent", "tool", "server", "skill", "session"] as const).flatMap((name): readonly WholeTest[] => {
    const patterns = match[name];
    if (patterns === undefined) return [];
    const test = compileText(patterns, engine);
    return [[name, ({ asked }, broad) => namesOf(name, asked, broad).some((value) => test(value, broad))]];
  });
  const tests: readonly (WholeTest | undefined)[] = [
    moment && ["moment", ({ asked }) => moment.includes(asked.moment)],
    ...texts,
    toolType && ["toolType", ({ asked }) => asked.toolType !== undefined && toolType.includes(asked.toolType)],
    attended === undefined ? undefined : ["attended", ({ asked }) => asked.attended === attended],
    risk && ["risk", ({ judged }) => judged.risk !== undefined && risk.includes(judged.risk)],
    reversible === undefined ? undefined : ["reversible", ({ judged }) => judged.reversible === reversible],
    inspectable === undefined
      ? undefined
      : ["inspectable", (facts) => facts.inspectable === inspectable && (!inspectable || facts.reading !== undefined)],
    harmless === undefined ? undefined : ["harmless", (facts) => facts.harmless() === harmless],
  ];
  return tests.filter((test) => test !== undefined);
}

/** The values of a request that a criterion may name. */
function namesOf(name: "agent" | "tool" | "server" | "skill" | "session", asked: RequestFacts["asked"], broad: boolean): readonly string[] {
  const value = asked[name];
  if (name === "tool") return [value, asked.originalTool].filter((one) => one !== undefined);
  if (value !== undefined) return [value];
  if (name !== "server" || !broad) return [];
  // If an agent does not name the tool's server: possible prefixes of the tool name, as in `server_tool`.
  const tool = asked.tool?.replace(/^mcp_+/, "") ?? "";
  return [...tool.matchAll(/[_\-./:]+/g)].map(({ index }) => tool.slice(0, index));
}

/** The compiled criteria about single parts. */
interface PartTests {
  readonly match: RuleMatch;
  readonly command: ReturnType<typeof compileCommand> | undefined;
  readonly path: ReturnType<typeof compilePath> | undefined;
  readonly cwd: ReturnType<typeof compilePath> | undefined;
}

function compileParts(match: RuleMatch, places: Places, engine: PatternEngine | undefined): MatchTest {
  const tests: PartTests = {
    match,
    command: match.command && compileCommand(match.command, engine),
    path: match.path && compilePath(match.path, places, engine),
    cwd: match.cwd && compilePath(match.cwd, places, engine),
  };
  const first = PART_CRITERIA.find((name) => match[name] !== undefined) ?? "command";
  const onlyDanger = PART_CRITERIA.every((name) => (name === "danger") === (match[name] !== undefined));
  return (facts, reading) => {
    const { parts } = facts;
    if (reading === "passed") {
      // A request without parts matches nothing.
      if (parts.length === 0 || !facts.inspectable) return first;
      const missing = firstMissing(parts, (part) => passes(tests, part, facts));
      // At least one path must be named for a path criterion to match.
      return missing ?? (tests.path !== undefined && !parts.some(({ touched }) => touched.length > 0) ? "path" : undefined);
    }
    // Some dangers are found only in the text as a whole.
    if (onlyDanger && hasDanger(match, facts.dangers)) return undefined;
    let missing: keyof RuleMatch | undefined;
    for (const part of parts) {
      const here = holds(tests, part, facts, reading === "excepted" ? "may" : "broad");
      if (here === undefined) return undefined;
      missing ??= here;
    }
    const texts = unreadTexts(facts);
    return texts.length > 0 && texts.some(mentions(match, places, engine)) ? undefined : (missing ?? first);
  };
}

function firstMissing(
  parts: readonly RequestPart[],
  test: (part: RequestPart) => keyof RuleMatch | undefined,
): keyof RuleMatch | undefined {
  for (const part of parts) {
    const missing = test(part);
    if (missing !== undefined) return missing;
  }
  return undefined;
}

/** Variants of a text that was not read to its end: as it is, and without quoting. Cached, because they are the same for every rule. */
const UNREAD = new WeakMap<RequestFacts, readonly string[]>();

function unreadTexts(facts: RequestFacts): readonly string[] {
  const text = facts.reading?.unread;
  if (text === undefined) return [];
  const known = UNREAD.get(facts) ?? [text, withoutQuoting(text)];
  UNREAD.set(facts, known);
  return known;
}

const EXPANSIONS = [
  { pattern: /\$\{[^}]*\}/g, end: "}" },
  { pattern: /\$\([^)]*\)/g, end: ")" },
  { pattern: /`[^`]*`/g, end: "`" },
] as const;

/** Removes what a shell removes from words and what may expand to nothing: `g''it`, `gi\t`, `g${x}it`. */
function withoutQuoting(text: string): string {
  let rest = text.replaceAll(/\\\n|['"\\]/g, "");
  for (const { pattern, end } of EXPANSIONS) {
    // Beginnings after the last end are skipped; each of them would scan to the end of the text.
    const last = rest.lastIndexOf(end) + 1;
    rest = rest.slice(0, last).replaceAll(pattern, "") + rest.slice(last);
  }
  return rest.replaceAll(/\$[@*\w]+/g, "");
}

/** Whether a text that was not read to its end contains the words of every criterion; it then counts as a match. */
function mentions({ command, danger, path }: RuleMatch, places: Places, engine: PatternEngine | undefined): (text: string) => boolean {
  const inCommand = command && compileMention(command, engine);
  const inPath = path && mentionsPath(path, places, engine);
  return (text) =>
    inCommand?.(text) !== false && inPath?.(text) !== false && (danger === undefined || danger.some((id) => mentionsDanger(id, text)));
}

/** Checks one part for a restrictive rule. */
function holds(
  { match, command, path, cwd }: PartTests,
  part: RequestPart,
  { asked, roots }: RequestFacts,
  paths: PathReading,
): keyof RuleMatch | undefined {
  if (command !== undefined && (part.command === undefined || !command(part.command, roots, true))) return "command";
  if (!hasDanger(match, part.dangers)) return "danger";
  const { access } = match;
  const fits = ({ touched }: RequestPart) =>
    touched.some(
      (one) =>
        (access === undefined || one.access === undefined || access.includes(one.access)) &&
        (path === undefined || path(one, roots, paths)),
    );
  if ((path !== undefined || access !== undefined) && !fits(part)) return path === undefined ? "access" : "path";
  const folder = part.cwd.path;
  if (cwd === undefined) return undefined;
  // Without a known path, the command changed to an unknown folder.
  const isThere = folder === undefined ? asked.cwd !== undefined && part.command !== undefined : cwd({ path: folder }, roots, paths);
  return isThere ? undefined : "cwd";
}

/** Checks one part for a permissive rule. */
function passes({ match, command, path, cwd }: PartTests, part: RequestPart, { roots }: RequestFacts): keyof RuleMatch | undefined {
  const simple = part.command;
  const { access } = match;
  if (simple !== undefined && !setsNothingElse(simple)) return "command";
  const sets = simple !== undefined && simple.words.length + simple.writes.length + simple.reads.length === 0;
  if (command !== undefined && !sets) {
    if (simple === undefined || !command(simple, roots, false)) return "command";
    // The command's words do not include the files it redirects output to.
    if (path === undefined && simple.writes.length > 0 && part.touched.some((one) => one.access === "write")) return "path";
  }
  // Without a command criterion, only commands with known effects pass.
  const asksForFiles = command === undefined && (path !== undefined || access !== undefined);
  if (asksForFiles && simple !== undefined && !sets && !part.readsOnly) return "access";
  if (!hasDanger(match, part.dangers)) return "danger";
  for (const touched of part.touched) {
    if (access !== undefined && (touched.access === undefined || !access.includes(touched.access))) return "access";
    if (path !== undefined && !(touched.sure && path(touched, roots, "narrow"))) return "path";
  }
  const folder = part.cwd.sure ? part.cwd.path : undefined;
  return cwd === undefined || (folder !== undefined && cwd({ path: folder }, roots, "narrow")) ? undefined : "cwd";
}

/** Whether a command sets nothing that affects another program. */
function setsNothingElse({ assignments, words }: SimpleCommand): boolean {
  return assignments.every(({ name }) => HARMLESS_VARIABLES.test(name) || (words.length === 0 && OWN_VARIABLES.test(name)));
}

function hasDanger({ danger }: RuleMatch, dangers: RequestPart["dangers"]): boolean {
  if (danger === undefined) return true;
  return danger.includes("any") ? dangers.length > 0 : dangers.some(({ id }) => danger.includes(id));
}
