import type { NamedPath, PathAccess } from "../asked.ts";
import { GIT_LOOKS, GIT_PATHS, PROGRAM_PATHS, type ProgramPaths } from "../catalogue/programs.ts";
import { basename } from "../paths.ts";
import { subcommand } from "../shell/options.ts";
import { isExact, type ShellWord, type SimpleCommand, UNKNOWN_PART, wordFrom } from "../shell/shell-command.ts";
import { hasOption } from "./command-form.ts";
import { patchedPaths } from "./patched-paths.ts";
import { TOO_MANY_PATHS, type TouchedPath, toTouchedPath } from "./touched-path.ts";

export interface CommandEffects {
  readonly touched: readonly TouchedPath[];
  /** It is known to only read the files it names. */
  readonly readsOnly: boolean;
  /** It shows or passes on file contents, not only names and sizes. */
  readonly shows: boolean;
  /** Its use of the paths it is given is known. */
  readonly known: boolean;
}

/** Files that every process may write to and that store nothing. */
export const NULL_DEVICE = /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/;
const MAX_TOUCHED = 200;
const MAX_READ_CODE = 20_000;

/** Adds a file to those that a command touches. */
type Add = (word: ShellWord, access?: PathAccess) => void;

/** The files a command names: certain for redirections and known programs, a guess for all others. */
export function commandEffects(command: SimpleCommand): CommandEffects {
  const touched: TouchedPath[] = [];
  const add: Add = (word, access) => touched.push(toTouchedPath(word, command, access));
  for (const word of command.reads) add(word, "read");
  const writes = command.writes.filter((word) => !NULL_DEVICE.test(word.text));
  for (const word of writes) add(word, "write");
  const program = programOf(command);
  for (const { path, access } of patchIn(command)) add({ text: path }, access);
  if (program === undefined) guess(command.words, add);
  else addOperands(command, program, add);
  for (const text of command.code === undefined ? [] : pathsInCode(command.code.text)) if (touched.length <= MAX_TOUCHED) add({ text });
  for (const { text } of command.words) if (text.startsWith("file://")) add({ text: text.slice("file://".length) }, "read");
  return {
    touched: touched.length > MAX_TOUCHED ? [...touched.slice(0, MAX_TOUCHED), TOO_MANY_PATHS] : touched,
    readsOnly: readsOnly(command, program, writes.length),
    shows: program?.hides !== true,
    known: program !== undefined,
  };
}

function programOf({ name, words }: SimpleCommand): ProgramPaths | undefined {
  if (name === "git") return gitPaths(words);
  if (/^(?:g?sed|yq|perl|ruby)$/.test(name) && hasOption(words, ["-i", "--in-place", "--inplace"])) return { operands: "write" };
  if (/^[gm]?awk$/.test(name) && words.some(({ text }) => /^(?:-i|--include=?inplace|inplace)/.test(text))) return { operands: "write" };
  if (/^(?:bsd|g)?tar$/.test(name)) return tarPaths(words);
  return Object.hasOwn(PROGRAM_PATHS, name) ? PROGRAM_PATHS[name] : undefined;
}

function gitPaths(words: readonly ShellWord[]): ProgramPaths | undefined {
  const { name: sub, rest } = subcommand("git", words);
  const unless = Object.hasOwn(GIT_LOOKS, sub) ? GIT_LOOKS[sub] : isListing(sub, rest) ? [] : undefined;
  const skip = operandsOf(words).length - operandsOf([{ text: "git" }, ...rest]).length;
  if (unless !== undefined) {
    const hides = !/^(?:show|log|cat-file|blame|diff)$/.test(sub);
    return { operands: "read", skip, here: true, readsUnless: ["-c", ...unless], hides };
  }
  if (sub === "rm") return { operands: hasOption(words, ["--cached"]) ? "none" : "delete", skip: 1 };
  const known = Object.hasOwn(GIT_PATHS, sub) ? GIT_PATHS[sub] : undefined;
  return known?.operands === "read" ? { ...known, skip } : known;
}

