import { plainStart } from "./command-list.ts";
import { createScope } from "./scope.ts";
import type { ShellReading, ShellWord, SimpleCommand } from "./shell-command.ts";
import { ShellWalker } from "./shell-walker.ts";

export interface ShellContext {
  /** The folder the text starts in. */
  readonly cwd?: string | undefined;
  readonly home?: string | undefined;
  /** Files that were written before, with what is in them where that is known. */
  readonly written?: Readonly<Record<string, string | null>> | undefined;
}

/** Longer texts are not commands that anybody wrote to be read. */
export const MAX_CHARACTERS = 65_536;
/** The parser looks at the rest of the text at every brace. */
const MAX_BRACES = 2000;

/**
 * Takes a shell text apart: every simple command in lists, pipes, groups, loops, branches, functions, substitutions and
 * here-documents, with wrappers such as `sudo`, `xargs` and `bash -c` taken off. What cannot be told before it runs makes
 * the whole text uninspectable; what could be found in it is listed nevertheless.
 *
 * Nothing is run, looked up or guessed, and it never throws. This reads what an agent shows; it is no sandbox.
 */
export function readShell(text: string, context: ShellContext = {}): ShellReading {
  if (text.length > MAX_CHARACTERS) return unread(text, `It has more than ${MAX_CHARACTERS.toLocaleString("en")} characters.`);
  if (text.split("{").length > MAX_BRACES + 1) return unread(text, "It has too many braces to be taken apart.");
  const walker = new ShellWalker(context);
  walker.text(text, createScope(context.cwd), []);
  const { commands, why, isCut, links } = walker.list;
  const reading = { commands, ...(links.size === 0 ? {} : { links }) };
  if (why === undefined) return { ...reading, inspectable: true };
  return { ...reading, inspectable: false, why, ...(isCut ? { unread: text } : {}) };
}

export function unread(text: string, why: string): ShellReading {
  return { commands: [], inspectable: false, why, unread: text };
}

/** The commands in words that stand at the end of another command. */
export function readWords(words: readonly ShellWord[], context: ShellContext): readonly SimpleCommand[] {
  const { list } = new ShellWalker(context);
  list.start(plainStart(words), createScope(context.cwd), []);
  return list.commands;
}
