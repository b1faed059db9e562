import type { Places } from "../asked.ts";
import type { Touched } from "../effects/touched.ts";
import { isInside } from "../paths.ts";
import { HOLE, WILD } from "../shell/shell-command.ts";

/**
 * What a path is to the person at the machine. `broad`: a whole disk, home or workspace, or everything in one. `system`: the
 * machine's own. `outside`: neither in the workspace nor temporary. `unknown`: only known when it runs. `kept`: in the
 * workspace, and written by somebody. `made`: in the workspace, and made again by a build. `temporary`.
 */
export type TargetKind = "broad" | "system" | "outside" | "unknown" | "kept" | "made" | "temporary" | "device";

export interface TargetContext extends Places {
  readonly roots: readonly string[];
}

const MADE =
  /^(?:node_modules|bower_components|dist|build|out|output|\.output|target|\.next|\.nuxt|\.svelte-kit|\.turbo|\.vite|\.parcel-cache|\.cache|\.angular|coverage|\.nyc_output|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.tox|\.nox|\.venv|venv|\.eggs|.*\.egg-info|\.gradle|obj|tmp|temp|\.tmp|logs?|.*\.(?:pyc|pyo|o|log|tmp|bak|swp|tsbuildinfo))$/i;
const TEMPORARY = /^(?:\/private)?\/(?:tmp|var\/tmp|var\/folders)\/[^/]+/;
const SYSTEM =
  /^\/(?:bin|boot|dev|etc|lib|lib32|lib64|libx32|opt|proc|root|run|sbin|srv|sys|usr|var|System|Library|Applications|private|Volumes|mnt|media)(?:\/|$)|^[A-Za-z]:\/(?:Windows|Program Files|ProgramData)/i;
const DEVICE = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|mapper\/|md|dm-|loop)/;

export function targetKind({ path, shape }: Touched, context: TargetContext): TargetKind {
  const form = shape ?? path;
  if (form.includes(HOLE)) return "unknown";
  const wild = form.indexOf(WILD);
  const whole = wild < 0 ? form : form.slice(0, form.lastIndexOf("/", wild) + 1);
  const folder = whole.length > 1 && whole.endsWith("/") ? whole.slice(0, -1) : whole;
  // `dir/*` and `dir/.*` are everything in it; `dir/*.log` is not.
  const everything = wild >= 0 && /^\.*$/.test((form.slice(whole.length).split("/", 1)[0] ?? "").replaceAll(WILD, ""));
  const kind = kindOf(wild < 0 || everything ? folder : `${folder}/x`, context);
  if (kind === "temporary" && everything && /^(?:\/private)?\/(?:tmp|var\/tmp)$/.test(folder)) return "broad";
  if (kind === "kept" && everything) return "broad";
  if (kind !== "kept" || wild < 0) return kind;
  // A pattern for names that a build makes.
  return MADE.test(form.slice(form.lastIndexOf("/") + 1).replaceAll(WILD, "x")) ? "made" : "kept";
}

function kindOf(path: string, { roots, home, earshot }: TargetContext): TargetKind {
  if (DEVICE.test(path)) return "device";
  if (/^\/(?:[^/]*)$/.test(path) || /^[A-Za-z]:\/?$/.test(path)) return "broad";
  if (path === home || /^\/(?:home|Users)\/[^/]+$/.test(path) || path === earshot) return "broad";
  if (roots.some((root) => isInside(root, path))) return "broad";
  const root = roots.find((one) => isInside(path, one));
  if (root !== undefined) {
    const segments = path.slice(root.length + 1).split("/");
    if (segments[0] === ".git") return segments.length === 1 ? "broad" : "kept";
    return segments.some((segment) => MADE.test(segment)) ? "made" : "kept";
  }
  if (TEMPORARY.test(path)) return "temporary";
  if (SYSTEM.test(path)) return "system";
  return "outside";
}