/** `git branch`, `git tag`, `git remote` and `git stash list` only list if no operation is given. */
function isListing(sub: string, rest: readonly ShellWord[]): boolean {
  if (sub === "stash" || sub === "worktree") return rest[0]?.text === "list";
  const looks = Object.hasOwn(LISTING, sub) ? LISTING[sub] : undefined;
  return looks !== undefined && rest.every(({ text }) => looks.test(text));
}

const LISTING: Readonly<Record<string, RegExp>> = {
  branch: /^(?:-[avr]+|-vv|--all|--list|--show-current|--remotes|--no-color)$/,
  tag: /^(?:-l|--list|-n\d*|--sort=.*)$/,
  remote: /^(?:-v|--verbose|show|get-url|origin|upstream)$/,
};

/** `tar c` reads the files it packs, `tar x` writes into its folder. */
function tarPaths([, first, ...others]: readonly ShellWord[]): ProgramPaths {
  const mode = first?.text.replace(/^-+/, "") ?? "";
  const options = others.filter(({ text }) => /^-[A-Za-z]/.test(text)).map(({ text }) => text.replace(/^-+/, ""));
  if (/(?:^|[A-Za-z])c|\bcreate\b/.test(mode) || /\bcreate\b|\bc\w*\b/.test([mode, ...options].join(" ")))
    return { operands: "read", writesTo: ["-f", "--file"] };
  return mode.includes("t") ? { operands: "read", hides: true } : { operands: "none", here: true, writesTo: ["-C", "--directory"] };
}

/** The files in a patch that is given as text. */
function patchIn({ name, words, input }: SimpleCommand): readonly NamedPath[] {
  const isPatch = /^(?:apply_?patch|patch)$/.test(name) || (name === "git" && words.some(({ text }) => text === "apply" || text === "am"));
  if (!isPatch) return [];
  const given = input?.kind === "text" ? input.word.text : "";
  return patchedPaths([given, ...words.map(({ text }) => text).filter((text) => text.includes("\n"))].join("\n"));
}

function readsOnly({ words, code, name, assignments, via }: SimpleCommand, program: ProgramPaths | undefined, writes: number): boolean {
  if (program?.readsUnless === undefined || name === "" || writes > 0 || assignments.length > 0 || code !== undefined) return false;
  if (via.some(({ kind }) => kind !== "transparent") || words.some(({ shape }) => shape?.includes(UNKNOWN_PART) === true)) return false;
  return !(program.last !== undefined && operandsOf(words).length > 1) && !hasOption(words, program.readsUnless);
}

/** The words that are not options. */
export function operandsOf(words: readonly ShellWord[]): readonly ShellWord[] {
  const end = words.findIndex(({ text }) => text === "--");
  return words.filter(
    ({ text }, index) => index > 0 && index !== end && ((end >= 0 && index > end) || text === "-" || !text.startsWith("-")),
  );
}

function addOperands({ name, words }: SimpleCommand, program: ProgramPaths, add: Add): void {
  const { operands: access, last, first, writesTo = [], named = {}, skipUnless = [] } = program;
  const noSkip = hasOption(words, skipUnless) || (name === "chmod" && words.some(({ text }) => /^-[rwxXst]+$/.test(text)));
  const skip = noSkip ? 0 : (program.skip ?? 0);
  const intoFolder = writesTo.includes("-t") && hasOption(words, ["-t", "--target-directory"]);
  const valued = [...(program.values ?? []), ...writesTo];
  const operands = operandsOf(words).filter((word) => !valued.includes(words[words.indexOf(word) - 1]?.text ?? ""));
  const below = program.below === true || hasOption(words, program.belowWith ?? []);
  for (const [index, word] of operands.entries()) {
    const [assigned = "", key = ""] = /^(\w+)=/.exec(word.text) ?? [];
    if (Object.hasOwn(named, key)) add(wordFrom(word, assigned.length), named[key]);
    const isLast = last !== undefined && index === operands.length - 1 && operands.length > 1 && !intoFolder;
    const doing = isLast ? last : index === 0 && first !== undefined && access !== "none" ? first : access;
    if (index < skip || doing === "none") continue;
    const path = deepen(revisionPath(name, word), below);
    // The destination is a folder: the files inside it are what changes.
    if (!(isLast && last === "write" && (operands.length > 2 || isFolder(word)))) add(path, doing);
    else for (const source of operands.slice(0, -1)) add(inside(path, source), "write");
  }
  if (operands.length <= skip && program.here === true) add(deepen({ text: "." }, below), "read");
  for (const [index, word] of words.entries()) {
    const written = writtenBy(word, words[index + 1], writesTo);
    if (written === undefined) {
      const [option] = /^(?:--[\w-]+=|-\w)(?=.)/s.exec(word.text) ?? [];
      if (option !== undefined && /[/~.]/.test(word.text.slice(option.length)) && access !== "none")
        add(wordFrom(word, option.length), access);
    } else if (!NULL_DEVICE.test(written.text)) {
      add(written, "write");
      if (intoFolder) for (const source of operands) add(inside(written, source), "write");
    }
  }
}

