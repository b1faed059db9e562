import type { PathAccess } from "../asked.ts";
import { normalisePath, resolvePath } from "../paths.ts";
import { isExact, type ShellWord, type SimpleCommand, UNKNOWN_PART } from "../shell/shell-command.ts";

/** A file or folder that a request names or seems to name. */
export interface TouchedPath {
  /** Absolute if the folder is known; for display. */
  readonly path: string;
  /** Present if the path is not exactly known: with HOLE and WILD, as in a shell word. */
  readonly shape?: string;
  /** Absent if unknown, or if it is only a guess that this is a path. */
  readonly access?: PathAccess;
  /** False if the folder it starts from may be another one. */
  readonly sure: boolean;
}

/** Stands for all files beyond the list's limit. */
export const TOO_MANY_PATHS: TouchedPath = { path: "…", shape: UNKNOWN_PART + UNKNOWN_PART, sure: false };

/** A word as a path, relative to the folder in which the command runs. */
export function toTouchedPath(word: ShellWord, { cwd }: Pick<SimpleCommand, "cwd">, access?: PathAccess): TouchedPath {
  const { text, shape = isExact(word) ? text : UNKNOWN_PART } = word;
  const known = { ...(access === undefined ? {} : { access }), sure: cwd.sure || /^(?:\/|[A-Za-z]:[\\/])/.test(word.shape ?? text) };
  // A path that begins with a hole may be absolute.
  if (!isExact(word) && shape.startsWith(UNKNOWN_PART)) return { path: text, shape, ...known };
  const path = resolvePath(shape, cwd.path);
  if (isExact(word) && path !== undefined) return { path, ...known };
  return { path: text, shape: path ?? `${UNKNOWN_PART}/${normalisePath(shape)}`, ...known };
}
