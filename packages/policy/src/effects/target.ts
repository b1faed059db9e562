import type { Places } from "../asked.ts";
import { HOME_CACHES, MADE } from "../catalogue/paths.ts";
import { isInside } from "../paths.ts";
import { HOLE, WILD } from "../shell/shell-command.ts";
import type { Touched } from "./touched.ts";

/**
 * What a path is to the person at the machine. `broad`: a whole disk, home or workspace, or everything in one. `system`: the
 * machine's own. `outside`: neither in the workspace nor temporary. `unknown`: only known when it runs. `kept`: in the
 * workspace, and written by somebody. `made`: in the workspace, and made again by a build. `temporary`.
 */
export type TargetKind = "broad" | "system" | "outside" | "unknown" | "kept" | "made" | "temporary" | "device";

export interface TargetContext extends Places {
  readonly roots: readonly string[];
  /** Links that the text itself makes. */
  readonly links?: ReadonlyMap<string, string>;
}

/** So many files of the workspace are not deleted without asking. */
export const MIN_SEVERAL = 3;

/** The same paths, and those to which links in them lead: made by the text itself, or on the disk. */
export function followLinks(touched: readonly Touched[], { links = new Map(), realPath, roots, home }: TargetContext): readonly Touched[] {
  if (links.size === 0 && realPath === undefined) return touched;
  // The workspace and the home keep the names by which they are known, though they may lie behind a link themselves.
  const named = [...roots, ...(home === undefined ? [] : [home])];
  const bases = realPath === undefined ? [] : named.map((base) => [base, realPath(base)] as const);
  const follow = (path: string) => {
    const led = realPath?.(path) ?? path;
    const [base, real] = bases.find(([, one]) => isInside(led, one)) ?? ["", ""];
    return `${base}${led.slice(real.length)}`;
  };
  return touched.flatMap((one) => {
    if (one.shape !== undefined || one.access === undefined) return [one];
    const link = [...links.keys()].find((key) => isInside(one.path, key));
    // What deletes a link leaves what it leads to.
    const folder = one.access === "delete" ? one.path.slice(0, one.path.lastIndexOf("/")) : one.path;
    const led =
      link === undefined ? `${follow(folder)}${one.path.slice(folder.length)}` : `${links.get(link)}${one.path.slice(link.length)}`;
    return led === one.path ? [one] : [one, { ...one, path: led }];
  });
}

const TEMPORARY = /^(?:\/private)?\/(?:tmp|var\/tmp|var\/folders)\/[^/]+/;
/** The folder of temporary files itself. */
const ALL_TEMPORARY = /^(?:\/private)?\/(?:tmp|var\/tmp)\/?$/;
const SYSTEM =
  /^\/(?:bin|boot|dev|etc|lib|lib32|lib64|libx32|opt|proc|root|run|sbin|srv|sys|usr|var|System|Library|Applications|private|Volumes|mnt|media)(?:\/|$)|^[A-Za-z]:\/(?:Windows|Program Files|ProgramData)/i;
const DEVICE = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|mapper\/|md|dm-|loop)/;

export function targetKind({ path, shape }: Touched, context: TargetContext): TargetKind {
  const form = shape ?? path;
  if (form.includes(HOLE)) return isMadeBelow(form, context) ? "made" : "unknown";
  const wild = form.indexOf(WILD);
  if (wild < 0) return kindOf(form.length > 1 && form.endsWith("/") ? form.slice(0, -1) : form, context);
  const whole = form.slice(0, form.lastIndexOf("/", wild) + 1);
  const folder = whole.length > 1 ? whole.slice(0, -1) : whole;
  // `dir/*` and `dir/.*` are everything in it; `dir/*.log` is not.
  const everything = /^\.*$/.test((form.slice(whole.length).split("/", 1)[0] ?? "").replaceAll(WILD, ""));
  const kind = kindOf(everything ? folder : `${folder}/x`, context);
  if (kind === "temporary" && everything && ALL_TEMPORARY.test(folder)) return "broad";
  const names = form.slice(folder.length).split("/");
  if ((kind === "kept" || kind === "broad") && names.some((one) => one !== WILD && isMadeName(one))) return "made";
  return kind === "kept" && everything ? "broad" : kind;
}

/** A name, or a pattern for names, that a build makes. */
function isMadeName(name: string): boolean {
  return MADE.test(name.replaceAll(WILD, "x"));
}

/** Somewhere below the workspace, and of a name that a build makes: what a search for `__pycache__` finds. */
function isMadeBelow(form: string, { roots }: TargetContext): boolean {
  const name = form.slice(form.lastIndexOf("/") + 1);
  const root = form.slice(0, form.indexOf(HOLE)).replace(/\/$/, "");
  return name !== "" && !name.includes(HOLE) && isMadeName(name) && roots.some((one) => isInside(root, one));
}

function kindOf(path: string, { roots, home, earshot }: TargetContext): TargetKind {
  if (home !== undefined && isInside(path, home) && HOME_CACHES.test(`~${path.slice(home.length)}`)) return "made";
  if (DEVICE.test(path)) return "device";
  if (/^\/[^/]*$|^[A-Za-z]:\/?$|^\/(?:home|Users)\/[^/]+$/.test(path) || path === home || path === earshot) return "broad";
  if (roots.some((root) => isInside(root, path))) return "broad";
  const root = roots.find((one) => isInside(path, one));
  if (root !== undefined) {
    const segments = path.slice(root.length + 1).split("/");
    if (segments[0] === ".git") return segments.length === 1 ? "broad" : path.endsWith(".lock") ? "made" : "kept";
    return segments.some((segment) => MADE.test(segment)) ? "made" : "kept";
  }
  if (TEMPORARY.test(path)) return "temporary";
  return SYSTEM.test(path) ? "system" : "outside";
}

/** What runs elsewhere or later when it is changed, and what agents are told by. */
const RUNS_LATER =
  /\/(?:\.github|\.circleci|\.buildkite|\.woodpecker|\.tekton)\/|\/(?:\.gitlab-ci|\.travis|\.drone|bitbucket-pipelines|azure-pipelines|appveyor|cloudbuild|buildspec)\.ya?ml$|\/Jenkinsfile$|\/(?:AGENTS|CLAUDE|GEMINI|QWEN)\.md$/i;

/** Whether a file may be written without a word on it: it lies at home, and nothing runs by it. */
export function isOrdinary(touched: Touched, context: TargetContext): boolean {
  return isAtHome(touched, context) && !RUNS_LATER.test(touched.path);
}

/** Whether a file can be made again. */
export function isReplaceable(touched: Touched, context: TargetContext): boolean {
  return /^(?:made|temporary)$/.test(targetKind(touched, context));
}

/** Whether a path lies where an agent is expected to write: in the workspace, or among temporary files. */
export function isAtHome({ path, shape = path }: Touched, context: TargetContext): boolean {
  const known = shape.includes(HOLE) ? shape.slice(0, shape.lastIndexOf("/", shape.indexOf(HOLE)) + 1) : shape;
  return context.roots.some((root) => isInside(known, root)) || TEMPORARY.test(known) || ALL_TEMPORARY.test(known);
}
