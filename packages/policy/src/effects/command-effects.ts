import type { Access } from "../asked.ts";
import { HOLE, isExact, type ShellWord, type SimpleCommand } from "../shell/shell-command.ts";
import { gitSubcommand } from "../shell/subcommand.ts";
import { hasOption } from "./has-option.ts";
import { GIT_LOOKS, PROGRAM_PATHS, type ProgramPaths } from "./program-paths.ts";
import { TOO_MANY, type Touched, touchedBy } from "./touched.ts";

export interface CommandEffects {
  readonly touched: readonly Touched[];
  /** It is known to do nothing but read what it names. */
  readonly readsOnly: boolean;
}

/** Files that everybody may write to, and nothing remembers. */
const NOWHERE = /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/;
const MOST_TOUCHED = 200;

/** The files a command names: sure for redirections and for programs that are known, a guess for all others. */
export function commandEffects(command: SimpleCommand): CommandEffects {
  const touched: Touched[] = [];
  for (const word of command.reads) touched.push(touchedBy(word, command, "read"));
  const writes = command.writes.filter((word) => !NOWHERE.test(word.text));
  for (const word of writes) touched.push(touchedBy(word, command, "write"));
  const program = programOf(command);
  if (program === undefined) guess(command, touched);
  else addOperands(command, program, touched);
  if (command.code !== undefined) guessInCode(command, touched);
  return {
    touched: touched.length > MOST_TOUCHED ? [...touched.slice(0, MOST_TOUCHED), TOO_MANY] : touched,
    readsOnly: readsOnly(command, program, writes.length),
  };
}

function programOf({ name, words }: SimpleCommand): ProgramPaths | undefined {
  if (name === "git") {
    const { name: sub, rest } = gitSubcommand(words);
    const unless = Object.hasOwn(GIT_LOOKS, sub) ? GIT_LOOKS[sub] : listing(sub, rest) ? [] : undefined;
    return unless === undefined ? undefined : { operands: "read", here: true, readsUnless: ["-c", ...unless] };
  }
  if (name === "sed" && hasOption(words, ["-i", "--in-place"])) return { operands: "write" };
  return Object.hasOwn(PROGRAM_PATHS, name) ? PROGRAM_PATHS[name] : undefined;
}

/** `git branch`, `git tag`, `git remote` and `git stash list` look when they are told nothing to do. */
function listing(sub: string, rest: readonly ShellWord[]): boolean {
  const texts = rest.map(({ text }) => text);
  if (sub === "branch") return texts.every((text) => /^(?:-[avr]+|-vv|--all|--list|--show-current|--remotes|--no-color)$/.test(text));
  if (sub === "tag") return texts.every((text) => /^(?:-l|--list|-n\d*|--sort=.*)$/.test(text));
  if (sub === "remote") return texts.every((text) => /^(?:-v|--verbose|show|get-url|origin|upstream)$/.test(text));
  if (sub === "stash" || sub === "worktree") return texts[0] === "list";
  return false;
}

function readsOnly({ words, code, name, assignments, via }: SimpleCommand, program: ProgramPaths | undefined, writes: number): boolean {
  if (
    name === "" ||
    writes > 0 ||
    assignments.length > 0 ||
    program?.readsUnless === undefined ||
    via.some(({ kind }) => kind !== "transparent")
  )
    return false;
  if (program.last !== undefined && operandsOf(words).length > 1) return false;
  if (code !== undefined || words.some(({ shape }) => shape?.includes(HOLE) === true)) return false;
  return !hasOption(words, program.readsUnless);
}

function operandsOf(words: readonly ShellWord[]): readonly ShellWord[] {
  const end = words.findIndex(({ text }) => text === "--");
  return words.filter(
    ({ text }, index) => index > 0 && index !== end && ((end >= 0 && index > end) || text === "-" || !text.startsWith("-")),
  );
}

function addOperands(command: SimpleCommand, program: ProgramPaths, touched: Touched[]): void {
  const { words } = command;
  const { operands: access, last, here, writesTo = [], named = {}, skip = 0 } = program;
  const operands = operandsOf(words);
  const below = program.below === true || hasOption(words, program.belowWith ?? []);
  for (const [index, word] of operands.entries()) {
    const [, key = "", value = ""] = /^(\w+)=(.*)$/s.exec(word.text) ?? [];
    const byName = Object.hasOwn(named, key) ? named[key] : undefined;
    if (byName !== undefined) touched.push(touchedBy(isExact(word) ? { text: value } : { text: value, shape: HOLE }, command, byName));
    if (access === "none" || index < skip) continue;
    const doing: Access = last !== undefined && index === operands.length - 1 && operands.length > 1 ? last : access;
    touched.push(touchedBy(deepen(revisionPath(command, word), below), command, doing));
  }
  if (operands.length === 0 && here === true) touched.push(touchedBy(deepen({ text: "." }, below), command, "read"));
  for (const [index, word] of words.entries()) addOption(command, word, words[index + 1], writesTo, access, touched);
}

/** Everything below a folder may be meant. */
function deepen(word: ShellWord, below: boolean): ShellWord {
  return below ? { text: word.text, shape: `${word.shape ?? word.text}/${HOLE}` } : word;
}

/** `git show main:path` reads the path. */
function revisionPath({ name }: SimpleCommand, word: ShellWord): ShellWord {
  const at = name === "git" && isExact(word) ? word.text.indexOf(":") : -1;
  return at < 0 ? word : { text: word.text.slice(at + 1) };
}

function addOption(
  command: SimpleCommand,
  word: ShellWord,
  next: ShellWord | undefined,
  writesTo: readonly string[],
  access: Access | "none",
  touched: Touched[],
): void {
  if (!word.text.startsWith("-") || word.text === "-") return;
  const option = writesTo.find((one) => word.text === one || word.text.startsWith(one.startsWith("--") ? `${one}=` : one));
  const value = /^(?:--[\w-]+=|-\w)(.+)$/s.exec(word.text)?.[1];
  if (option === word.text && next !== undefined) touched.push(touchedBy(next, command, "write"));
  else if (option !== undefined && value !== undefined) touched.push(touchedBy(cut(word, value), command, "write"));
  else if (value !== undefined && /[/~.]/.test(value) && access !== "none") touched.push(touchedBy(cut(word, value), command, access));
}

function cut(word: ShellWord, value: string): ShellWord {
  return isExact(word) ? { text: value } : { text: value, shape: HOLE };
}

/** A program nobody knows here: every word may be a path, and it may do anything with it. */
function guess(command: SimpleCommand, touched: Touched[]): void {
  for (const word of command.words.slice(1)) {
    const value = /^--?[\w-]+=(.+)$/s.exec(word.text)?.[1];
    if (value !== undefined) touched.push(touchedBy(cut(word, value), command, undefined));
    else if (!word.text.startsWith("-") && word.text !== "" && word.text.length < 4096 && !/[\n;|&]/.test(word.text)) {
      touched.push(touchedBy(word, command, undefined));
    }
  }
}

/** A program given as text may open whatever looks like a path in it. */
function guessInCode(command: SimpleCommand, touched: Touched[]): void {
  for (const [path] of (command.code?.text ?? "").slice(0, 20_000).matchAll(/(?:~|\.{0,2})\/[\w.@+~/-]+|\.[a-z]\w*\/[\w.@+/-]+/g)) {
    touched.push(touchedBy({ text: path }, command, undefined));
    if (touched.length > MOST_TOUCHED) return;
  }
}
