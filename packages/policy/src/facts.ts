import type { Asked, Places } from "./asked.ts";
import { RISKS, type Risk } from "./behaviour.ts";
import type { Danger } from "./catalogue/dangers.ts";
import { remoteHost } from "./effects/addresses.ts";
import { type CommandFindings, findInCommand, findInText, toDangers } from "./effects/find-dangers.ts";
import { followLinks, MIN_SEVERAL, type TargetContext, targetKind } from "./effects/target.ts";
import { findInTool } from "./effects/tool-findings.ts";
import { TOO_MANY, type Touched } from "./effects/touched.ts";
import { resolvePath } from "./paths.ts";
import type { Judged } from "./ruling.ts";
import { readShell, unread } from "./shell/read-shell.ts";
import { HOLE, type ShellReading, type ShellWrapper, type SimpleCommand, type WorkingFolder } from "./shell/shell-command.ts";

/** One thing that an ask would do: a simple command, or what the tool itself does. */
export interface Part {
  /** Left out for what the tool itself does. */
  readonly command?: SimpleCommand;
  readonly touched: readonly Touched[];
  readonly dangers: readonly Danger[];
  /** Nothing but reading what it names. */
  readonly readsOnly: boolean;
  /** It is understood, and does no harm. */
  readonly harmless: () => boolean;
  readonly cwd: WorkingFolder;
}

/** What can be found in an ask. */
export interface Facts {
  readonly asked: Asked;
  /** The folders that count as the workspace. */
  readonly roots: readonly string[];
  /** There when the ask has a command. */
  readonly reading?: ShellReading;
  readonly parts: readonly Part[];
  /** Of all parts, and of the text as a whole. */
  readonly dangers: readonly Danger[];
  /** False where a command could not be taken apart, or arguments could not be read. */
  readonly inspectable: boolean;
  /** Everything in it is understood, and does no harm. */
  readonly harmless: () => boolean;
  readonly judged: Judged;
}

const MAX_PATHS = 1000;
const NOTHING_OUTER: readonly CommandFindings[] = [];
const NO_DANGERS: readonly Danger[] = [];

