/** A shell text taken apart. What is not inspectable may do anything, whatever commands were found in it. */
export interface ShellReading {
  /** Every simple command anywhere in it, in the order in which it is written. */
  readonly commands: readonly SimpleCommand[];
  readonly inspectable: boolean;
  /** A sentence, where it is not inspectable. */
  readonly why?: string;
  /** The whole text, where it was not read to its end: too long, too deep, or another language. */
  readonly unread?: string;
  /** Links that the text itself makes: where a path leads. */
  readonly links?: ReadonlyMap<string, string>;
}

/** One program with its words, as it would be started, when all wrappers are taken off. */
export interface SimpleCommand {
  /** The program's name without its folder; empty when nothing is started: an assignment, a redirection. */
  readonly name: string;
  /** The program as written, then its arguments. */
  readonly words: readonly ShellWord[];
  /** Variables set for this command alone, or set by it. */
  readonly assignments: readonly ShellAssignment[];
  /** Files opened by redirection. */
  readonly reads: readonly ShellWord[];
  readonly writes: readonly ShellWord[];
  /** Those of the written files that are emptied first. */
  readonly truncates?: readonly ShellWord[];
  /** What it was wrapped in, outermost first: sudo, xargs, bash -c. */
  readonly via: readonly ShellWrapper[];
  /** The folder it runs in. */
  readonly cwd: WorkingFolder;
  /** What it reads from its standard input, as far as that is more than the terminal. */
  readonly input?: ShellInput;
  /** A program in another language that is given as text. */
  readonly code?: ForeignCode;
}

/**
 * One word after quotes, braces, constants and `~` are resolved. `text` is for people: what is only known when it runs stands
 * there as written (`$DIR`). `shape` is there when the word is not exactly known: the text with HOLE for what may be
 * anything, and WILD for a pattern that the shell fills in with names.
 */
export interface ShellWord {
  readonly text: string;
  readonly shape?: string;
  /** `<(…)` or `>(…)`: the commands in it are in the list. */
  readonly process?: "<" | ">";
}

/** Neither can be part of an argument that a shell passes on. */
export const HOLE = "\u0000";
export const WILD = "\u0001";

export interface ShellAssignment {
  readonly name: string;
  readonly value: ShellWord;
}

export interface ShellWrapper {
  readonly name: string;
  /** All words, from the wrapper on to the end. */
  readonly words: readonly ShellWord[];
  readonly kind: WrapperKind;
  readonly input?: ShellInput | undefined;
  readonly assignments?: readonly ShellAssignment[];
}

/**
 * `transparent`: the program runs as if written alone. `runner`: looks the program up elsewhere (npx). `privileged`: with
 * other rights. `elsewhere`: on another machine or in a container. `text`: what runs was a text, taken apart here too.
 * `supplied`: further arguments come from outside (xargs, find).
 */
export type WrapperKind = "transparent" | "runner" | "privileged" | "elsewhere" | "text" | "supplied";

export interface WorkingFolder {
  /** Undefined when it cannot be told, or when it is the folder in which the whole text starts and that is not known. */
  readonly path: string | undefined;
  /** False when an earlier `cd` may have failed. */
  readonly sure: boolean;
}

export type ShellInput =
  /** A here-document, here-string, or the output of a command that prints constants. */
  | { readonly kind: "text"; readonly word: ShellWord }
  | { readonly kind: "file"; readonly word: ShellWord }
  | { readonly kind: "pipe"; readonly from: readonly SimpleCommand[] };

export interface ForeignCode {
  readonly language: string;
  readonly text: string;
  /** Why the text, or a part of it, is only known when it runs. */
  readonly unread?: string;
}

/** What a command starts besides, or instead of, itself. */
export interface Unwrapped {
  readonly inner: readonly Inner[];
  /** Whether the command itself does something too. */
  readonly itself: boolean;
  /** Why the command that it starts is unknown. */
  readonly why?: string;
}

export type Inner =
  | { readonly words: readonly ShellWord[]; readonly kind: WrapperKind; readonly assignments?: readonly ShellAssignment[] }
  /** A text that a shell reads. `here` is this very shell: its variables are known and may change. */
  | { readonly text: ShellWord; readonly kind: WrapperKind; readonly here?: boolean };

export function isExact(word: ShellWord): boolean {
  return word.shape === undefined && word.process === undefined;
}

/** A command in one line, as one would type it: words that need quotes have them. */
export function printCommand({ words, assignments, writes, reads }: SimpleCommand): string {
  const parts = assignments.map(({ name, value }) => `${name}=${quoteWord(value)}`);
  for (const word of words) parts.push(quoteWord(word));
  for (const word of reads) parts.push(`< ${quoteWord(word)}`);
  for (const word of writes) parts.push(`> ${quoteWord(word)}`);
  return parts.join(" ");
}

/** The words alone, with single spaces: what patterns look at. */
export function joinWords(words: readonly ShellWord[]): string {
  return words.map(({ text }) => text).join(" ");
}

const PLAIN = /^(?:[\w@%+=:,./~^-]+|\[|\]|\{\})$/;

function quoteWord(word: ShellWord): string {
  if (!isExact(word) || PLAIN.test(word.text)) return word.text;
  return `'${word.text.replaceAll("'", `'\\''`)}'`;
}
