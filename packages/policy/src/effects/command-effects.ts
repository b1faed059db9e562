import type { Access, NamedPath } from "../asked.ts";
import { GIT_KEEPS, GIT_LOOKS, GIT_NAMES, GIT_SHOWS, PROGRAM_PATHS, type ProgramPaths } from "../catalogue/paths.ts";
import { basename } from "../paths.ts";
import { subcommand } from "../shell/options.ts";
import { HOLE, isExact, type ShellWord, type SimpleCommand } from "../shell/shell-command.ts";
import { hasOption } from "./command-form.ts";
import { patchedPaths } from "./patched-paths.ts";
import { TOO_MANY, type Touched, touchedBy } from "./touched.ts";

export interface CommandEffects {
  readonly touched: readonly Touched[];
  /** It is known to only read the files it names. */
  readonly readsOnly: boolean;
  /** It shows or passes on file contents, not only names and sizes. */
  readonly shows: boolean;
  /** Its use of the paths it is given is known. */
  readonly known: boolean;
}

/** Files that everybody may write to, and nothing remembers. */
export const NOWHERE = /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/;
const MAX_TOUCHED = 200;

/** The files a command names: sure for redirections and for programs that are known, a guess for all others. */
export function commandEffects(command: SimpleCommand): CommandEffects {
  const touched: Touched[] = [];
  for (const word of command.reads) touched.push(touchedBy(word, command, "read"));
  const writes = command.writes.filter((word) => !NOWHERE.test(word.text));
  for (const word of writes) touched.push(touchedBy(word, command, "write"));
  const program = programOf(command);
  for (const { path, access } of patchIn(command)) touched.push(touchedBy({ text: path }, command, access));
  if (program === undefined) guess(command, touched);
  else addOperands(command, program, touched);
  if (command.code !== undefined) guessInCode(command, touched);
  for (const { text } of command.words)
    if (text.startsWith("file://")) touched.push(touchedBy({ text: text.slice("file://".length) }, command, "read"));
  return {
    touched: touched.length > MAX_TOUCHED ? [...touched.slice(0, MAX_TOUCHED), TOO_MANY] : touched,
    readsOnly: readsOnly(command, program, writes.length),
    shows: program?.hides !== true,
    known: program !== undefined,
  };
}

function programOf({ name, words }: SimpleCommand): ProgramPaths | undefined {
  if (name === "git") {
    const { name: sub, rest } = subcommand("git", words);
    const unless = Object.hasOwn(GIT_LOOKS, sub) ? GIT_LOOKS[sub] : listing(sub, rest) ? [] : undefined;
    const skip = operandsOf(words).length - operandsOf([{ text: "git" }, ...rest]).length;
    if (unless !== undefined) return { operands: "read", skip, here: true, readsUnless: ["-c", ...unless], hides: !GIT_SHOWS.has(sub) };
    if (sub === "clone") return { operands: "none", skip: 2, last: "write" };
    if (sub === "rm") return { operands: hasOption(words, ["--cached"]) ? "none" : "delete", skip: 1 };
    if (GIT_NAMES.has(sub)) return { operands: "none", hides: true };
    return GIT_KEEPS.has(sub) ? { operands: "read", skip, hides: true } : undefined;
  }
  if (/^(?:g?sed|yq|perl|ruby)$/.test(name) && hasOption(words, ["-i", "--in-place", "--inplace"])) return { operands: "write" };
  if (/^[gm]?awk$/.test(name) && words.some(({ text }) => /^(?:-i|--include=?inplace|inplace)/.test(text))) return { operands: "write" };
  if (/^(?:bsd|g)?tar$/.test(name)) return tarPaths(words);
  return Object.hasOwn(PROGRAM_PATHS, name) ? PROGRAM_PATHS[name] : undefined;
}

/** `tar c` reads what it packs, `tar x` writes into its folder. */
function tarPaths([, first, ...others]: readonly ShellWord[]): ProgramPaths {
  const letters = [first, ...others].flatMap((word, index) => {
    const text = word?.text ?? "";
    return index === 0 || /^-[A-Za-z]/.test(text) ? [text.replace(/^-+/, "")] : [];
  });
  const all = letters.join(" ");
  if (/(?:^|[A-Za-z])c|\bcreate\b/.test(letters[0] ?? "") || /\bcreate\b|\bc\w*\b/.test(all))
    return { operands: "read", writesTo: ["-f", "--file"] };
  if (/t/.test(letters[0] ?? "")) return { operands: "read", hides: true };
  return { operands: "none", here: true, writesTo: ["-C", "--directory"] };
}

