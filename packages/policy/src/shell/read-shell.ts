import type { ShellReading } from "./shell-command.ts";
import { ShellWalker } from "./shell-walker.ts";

export interface ShellContext {
  /** The folder the text starts in. */
  readonly cwd?: string;
  readonly home?: string;
}

/** Longer texts are not commands that anybody wrote to be read. */
export const MOST_CHARACTERS = 65_536;
/** The parser looks at the rest of the text at every brace. */
const MOST_BRACES = 2000;

/**
 * Takes a shell text apart: every simple command in lists, pipes, groups, loops, branches, functions, substitutions and
 * here-documents, with wrappers such as `sudo`, `xargs` and `bash -c` taken off. What cannot be told before it runs makes
 * the whole text uninspectable; what could be found in it is listed nevertheless.
 *
 * Nothing is run, looked up or guessed, and it never throws. This reads what an agent shows; it is no sandbox.
 */
export function readShell(text: string, context: ShellContext = {}): ShellReading {
  if (text.length > MOST_CHARACTERS) return unread(`It has more than ${MOST_CHARACTERS.toLocaleString("en")} characters.`);
  if (countBraces(text) > MOST_BRACES) return unread("It has too many braces to be taken apart.");
  const walker = new ShellWalker(context);
  walker.read(text, context.cwd);
  const { commands, why } = walker.list;
  return why === undefined ? { commands, inspectable: true } : { commands, inspectable: false, why };
}

export function unread(why: string): ShellReading {
  return { commands: [], inspectable: false, why };
}

function countBraces(text: string): number {
  let count = 0;
  for (let at = text.indexOf("{"); at >= 0; at = text.indexOf("{", at + 1)) count++;
  return count;
}
