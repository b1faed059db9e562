import type { Access } from "../asked.ts";
import { normalise, resolvePath } from "../paths.ts";
import { HOLE, isExact, type ShellWord, type SimpleCommand } from "../shell/shell-command.ts";

/** A file or folder that an ask names, or seems to name. */
export interface Touched {
  /** Absolute where the folder is known; for people. */
  readonly path: string;
  /** There when the path is not exactly known: with HOLE and WILD, as in a shell word. */
  readonly shape?: string;
  /** Left out where it cannot be told, or where it is a guess that this is a path at all. */
  readonly access?: Access;
  /** False where the folder it starts from may be another. */
  readonly sure: boolean;
}

/** Stands for all files beyond the list's limit. */
export const TOO_MANY: Touched = { path: "…", shape: HOLE + HOLE, sure: false };

/** A word as a path, seen from the folder the command runs in. */
export function touchedBy(word: ShellWord, { cwd }: Pick<SimpleCommand, "cwd">, access?: Access): Touched {
  const { text, shape = isExact(word) ? text : HOLE } = word;
  const known = { ...(access === undefined ? {} : { access }), sure: cwd.sure || /^(?:\/|[A-Za-z]:[\\/])/.test(word.shape ?? text) };
  // A hole at the beginning may be an absolute path as well.
  if (!isExact(word) && shape.startsWith(HOLE)) return { path: text, shape, ...known };
  const path = resolvePath(shape, cwd.path);
  if (isExact(word) && path !== undefined) return { path, ...known };
  return { path: text, shape: path ?? `${HOLE}/${normalise(shape)}`, ...known };
}
