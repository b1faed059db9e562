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
  /** Files opened by redirection; `truncates` are those of `writes` that are emptied first. */
  readonly reads: readonly ShellWord[];
  readonly writes: readonly ShellWord[];
  readonly truncates?: readonly ShellWord[];
  /** What it was wrapped in, outermost first: sudo, xargs, bash -c. */
  readonly via: readonly ShellWrapper[];
  readonly cwd: WorkingFolder;
  /** What it reads from its standard input, as far as that is more than the terminal. */
  readonly input?: ShellInput;
  /** A program in another language that is given as text. */
  readonly code?: ForeignCode;
}

/**
 * One word after quotes, braces, constants and `~` are resolved. `text` is for people: what is only known when it runs stands
 * there as written (`$DIR`). `shape` is there when the word is not exactly known: the text with HOLE for what may be
 * anything, and WILD for a pattern that the shell fills in with names. `process`: `<(…)` or `>(…)`, whose commands are in the list.
 */
export interface ShellWord {
  readonly text: string;
  readonly shape?: string;
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

/** The path is undefined when it cannot be told; it is not `sure` when an earlier `cd` may have failed. */
export interface WorkingFolder {
  readonly path: string | undefined;
  readonly sure: boolean;
}

/** `text`: a here-document, a here-string, or the output of a command that prints constants. */
export type ShellInput =
  | { readonly kind: "text" | "file"; readonly word: ShellWord }
  | { readonly kind: "pipe"; readonly from: readonly SimpleCommand[] };

export interface ForeignCode {
  readonly language: string;
  readonly text: string;
  /** Why the text, or a part of it, is only known when it runs. */
  readonly unread?: string;
}

export function isExact(word: ShellWord): boolean {
  return word.shape === undefined && word.process === undefined;
}

/** The value behind the first letters of a word: of one that is not exactly known it may be anything. */
export function valueFrom(word: ShellWord, at: number): ShellWord {
  const text = word.text.slice(at);
  return isExact(word) ? { text } : { text, shape: HOLE };
}

/** A command in one line, as one would type it: words that need quotes have them. */
export function printCommand({ words, assignments, writes, reads }: SimpleCommand): string {
  return [
    ...assignments.map(({ name, value }) => `${name}=${printWord(value)}`),
    ...words.map(printWord),
    ...reads.map((word) => `< ${printWord(word)}`),
    ...writes.map((word) => `> ${printWord(word)}`),
  ].join(" ");
}

/** The words alone, with single spaces: what patterns look at. */
export function joinWords(words: readonly ShellWord[]): string {
  return words.map(({ text }) => text).join(" ");
}

const PLAIN = /^(?:[\w@%+=:,./~^-]+|\[|\]|\{\})$/;

function printWord(word: ShellWord): string {
  return !isExact(word) || PLAIN.test(word.text) ? word.text : inQuotes(word.text);
}

/** As a shell reads it back. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : inQuotes(word);
}

function inQuotes(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