/** Looks at an ask once; everything else is told from here. */
export function findFacts(asked: Asked, places: Places): Facts {
  const roots = rootsOf(asked);
  const context: TargetContext = { ...places, roots };
  const reading = asked.command === undefined ? undefined : readCommand(asked, places);
  const parts = commandParts(reading, reading?.links === undefined ? context : { ...context, links: reading.links });
  if (asked.command === undefined || (asked.paths ?? []).length > 0) parts.push(toolPart(asked, context));
  const whole = asked.command === undefined ? NO_DANGERS : toDangers([...findInText(asked.command), ...deletedTogether(parts, context)]);
  const harms = whole.length > 0 || parts.some((part) => part.dangers.length > 0);
  const dangers = harms ? toDangers([...parts.flatMap((part) => part.dangers), ...whole].map(({ id }) => id)) : NO_DANGERS;
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

function readCommand({ command = "", shell = "bash", cwd, runsIn, written }: Asked, { home }: Places): ShellReading {
  if (shell !== "bash") return unread(command, UNREAD_SHELLS[shell]);
  const folder = runsIn === undefined ? cwd : resolvePath(runsIn, cwd);
  return readShell(command, {
    ...(folder === undefined ? {} : { cwd: folder }),
    ...(home === undefined ? {} : { home }),
    ...(written === undefined ? {} : { written }),
  });
}

const UNREAD_SHELLS = {
  powershell: "PowerShell has a language of its own, which is not read here.",
  cmd: "The Windows command prompt has a language of its own, which is not read here.",
  fish: "fish has a language of its own, which is not read here.",
  unknown: "Which shell reads it is not known.",
} as const;

function rootsOf({ roots, cwd }: Asked): readonly string[] {
  const given = roots === undefined || roots.length === 0 ? (cwd === undefined ? [] : [cwd]) : roots;
  return given.map((root) => resolvePath(root, undefined) ?? root);
}

/** Every command, and every wrapper that it was taken out of, with what is found in them. */
function commandParts(reading: ShellReading | undefined, context: TargetContext): Part[] {
  const parts: Part[] = [];
  const seen = new Set<unknown>();
  let afterFetch = false;
  for (const command of reading?.commands ?? []) {
    const { effects, dangers, harmless } = findInCommand(command, context, { afterFetch });
    const outer =
      command.via.length === 0
        ? NOTHING_OUTER
        : command.via
            .filter(({ words }) => !seen.has(words) && seen.add(words))
            .map((wrapper) => findInCommand(asCommand(wrapper, command), context, { afterFetch, isWrapper: true }));
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

/** Deletions that are few in each command, and several in all of them. */
function deletedTogether(parts: readonly Part[], context: TargetContext): readonly string[] {
  if (parts.length < 2) return [];
  const deleting = parts.filter(({ command }) => command?.name !== "mv" && command?.name !== "git");
  const deleted = deleting.flatMap(({ touched }) => touched.filter(({ access }) => access === "delete"));
  const kept = deleted.length < MIN_SEVERAL ? [] : deleted.filter((one) => targetKind(one, context) === "kept");
  return new Set(kept.map(({ path }) => path)).size < MIN_SEVERAL ? [] : ["delete-several"];
}

function asCommand({ name, words, input, assignments = [] }: ShellWrapper, { cwd }: SimpleCommand): SimpleCommand {
  return { name, words, assignments, reads: [], writes: [], via: [], cwd, ...(input === undefined ? {} : { input }) };
}

/** It brings files from elsewhere onto the machine. */
function isFetch({ name, words, input }: SimpleCommand): boolean {
  const texts = words.map(({ text }) => text);
  if (name === "git" || name === "gh" || name === "hg" || name === "svn")
    return texts.some((text) => /^(?:clone|checkout-remote|co|download|--remote=.*)$/.test(text));
  if (/^(?:bsd|g)?tar$|^unzip$|^cpio$/.test(name))
    return input?.kind === "pipe" && input.from.some((one) => /^(?:curl|wget|git)$/.test(one.name));
  if (name === "scp" || name === "rsync" || name === "sftp") return words.slice(1, -1).some(({ text }) => remoteHost(text) !== undefined);
  if (/^(?:aria2c|axel|http|https|xh)$/.test(name)) return name === "aria2c" || texts.some((text) => /^(?:--download|-d|-o)$/.test(text));
  return (
    (name === "curl" && texts.some((text) => /^-\w*[oO]|^--output|^--remote/.test(text))) ||
    (name === "wget" && !texts.some((text) => /^-\w*O-?$/.test(text)))
  );
}

function toolPart(asked: Asked, context: TargetContext): Part {
  const { paths = [], cwd } = asked;
  const named = paths.slice(0, MAX_PATHS).map(({ path, access }): Touched => {
    const whole = path === "~" || path.startsWith("~/") ? `${context.home ?? "~"}${path.slice(1)}` : path;
    const resolved = resolvePath(whole, cwd);
    const known = access === undefined ? {} : { access };
    return { path: resolved ?? whole, ...(resolved === undefined ? { shape: `${HOLE}/${whole}` } : {}), ...known, sure: true };
  });
  if (paths.length > MAX_PATHS) named.push(TOO_MANY);
  const touched = followLinks(named, context);
  const { dangers, harmless } = findInTool(asked, touched, context);
  return {
    touched,
    dangers: toDangers(dangers),
    readsOnly: touched.length > 0 && touched.every(({ access }) => access === "read"),
    harmless,
    cwd: { path: cwd, sure: true },
  };
}

function judge({ risk, reversible }: Asked, dangers: readonly Danger[], uninspectable: string | undefined): Judged {
  if (dangers.length === 0 && uninspectable === undefined && risk === undefined && reversible === undefined) return NOTHING_KNOWN;
  const risks = [...(risk === undefined ? [] : [risk]), ...dangers.map((danger) => danger.risk)];
  if (uninspectable !== undefined) risks.push("high");
  const worst = highest(risks);
  const harms = dangers.some((danger) => !danger.reversible) || uninspectable !== undefined;
  const back = harms ? false : reversible;
  return {
    ...(worst === undefined ? {} : { risk: worst }),
    ...(back === undefined ? {} : { reversible: back }),
    dangers: dangers.map(({ id }) => id),
    ...(uninspectable === undefined ? {} : { uninspectable }),
  };
}

const NOTHING_KNOWN: Judged = { dangers: [] };

function highest(risks: readonly Risk[]): Risk | undefined {
  return RISKS.findLast((risk) => risks.includes(risk));
}
