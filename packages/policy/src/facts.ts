import type { Places, PolicyInput } from "./asked.ts";
import { RISKS } from "./behaviour.ts";
import type { Danger } from "./catalogue/dangers.ts";
import { remoteHost } from "./effects/addresses.ts";
import { findInCommand, findInText, toDangers } from "./effects/find-dangers.ts";
import { followLinks, MIN_ASKED_DELETIONS, pathKindOf, type TargetContext } from "./effects/target.ts";
import { findInTool } from "./effects/tool-findings.ts";
import { TOO_MANY_PATHS, type TouchedPath } from "./effects/touched-path.ts";
import { resolvePath } from "./paths.ts";
import type { RequestJudgement } from "./ruling.ts";
import { readShell, unreadShell } from "./shell/read-shell.ts";
import { type ShellReading, type SimpleCommand, UNKNOWN_PART, type WorkingFolder } from "./shell/shell-command.ts";

/** One effect of a request: a simple command, or the tool's own action. */
export interface RequestPart {
  /** Absent for the tool's own action. */
  readonly command?: SimpleCommand;
  readonly touched: readonly TouchedPath[];
  readonly dangers: readonly Danger[];
  /** It only reads what it names. */
  readonly readsOnly: boolean;
  /** It is understood and harmless. */
  readonly harmless: () => boolean;
  readonly cwd: WorkingFolder;
}

/** Everything that the analysis of a request finds. */
export interface RequestFacts {
  readonly asked: PolicyInput;
  /** The folders that count as the workspace. */
  readonly roots: readonly string[];
  /** Present if the request has a command. */
  readonly reading?: ShellReading;
  readonly parts: readonly RequestPart[];
  /** The dangers of all parts and of the text as a whole. */
  readonly dangers: readonly Danger[];
  /** False if a command could not be parsed or arguments could not be read. */
  readonly inspectable: boolean;
  /** Everything in it is understood and harmless. */
  readonly harmless: () => boolean;
  readonly judged: RequestJudgement;
}

const MAX_PATHS = 1000;

/** Analyzes a request once; everything else is derived from the result. */
export function findFacts(asked: PolicyInput, places: Places): RequestFacts {
  const { command, cwd } = asked;
  const given = (asked.roots ?? []).length > 0 ? (asked.roots ?? []) : cwd === undefined ? [] : [cwd];
  const roots = given.map((root) => resolvePath(root, undefined) ?? root);
  const reading = command === undefined ? undefined : readCommand(command, asked, places);
  const context: TargetContext = { ...places, roots, ...(reading?.links === undefined ? {} : { links: reading.links }) };
  const parts = commandParts(reading, context);
  if (command === undefined || (asked.paths ?? []).length > 0) parts.push(toolPart(asked, { ...places, roots }));
  const whole = command === undefined ? [] : [...findInText(command), ...deletedTogether(parts, context)];
  const dangers = toDangers([...parts.flatMap((part) => part.dangers.map(({ id }) => id)), ...whole]);
  const why = reading?.why ?? asked.unread;
  return {
    asked,
    roots,
    ...(reading === undefined ? {} : { reading }),
    parts,
    dangers,
    inspectable: why === undefined,
    harmless: () => why === undefined && dangers.length === 0 && parts.every((part) => part.harmless()),
    judged: judge(asked, dangers, why),
  };
}

function readCommand(command: string, { shell = "bash", cwd, runsIn, written }: PolicyInput, { home }: Places): ShellReading {
  if (shell !== "bash") return unreadShell(command, UNREAD_SHELLS[shell]);
  return readShell(command, { cwd: runsIn === undefined ? cwd : resolvePath(runsIn, cwd), home, written });
}

const UNREAD_SHELLS = {
  powershell: "PowerShell has a language of its own, which is not read here.",
  cmd: "The Windows command prompt has a language of its own, which is not read here.",
  fish: "fish has a language of its own, which is not read here.",
  unknown: "Which shell reads it is not known.",
} as const;

