import type { Access } from "../asked.ts";
import { normalise, resolvePath } from "../paths.ts";
import { HOLE, isExact, type ShellWord, type SimpleCommand } from "../shell/shell-command.ts";

/** A file or folder that a request names or seems to name. */
export interface Touched {
  /** Absolute if the folder is known; for display. */
  readonly path: string;
  /** Present if the path is not exactly known: with HOLE and WILD, as in a shell word. */
  readonly shape?: string;
  /** Absent if unknown, or if it is only a guess that this is a path. */
  readonly access?: Access;
  /** False if the folder it starts from may be another one. */
  readonly sure: boolean;
}

/** Stands for all files beyond the list's limit. */
export const TOO_MANY: Touched = { path: "…", shape: HOLE + HOLE, sure: false };

/** A word as a path, relative to the folder in which the command runs. */
export function touchedBy(word: ShellWord, { cwd }: Pick<SimpleCommand, "cwd">, access?: Access): Touched {
  const { text, shape = isExact(word) ? text : HOLE } = word;
  const known = { ...(access === undefined ? {} : { access }), sure: cwd.sure || /^(?:\/|[A-Za-z]:[\\/])/.test(word.shape ?? text) };
  // A path that begins with a hole may be absolute.
  if (!isExact(word) && shape.startsWith(HOLE)) return { path: text, shape, ...known };
  const path = resolvePath(shape, cwd.path);
  if (isExact(word) && path !== undefined) return { path, ...known };
  return { path: text, shape: path ?? `${HOLE}/${normalise(shape)}`, ...known };
}
