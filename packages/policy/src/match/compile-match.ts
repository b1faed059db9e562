import type { Places } from "../asked.ts";
import { HARMLESS_VARIABLES, OWN_VARIABLES } from "../catalogue/variables.ts";
import { mentionsDanger } from "../effects/find-dangers.ts";
import type { Facts, Part } from "../facts.ts";
import type { Match } from "../policy.ts";
import type { SimpleCommand } from "../shell/shell-command.ts";
import { type CommandTest, compileCommand, compileMention } from "./command-pattern.ts";
import { compilePath, mentionsPath, type PathReading, type PathTest } from "./path-pattern.ts";
import type { PatternEngine } from "./pattern-engine.ts";
import { compileText } from "./text-pattern.ts";

/**
 * How a match is read. `held`: one part is enough, what is unknown counts as it might be. `passed`: every part must fit, and
 * what is unknown fits nothing. `excepted`: as held, but even where it only may fit.
 */
export type Reading = "held" | "passed" | "excepted";

/** Undefined when it matches; otherwise the criterion that does not hold. */
export type MatchTest = (facts: Facts, reading: Reading) => keyof Match | undefined;

/** The criteria that are about single parts of an ask. */
export const PART_CRITERIA = ["command", "danger", "path", "access", "cwd"] as const satisfies readonly (keyof Match)[];

export function hasPartCriteria(match: Match): boolean {
  return PART_CRITERIA.some((name) => match[name] !== undefined);
}

export function compileMatch(match: Match, places: Places, engine: PatternEngine | undefined): MatchTest {
  const wholes = compileWholes(match, engine);
  const partly = hasPartCriteria(match) ? compileParts(match, places, engine) : undefined;
  return (facts, reading) => {
    for (const [name, holds] of wholes) if (!holds(facts, reading !== "passed")) return name;
    return partly?.(facts, reading);
  };
}

type WholeTest = readonly [name: keyof Match, holds: (facts: Facts, broad: boolean) => boolean];

/** What is true of an ask as a whole. */
function compileWholes(match: Match, engine: PatternEngine | undefined): readonly WholeTest[] {
  const tests: WholeTest[] = [];
  const { moment, toolType, risk, inspectable, harmless, reversible, attended } = match;
  if (moment !== undefined) tests.push(["moment", ({ asked }) => moment.includes(asked.moment)]);
  for (const name of ["agent", "tool", "server", "skill", "session"] as const) {
    const patterns = match[name];
    if (patterns === undefined) continue;
    const test = compileText(patterns, engine);
    tests.push([
      name,
      ({ asked }, broad) => {
        const value = asked[name];
        if (value !== undefined && test(value, broad)) return true;
        if (name === "tool") return asked.originalTool !== undefined && test(asked.originalTool, broad);
        return name === "server" && value === undefined && broad && serversIn(asked.tool).some((server) => test(server, broad));
      },
    ]);
  }
  if (toolType !== undefined) tests.push(["toolType", ({ asked }) => asked.toolType !== undefined && toolType.includes(asked.toolType)]);
  if (attended !== undefined) tests.push(["attended", ({ asked }) => asked.attended === attended]);
  if (risk !== undefined) tests.push(["risk", ({ judged }) => judged.risk !== undefined && risk.includes(judged.risk)]);
  if (reversible !== undefined) tests.push(["reversible", ({ judged }) => judged.reversible === reversible]);
  if (inspectable !== undefined)
    tests.push(["inspectable", (facts) => facts.inspectable === inspectable && (!inspectable || facts.reading !== undefined)]);
  if (harmless !== undefined) tests.push(["harmless", (facts) => facts.harmless() === harmless]);
  return tests;
}

/** Where an agent does not say which server a tool belongs to: what its name may begin with, as in `server_tool`. */
function serversIn(tool = ""): readonly string[] {
  const name = tool.replace(/^mcp_+/, "");
  return [...name.matchAll(/[_\-./:]+/g)].map(({ index }) => name.slice(0, index));
}

interface PartTests {
  readonly match: Match;
  readonly command: CommandTest | undefined;
  readonly path: PathTest | undefined;
  readonly cwd: PathTest | undefined;
}

function compileParts(match: Match, places: Places, engine: PatternEngine | undefined): MatchTest {
  const tests: PartTests = {
    match,
    command: match.command === undefined ? undefined : compileCommand(match.command, engine),
    path: match.path === undefined ? undefined : compilePath(match.path, places, engine),
    cwd: match.cwd === undefined ? undefined : compilePath(match.cwd, places, engine),
  };
  return (facts, reading) => {
    const { parts } = facts;
    if (reading === "passed") {
      // Nothing at all is not something that fits.
      if (parts.length === 0 || !facts.inspectable) return firstOf(match);
      for (const part of parts) {
        const missing = passes(tests, part, facts);
        if (missing !== undefined) return missing;
      }
      // Something must be named that the paths could be about.
      return tests.path !== undefined && !parts.some(({ touched }) => touched.length > 0) ? "path" : undefined;
    }
    if (onlyDanger(match) && wholeDanger(match, facts)) return undefined;
    let missing: keyof Match | undefined;
    for (const part of parts) {
      const here = holds(tests, part, facts, reading === "excepted" ? "may" : "broad");
      if (here === undefined) return undefined;
      missing ??= here;
    }
    const isMentioned = unreadTexts(facts).some(mentions(match, places, engine));
    return isMentioned ? undefined : (missing ?? firstOf(match));
  };
}