/** Every command, and every wrapper around one, with its findings. */
function commandParts(reading: ShellReading | undefined, context: TargetContext): RequestPart[] {
  const parts: RequestPart[] = [];
  const seen = new Set<unknown>();
  let afterFetch = false;
  for (const command of reading?.commands ?? []) {
    const { effects, dangers, harmless } = findInCommand(command, context, { afterFetch });
    const wrappers = command.via.filter(({ words }) => !seen.has(words) && seen.add(words));
    const outer = wrappers.map(({ name, words, input, assignments = [] }) => {
      const own = { name, words, assignments, reads: [], writes: [], via: [], cwd: command.cwd, ...(input === undefined ? {} : { input }) };
      return findInCommand(own, context, { afterFetch, isWrapper: true });
    });
    const written = outer.flatMap((one) => one.effects.touched.filter(({ access }) => access === "write"));
    parts.push({
      command,
      touched: written.length === 0 ? effects.touched : [...effects.touched, ...written],
      readsOnly: effects.readsOnly && written.length === 0,
      dangers: toDangers(outer.length === 0 ? dangers : [...dangers, ...outer.flatMap((one) => one.dangers)]),
      harmless: () => harmless() && outer.every((one) => one.dangers.length === 0),
      cwd: command.cwd,
    });
    afterFetch ||= isFetch(command);
  }
  return parts;
}

/** Deletions of few files per command that add up to several. */
function deletedTogether(parts: readonly RequestPart[], context: TargetContext): readonly string[] {
  if (parts.length < 2) return [];
  const deleting = parts.filter(({ command }) => command?.name !== "mv" && command?.name !== "git");
  const deleted = deleting.flatMap(({ touched }) => touched.filter(({ access }) => access === "delete"));
  const kept = deleted.length < MIN_ASKED_DELETIONS ? [] : deleted.filter((one) => pathKindOf(one, context) === "kept");
  return new Set(kept.map(({ path }) => path)).size < MIN_ASKED_DELETIONS ? [] : ["delete-several"];
}

/** Whether a command brings files from elsewhere onto the machine. */
function isFetch({ name, words, input }: SimpleCommand): boolean {
  const has = (pattern: RegExp) => words.some(({ text }) => pattern.test(text));
  if (/^(?:git|gh|hg|svn)$/.test(name)) return has(/^(?:clone|checkout-remote|co|download|--remote=.*)$/);
  if (/^(?:bsd|g)?tar$|^unzip$|^cpio$/.test(name))
    return input?.kind === "pipe" && input.from.some((one) => /^(?:curl|wget|git)$/.test(one.name));
  if (/^(?:scp|rsync|sftp)$/.test(name)) return words.slice(1, -1).some(({ text }) => remoteHost(text) !== undefined);
  if (/^(?:axel|http|https|xh)$/.test(name)) return has(/^(?:--download|-d|-o)$/);
  if (name === "curl") return has(/^-\w*[oO]|^--output|^--remote/);
  return name === "aria2c" || (name === "wget" && !has(/^-\w*O-?$/));
}

function toolPart(asked: PolicyInput, context: TargetContext): RequestPart {
  const { paths = [], cwd } = asked;
  const named = paths.slice(0, MAX_PATHS).map(({ path, access }): TouchedPath => {
    const whole = path === "~" || path.startsWith("~/") ? `${context.home ?? "~"}${path.slice(1)}` : path;
    const resolved = resolvePath(whole, cwd);
    const known = access === undefined ? {} : { access };
    return { path: resolved ?? whole, ...(resolved === undefined ? { shape: `${UNKNOWN_PART}/${whole}` } : {}), ...known, sure: true };
  });
  const touched = followLinks(paths.length > MAX_PATHS ? [...named, TOO_MANY_PATHS] : named, context);
  const { dangers, harmless } = findInTool(asked, touched, context);
  const readsOnly = touched.length > 0 && touched.every(({ access }) => access === "read");
  return { touched, dangers: toDangers(dangers), readsOnly, harmless, cwd: { path: cwd, sure: true } };
}

function judge({ risk, reversible }: PolicyInput, dangers: readonly Danger[], uninspectable: string | undefined): RequestJudgement {
  const risks = [risk, uninspectable === undefined ? undefined : "high", ...dangers.map((danger) => danger.risk)];
  const worst = RISKS.findLast((one) => risks.includes(one));
  const harms = dangers.some((danger) => !danger.reversible) || uninspectable !== undefined;
  const back = harms ? false : reversible;
  return {
    ...(worst === undefined ? {} : { risk: worst }),
    ...(back === undefined ? {} : { reversible: back }),
    dangers: dangers.map(({ id }) => id),
    ...(uninspectable === undefined ? {} : { uninspectable }),
  };
}