/** The value of an option that names an output path. */
function writtenBy(word: ShellWord, next: ShellWord | undefined, writesTo: readonly string[]): ShellWord | undefined {
  const { text } = word;
  if (!text.startsWith("-") || text === "-") return undefined;
  const option = writesTo.find((one) => text === one || text.startsWith(one.startsWith("--") ? `${one}=` : one));
  // `-qO FILE`: the last letter of a cluster takes the next word.
  if (option === text || (/^-[A-Za-z]{2,}$/.test(text) && writesTo.includes(`-${text.at(-1)}`))) return next;
  const [name] = option === undefined ? [] : (/^(?:--[\w-]+=|-\w)(?=.)/s.exec(text) ?? []);
  return name === undefined ? undefined : wordFrom(word, name.length);
}

function isFolder({ text }: ShellWord): boolean {
  return /\/$|(?:^|\/)\.\.?$|^~$|^\/(?:root|(?:home|Users)\/[^/]+)$/.test(text);
}

/** A file copied into a folder keeps its name. */
function inside(folder: ShellWord, file: ShellWord): ShellWord {
  const base = (folder.shape ?? folder.text).replace(/(?<!\/)\/+$/, "");
  const source = file.shape ?? file.text;
  const name = source.endsWith("/") ? UNKNOWN_PART : basename(source);
  const path = `${base === "" ? "/" : base}/${name === "." || name === ".." ? UNKNOWN_PART : name}`;
  if (isExact(folder) && isExact(file) && !path.includes(UNKNOWN_PART)) return { text: path };
  return { text: `${folder.text}/${basename(file.text)}`, shape: path };
}

/** With `below`, the word covers everything below the folder. */
function deepen(word: ShellWord, below: boolean): ShellWord {
  return below ? { text: word.text, shape: `${word.shape ?? word.text}/${UNKNOWN_PART}` } : word;
}

/** `git show main:path` reads the path. */
function revisionPath(name: string, word: ShellWord): ShellWord {
  return name === "git" && isExact(word) ? { text: word.text.slice(word.text.indexOf(":") + 1) } : word;
}

/** An unknown program: every word may be a path that it reads or writes; by convention `-o` names its output. */
function guess(words: readonly ShellWord[], add: Add): void {
  for (const [index, word] of words.entries()) {
    const { text } = word;
    if (index === 0) continue;
    if (/^(?:-o|-O|--out|--output|--outfile|--out-file)$/.test(words[index - 1]?.text ?? "") && /^[~./\w]/.test(text)) add(word, "write");
    const [option] = /^--?[\w-]+=(?=.)/s.exec(text) ?? [];
    if (option !== undefined) add(wordFrom(word, option.length));
    else if (!text.startsWith("-") && text !== "" && text.length < 4096 && !/[\n;|&]/.test(text)) add(word);
  }
}

/** A program given as text may open any string that looks like a path. */
function pathsInCode(text: string): readonly string[] {
  return text.slice(0, MAX_READ_CODE).match(/(?:~|\.{0,2})\/[\w.@+~/-]+|\.[a-z]\w*\/[\w.@+/-]+/g) ?? [];
}