/** A text that was not read to its end, as it is and without quoting: the same for every rule. */
const UNREAD = new WeakMap<Facts, readonly string[]>();

function unreadTexts(facts: Facts): readonly string[] {
  const text = facts.reading?.unread;
  const known = UNREAD.get(facts) ?? (text === undefined ? [] : [text, withoutQuoting(text)]);
  UNREAD.set(facts, known);
  return known;
}

const EXPANSIONS = [
  { pattern: /\$\{[^}]*\}/g, end: "}" },
  { pattern: /\$\([^)]*\)/g, end: ")" },
  { pattern: /`[^`]*`/g, end: "`" },
] as const;

/** What a shell takes out of words, and what may expand to nothing: `g''it`, `gi\t`, `g${x}it`. */
function withoutQuoting(text: string): string {
  let rest = text.replaceAll(/\\\n|['"\\]/g, "");
  for (const { pattern, end } of EXPANSIONS) {
    // Without its end, each beginning would be followed to the end of the text.
    const last = rest.lastIndexOf(end) + 1;
    rest = rest.slice(0, last).replaceAll(pattern, "") + rest.slice(last);
  }
  return rest.replaceAll(/\$[@*\w]+/g, "");
}

/** Whether a text that was not read to its end has the words of every criterion in it: then it counts as if it fitted. */
function mentions({ command, danger, path }: Match, places: Places, engine: PatternEngine | undefined): (text: string) => boolean {
  const inCommand = command === undefined ? undefined : compileMention(command, engine);
  const inPath = path === undefined ? undefined : mentionsPath(path, places, engine);
  return (text) =>
    inCommand?.(text) !== false && inPath?.(text) !== false && (danger === undefined || danger.some((id) => mentionsDanger(id, text)));
}

/** One part, as a rule that restricts reads it. */
function holds({ match, command, path, cwd }: PartTests, part: Part, { asked, roots }: Facts, paths: PathReading): keyof Match | undefined {
  if (command !== undefined && (part.command === undefined || !command(part.command, roots, true))) return "command";
  if (match.danger !== undefined && !hasDanger(match.danger, part.dangers)) return "danger";
  const { access } = match;
  if (path !== undefined || access !== undefined) {
    const fits = part.touched.some(
      (touched) =>
        (access === undefined || touched.access === undefined || access.includes(touched.access)) &&
        (path === undefined || path(touched, roots, paths)),
    );
    if (!fits) return path === undefined ? "access" : "path";
  }
  if (cwd !== undefined) {
    const folder = part.cwd.path;
    // It went somewhere that nobody knows.
    const fits = folder === undefined ? asked.cwd !== undefined && part.command !== undefined : cwd({ path: folder }, roots, paths);
    if (!fits) return "cwd";
  }
  return undefined;
}

/** One part, as a rule that lets through reads it. */
function passes({ match, command, path, cwd }: PartTests, part: Part, { roots }: Facts): keyof Match | undefined {
  const simple = part.command;
  if (simple !== undefined && !setsNothingElse(simple)) return "command";
  const sets = simple !== undefined && simple.words.length === 0 && simple.writes.length === 0 && simple.reads.length === 0;
  if (command !== undefined && !sets) {
    if (simple === undefined || !command(simple, roots, false)) return "command";
    // What it prints into is not part of its words.
    if (path === undefined && writesFiles(part)) return "path";
  }
  // Without a word on which commands, only those pass of which it is known what they do.
  if (command === undefined && simple !== undefined && !sets && (path !== undefined || match.access !== undefined) && !part.readsOnly) {
    return "access";
  }
  if (match.danger !== undefined && !hasDanger(match.danger, part.dangers)) return "danger";
  const { access } = match;
  for (const touched of part.touched) {
    if (access !== undefined && (touched.access === undefined || !access.includes(touched.access))) return "access";
    if (path !== undefined && !(touched.sure && path(touched, roots, "narrow"))) return "path";
  }
  if (cwd !== undefined && !(part.cwd.path !== undefined && part.cwd.sure && cwd({ path: part.cwd.path }, roots, "narrow"))) return "cwd";
  return undefined;
}

/** Whether a command sets nothing that another program would act on. */
function setsNothingElse({ assignments, words }: SimpleCommand): boolean {
  return assignments.every(({ name }) => HARMLESS_VARIABLES.test(name) || (words.length === 0 && OWN_VARIABLES.test(name)));
}

function writesFiles({ command, touched }: Part): boolean {
  return command !== undefined && command.writes.length > 0 && touched.some(({ access }) => access === "write");
}

function hasDanger(wanted: readonly string[], dangers: Part["dangers"]): boolean {
  return wanted.includes("any") ? dangers.length > 0 : dangers.some(({ id }) => wanted.includes(id));
}

/** Some dangers are seen in a text as a whole only. */
function wholeDanger({ danger = [] }: Match, { dangers }: Facts): boolean {
  return hasDanger(danger, dangers);
}

function onlyDanger(match: Match): boolean {
  return match.danger !== undefined && PART_CRITERIA.every((name) => name === "danger" || match[name] === undefined);
}

function firstOf(match: Match): keyof Match {
  return PART_CRITERIA.find((name) => match[name] !== undefined) ?? "command";
}
