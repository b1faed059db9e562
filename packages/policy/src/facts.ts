import type { Asked, Places } from "./asked.ts";
import { RISKS, type Risk } from "./behaviour.ts";
import type { Danger } from "./danger/danger.ts";
import { commandDangers, pathDangers, wholeDangers } from "./danger/find-dangers.ts";
import type { TargetContext } from "./danger/target.ts";
import { commandEffects } from "./effects/command-effects.ts";
import { TOO_MANY, type Touched } from "./effects/touched.ts";
import { resolvePath } from "./paths.ts";
import type { Judged } from "./ruling.ts";
import { readShell, unread } from "./shell/read-shell.ts";
import { HOLE, type ShellReading, type SimpleCommand, type WorkingFolder } from "./shell/shell-command.ts";

/** One thing that an ask would do: a simple command, or what the tool itself does. */
export interface Part {
  /** Left out for what the tool itself does. */
  readonly command?: SimpleCommand;
  readonly touched: readonly Touched[];
  readonly dangers: readonly Danger[];
  /** Nothing but reading what it names. */
  readonly readsOnly: boolean;
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
  readonly judged: Judged;
}

const MOST_PATHS = 1000;
const NO_DANGERS: readonly Danger[] = [];

/** Looks at an ask once; everything else is told from here. */
export function findFacts(asked: Asked, places: Places): Facts {
  const roots = rootsOf(asked);
  const context: TargetContext = { ...places, roots };
  const reading = asked.command === undefined ? undefined : readCommand(asked, places);
  const parts: Part[] = (reading?.commands ?? []).map((command) => {
    const effects = commandEffects(command);
    return { command, ...effects, dangers: commandDangers(command, effects, context), cwd: command.cwd };
  });
  if (asked.command === undefined || (asked.paths ?? []).length > 0) parts.push(toolPart(asked, context));
  const whole = asked.command === undefined ? NO_DANGERS : wholeDangers(asked.command);
  const harms = whole.length > 0 || parts.some((part) => part.dangers.length > 0);
  const dangers = harms ? [...new Set([...parts.flatMap((part) => part.dangers), ...whole])] : NO_DANGERS;
  return { asked, roots, ...(reading === undefined ? {} : { reading }), parts, dangers, judged: judge(asked, dangers, reading) };
}

function readCommand({ command = "", shell = "bash", cwd, runsIn }: Asked, { home }: Places): ShellReading {
  if (shell !== "bash") return unread(UNREAD_SHELLS[shell]);
  const folder = runsIn === undefined ? cwd : resolvePath(runsIn, cwd);
  return readShell(command, { ...(folder === undefined ? {} : { cwd: folder }), ...(home === undefined ? {} : { home }) });
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

function toolPart({ paths = [], cwd }: Asked, context: TargetContext): Part {
  const touched = paths.slice(0, MOST_PATHS).map(({ path, access }): Touched => {
    const whole = path === "~" || path.startsWith("~/") ? `${context.home ?? "~"}${path.slice(1)}` : path;
    const resolved = resolvePath(whole, cwd);
    const known = access === undefined ? {} : { access };
    return { path: resolved ?? whole, ...(resolved === undefined ? { shape: `${HOLE}/${whole}` } : {}), ...known, sure: true };
  });
  if (paths.length > MOST_PATHS) touched.push(TOO_MANY);
  const dangers = [...new Set(touched.flatMap((one) => pathDangers(one, context)))];
  return {
    touched,
    dangers,
    readsOnly: touched.length > 0 && touched.every(({ access }) => access === "read"),
    cwd: { path: cwd, sure: true },
  };
}

function judge({ risk, reversible }: Asked, dangers: readonly Danger[], reading: ShellReading | undefined): Judged {
  const uninspectable = reading?.why;
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