/** The files in a patch that is given as text. */
function patchIn({ name, words, input }: SimpleCommand): readonly NamedPath[] {
  const isPatch = /^(?:apply_?patch|patch)$/.test(name) || (name === "git" && words.some(({ text }) => text === "apply" || text === "am"));
  if (!isPatch) return [];
  const given = input?.kind === "text" ? input.word.text : "";
  return patchedPaths([given, ...words.map(({ text }) => text).filter((text) => text.includes("\n"))].join("\n"));
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

/** The words that are not options. */
export function operandsOf(words: readonly ShellWord[]): readonly ShellWord[] {
  const end = words.findIndex(({ text }) => text === "--");
  return words.filter(
    ({ text }, index) => index > 0 && index !== end && ((end >= 0 && index > end) || text === "-" || !text.startsWith("-")),
  );
}

function addOperands(command: SimpleCommand, program: ProgramPaths, touched: Touched[]): void {
  const { words } = command;
  const { operands: access, last, first, here, writesTo = [], named = {}, skipUnless = [] } = program;
  const noSkip = hasOption(words, skipUnless) || (command.name === "chmod" && words.some(({ text }) => /^-[rwxXst]+$/.test(text)));
  const skip = noSkip ? 0 : (program.skip ?? 0);
  const intoFolder = writesTo.includes("-t") && hasOption(words, ["-t", "--target-directory"]);
  const valued = [...(program.values ?? []), ...(intoFolder ? writesTo : [])];
  const operands = operandsOf(words).filter((word) => !isValueOf(words, word, valued));
  const below = program.below === true || hasOption(words, program.belowWith ?? []);
  for (const [index, word] of operands.entries()) {
    const [, key = "", value = ""] = /^(\w+)=(.*)$/s.exec(word.text) ?? [];
    const byName = Object.hasOwn(named, key) ? named[key] : undefined;
    if (byName !== undefined) touched.push(touchedBy(isExact(word) ? { text: value } : { text: value, shape: HOLE }, command, byName));
    if (index < skip || (access === "none" && last === undefined)) continue;
    const isLast = last !== undefined && index === operands.length - 1 && operands.length > 1 && !intoFolder;
    if (access === "none" && !isLast) continue;
    const doing = isLast ? last : index === 0 && first !== undefined ? first : access;
    if (doing === "none") continue;
    const path = deepen(revisionPath(command, word), below);
    const intoIt = isLast && last === "write" && (operands.length > 2 || isFolder(word));
    // Into a folder: what changes is what stands in it afterwards.
    if (!intoIt) touched.push(touchedBy(path, command, doing));
    else for (const source of operands.slice(0, -1)) touched.push(touchedBy(inside(path, source), command, "write"));
  }
  if (operands.length <= skip && here === true) touched.push(touchedBy(deepen({ text: "." }, below), command, "read"));
  for (const [index, word] of words.entries())
    addOption(command, word, words[index + 1], { writesTo, access, intoFolder, operands }, touched);
}

function isValueOf(words: readonly ShellWord[], word: ShellWord, options: readonly string[]): boolean {
  return options.includes(words[words.indexOf(word) - 1]?.text ?? "");
}

function isFolder({ text }: ShellWord): boolean {
  return /\/$|(?:^|\/)\.\.?$|^~$|^\/(?:root|(?:home|Users)\/[^/]+)$/.test(text);
}

/** A file copied into a folder keeps its name. */
function inside(folder: ShellWord, file: ShellWord): ShellWord {
  const base = (folder.shape ?? folder.text).replace(/(?<!\/)\/+$/, "");
  const source = file.shape ?? file.text;
  const name = /\/$/.test(source) ? HOLE : basename(source);
  const path = `${base === "" ? "/" : base}/${name === "." || name === ".." ? HOLE : name}`;
  return isExact(folder) && isExact(file) && !path.includes(HOLE)
    ? { text: path }
    : { text: `${folder.text}/${basename(file.text)}`, shape: path };
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

interface OptionContext {
  readonly writesTo: readonly string[];
  readonly access: Access | "none";
  readonly intoFolder: boolean;
  readonly operands: readonly ShellWord[];
}

function addOption(command: SimpleCommand, word: ShellWord, next: ShellWord | undefined, context: OptionContext, touched: Touched[]): void {
  const { writesTo, access, intoFolder, operands } = context;
  if (!word.text.startsWith("-") || word.text === "-") return;
  const option = writesTo.find((one) => word.text === one || word.text.startsWith(one.startsWith("--") ? `${one}=` : one));
  const value = /^(?:--[\w-]+=|-\w)(.+)$/s.exec(word.text)?.[1];
  // `-qO FILE`: the last letter of a cluster takes the next word.
  const isLastOfCluster = /^-[A-Za-z]{2,}$/.test(word.text) && writesTo.includes(`-${word.text.at(-1)}`);
  const written =
    option === word.text || isLastOfCluster ? next : option !== undefined && value !== undefined ? cut(word, value) : undefined;
  if (written !== undefined && NOWHERE.test(written.text)) return;
  if (written !== undefined) {
    touched.push(touchedBy(written, command, "write"));
    if (intoFolder) for (const source of operands) touched.push(touchedBy(inside(written, source), command, "write"));
  } else if (value !== undefined && /[/~.]/.test(value) && access !== "none") touched.push(touchedBy(cut(word, value), command, access));
}

function cut(word: ShellWord, value: string): ShellWord {
  return isExact(word) ? { text: value } : { text: value, shape: HOLE };
}

/** An unknown program: every word may be a path that it reads or writes; `-o` by convention names its output. */
function guess(command: SimpleCommand, touched: Touched[]): void {
  for (const [index, word] of command.words.entries()) {
    if (index === 0) continue;
    if (/^(?:-o|-O|--out|--output|--outfile|--out-file)$/.test(command.words[index - 1]?.text ?? "") && /^[~./\w]/.test(word.text))
      touched.push(touchedBy(word, command, "write"));
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
    if (touched.length > MAX_TOUCHED) return;
  }
}
