/** A parsed shell text. A text that is not inspectable may do anything, whatever commands were found in it. */
export interface ShellReading {
  /** Every simple command anywhere in it, in written order. */
  readonly commands: readonly SimpleCommand[];
  readonly inspectable: boolean;
  /** A whole sentence; present if it is not inspectable. */
  readonly why?: string;
  /** The whole text, if it was not read to its end: too long, too deep, or another language. */
  readonly unread?: string;
  /** Links that the text itself creates, with the paths they lead to. */
  readonly links?: ReadonlyMap<string, string>;
}

/** One program with its words as it would be started, without wrappers. */
export interface SimpleCommand {
  /** The program's name without its folder; empty if nothing is started, as for an assignment or a redirection. */
  readonly name: string;
  /** The program as written, followed by its arguments. */
  readonly words: readonly ShellWord[];
  /** Variables set for this command alone, or set by it. */
  readonly assignments: readonly ShellAssignment[];
  /** Files opened by redirection; `truncates` are those of `writes` that are emptied first. */
  readonly reads: readonly ShellWord[];
  readonly writes: readonly ShellWord[];
  readonly truncates?: readonly ShellWord[];
  /** Its wrappers, outermost first: sudo, xargs, bash -c. */
  readonly via: readonly ShellWrapper[];
  readonly cwd: WorkingFolder;
  /** Its standard input, if that is more than the terminal. */
  readonly input?: ShellInput;
  /** Code in another language that is given as text. */
  readonly code?: ForeignCode;
}

/**
 * One word after quotes, braces, constants and `~` are resolved. `text` is for display: parts known only at run time appear as written
 * (`$DIR`). `shape` is present if the word is not exactly known: the text with HOLE for a part that may be anything, and WILD for a
 * pattern that the shell expands to names. `process`: `<(…)` or `>(…)`, whose commands are in the list.
 */
export interface ShellWord {
  readonly text: string;
  readonly shape?: string;
  readonly process?: "<" | ">";
}

/** Neither character can occur in an argument that a shell passes on. */
export const UNKNOWN_PART = "\u0000";
export const UNKNOWN_TEXT = "\u0001";

export interface ShellAssignment {
  readonly name: string;
  readonly value: ShellWord;
}

export interface ShellWrapper {
  readonly name: string;
  /** All words from the wrapper to the end. */
  readonly words: readonly ShellWord[];
  readonly kind: WrapperKind;
  readonly input?: ShellInput | undefined;
  readonly assignments?: readonly ShellAssignment[];
}

/**
 * `transparent`: the program runs as if written alone. `runner`: finds the program elsewhere (npx). `privileged`: with other rights.
 * `elsewhere`: on another machine or in a container. `text`: a text was run, which is parsed here as well. `supplied`: further arguments
 * come from outside (xargs, find).
 */
export type WrapperKind = "transparent" | "runner" | "privileged" | "elsewhere" | "text" | "supplied";

/** The path is undefined if unknown; it is not `sure` if an earlier `cd` may have failed. */
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
  /** Why the text, or a part of it, is known only at run time. */
  readonly unread?: string;
}

export function isExact(word: ShellWord): boolean {
  return word.shape === undefined && word.process === undefined;
}

/** The rest of a word from position `at`; if the word is not exactly known, the rest may be anything. */
export function wordFrom(word: ShellWord, at: number): ShellWord {
  const text = word.text.slice(at);
  return isExact(word) ? { text } : { text, shape: UNKNOWN_PART };
}

/** A command on one line, as typed, with quotes where needed. */
export function printCommand({ words, assignments, writes, reads }: SimpleCommand): string {
  return [
    ...assignments.map(({ name, value }) => `${name}=${printWord(value)}`),
    ...words.map(printWord),
    ...reads.map((word) => `< ${printWord(word)}`),
    ...writes.map((word) => `> ${printWord(word)}`),
  ].join(" ");
}

/** Only the words, with single spaces: the text that patterns match. */
export function joinWords(words: readonly ShellWord[]): string {
  return words.map(({ text }) => text).join(" ");
}

const PLAIN = /^(?:[\w@%+=:,./~^-]+|\[|\]|\{\})$/;

function printWord(word: ShellWord): string {
  return !isExact(word) || PLAIN.test(word.text) ? word.text : inQuotes(word.text);
}

/** Quotes a word so that a shell reads it back unchanged. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : inQuotes(word);
}

function inQuotes(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
