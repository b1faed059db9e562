import { startOfWords } from "./command-list.ts";
import { createScope } from "./scope.ts";
import type { ShellReading, ShellWord, SimpleCommand } from "./shell-command.ts";
import { ShellWalker } from "./shell-walker.ts";

export interface ShellContext {
  /** The folder in which the text starts. */
  readonly cwd?: string | undefined;
  readonly home?: string | undefined;
  /** Files that were written earlier, with their contents if known. */
  readonly written?: Readonly<Record<string, string | null>> | undefined;
}

/** Longer texts are not commands meant to be read. */
export const MAX_SHELL_CHARACTERS = 65_536;
/** The parser scans the rest of the text at every brace. */
const MAX_BRACES = 2000;

/**
 * Parses a shell text: lists every simple command in lists, pipes, groups, loops, branches, functions, substitutions and here-documents,
 * without wrappers such as `sudo`, `xargs` and `bash -c`. Anything unknown before it runs makes the whole text uninspectable; the
 * commands found in it are listed nevertheless.
 *
 * Nothing is run, looked up or guessed, and it never throws. It reads what an agent shows and is not a sandbox.
 */
export function readShell(text: string, context: ShellContext = {}): ShellReading {
  if (text.length > MAX_SHELL_CHARACTERS)
    return unreadShell(text, `It has more than ${MAX_SHELL_CHARACTERS.toLocaleString("en")} characters.`);
  if (text.split("{").length > MAX_BRACES + 1) return unreadShell(text, "It has too many braces to be taken apart.");
  const walker = new ShellWalker(context);
  walker.text(text, createScope(context.cwd), []);
  const { commands, why, isCut, links } = walker.list;
  const reading = { commands, ...(links.size === 0 ? {} : { links }) };
  if (why === undefined) return { ...reading, inspectable: true };
  return { ...reading, inspectable: false, why, ...(isCut ? { unread: text } : {}) };
}

export function unreadShell(text: string, why: string): ShellReading {
  return { commands: [], inspectable: false, why, unread: text };
}

/** The commands in the words at the end of another command. */
export function readWords(words: readonly ShellWord[], context: ShellContext): readonly SimpleCommand[] {
  const { list } = new ShellWalker(context);
  list.start(startOfWords(words), createScope(context.cwd), []);
  return list.commands;
}
