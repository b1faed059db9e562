import { cutText } from "../sentences/speakable.ts";
import { byHarm, type CommandEffect, effectNamed } from "./command-effects.ts";

export interface ReadCommand {
  readonly effect: CommandEffect;
  /** The object of the command, if it is a plain name: a file, a script, a host. */
  readonly what?: string;
  /** The files it names; none if it is not about files. */
  readonly paths: readonly string[];
  /** Run through `sudo` or similar. */
  readonly elevated: boolean;
  /** Number of other commands in the same text. */
  readonly others: number;
}

const MAX_CHARACTERS = 4000;
/** The last command of a pipe mostly formats the output, but it may also run or remove it. */
const ACTS_ON_INPUT: ReadonlySet<CommandEffect> = new Set([
  "run-file",
  "remove-folder",
  "remove-file",
  "kill",
  "create",
  "destroy",
  "database",
]);
/** Only mentioned if there is nothing else. */
const BESIDE: ReadonlySet<CommandEffect> = new Set(["go", "print", "wait"]);

/**
 * The most harmful effect of a command, in a word. For announcements: fast and limited to what names reveal. For decisions, the policy
 * package reads the command.
 */
export function describeCommand(text: string): ReadCommand {
  const all = simpleCommands(cutText(text, MAX_CHARACTERS)).flatMap((command) => {
    const one = readOne(command);
    return command.isFed && !ACTS_ON_INPUT.has(one.effect) ? [] : [one];
  });
  const telling = all.filter(({ effect }) => !BESIDE.has(effect));
  const sorted = (telling.length > 0 ? telling : all).toSorted((one, other) => byHarm(one.effect, other.effect));
  const [first] = sorted;
  if (first === undefined) return { effect: "run", paths: [], elevated: false, others: 0 };
  return { ...first, elevated: all.some(({ elevated }) => elevated), others: sorted.length - 1 };
}

function readOne({ words, elevated }: SimpleCommand): Omit<ReadCommand, "others"> {
  const [program = "", ...given] = words;
  const name = baseName(program).toLowerCase();
  const rest = name === "git" ? withoutPlace(given) : given;
  const plain = rest.filter((word) => !word.startsWith("-"));
  const [first = "", second = ""] = plain;
  const effect = refine(
    effectNamed(
      `${name} ${rest.slice(0, 2).join(" ")}`,
      `${name} ${first} ${second}`,
      `${name} ${rest[0] ?? ""}`,
      `${name} ${first}`,
      name,
    ),
    name,
    rest,
  );
  return { effect, elevated, ...objectOf(effect, name, rest) };
}

/** `git -C folder -c name=value push` is a push. */
function withoutPlace(words: readonly string[]): readonly string[] {
  let at = 0;
  while (words[at] === "-C" || words[at] === "-c") at += 2;
  return words.slice(at);
}

/** Options that change the effect. */
function refine(effect: CommandEffect, name: string, rest: readonly string[]): CommandEffect {
  const has = (pattern: RegExp) => rest.some((word) => pattern.test(word));
  if (effect === "remove-file" && has(/^(?:-[a-z]*r[a-z]*|--recursive|\/s)$/i)) return "remove-folder";
  if (effect === "push" && has(/^(?:-f|--force.*|\+.+)$/)) return "force-push";
  if ((effect === "read" || effect === "print") && (has(/^\d?>{1,2}(?!&|\/dev\/)/) || (name === "sed" && has(/^-i/)))) return "create";
  if (effect === "search" && name === "find" && has(/^-delete$/)) return "remove-file";
  if (effect === "switch" && rest[0] === "checkout" && has(/^(?:--|\.)$/)) return "discard";
  if (effect === "format" && has(/^--check$/)) return "lint";
  return effect;
}

/** The words that name the command's objects. */
function objectOf(effect: CommandEffect, name: string, rest: readonly string[]): Pick<ReadCommand, "what" | "paths"> {
  const plain = rest.filter((word) => !word.startsWith("-"));
  switch (effect) {
    case "run":
      return { ...named(name), paths: [] };
    case "script":
      return { ...named((plain[0] === "run" || plain[0] === "task" ? plain[1] : plain[0]) ?? ""), paths: [] };
    case "download":
    case "connect":
      return { ...named(hostIn(plain) ?? ""), paths: [] };
    case "run-file": {
      // A program given as text is code.
      const isCode = rest.some((word) => /^(?:-e|-c|--eval|-p)$/.test(word));
      return isCode ? { paths: [] } : about(filesIn(name, plain).slice(0, 1));
    }
    case "remove-folder":
    case "remove-file":
    case "read":
    case "create":
      return about(filesIn(name, plain));
    default:
      return { paths: [] };
  }
}

function about(paths: readonly string[]): Pick<ReadCommand, "what" | "paths"> {
  return { ...named(paths.length === 1 ? baseName(paths[0] ?? "") : ""), paths };
}

function filesIn(name: string, plain: readonly string[]): readonly string[] {
  const written = plain.findIndex((word) => /^\d?>/.test(word));
  if (written >= 0) {
    const path = (plain[written] ?? "").replace(/^\d?>+/, "") || plain[written + 1];
    return path === undefined ? [] : [path];
  }
  const files = plain.filter((word) => !/[*?$`<>(){}=;"'\\]/.test(word) && !/^\d+$/.test(word));
  // The first operand of `sed` and `awk` is a program, and that of `git rm` is its subcommand.
  return ["sed", "awk", "jq"].includes(name) ? files.slice(1) : files.filter((word) => word !== "rm" && word !== "run");
}

function hostIn(words: readonly string[]): string | undefined {
  for (const word of words) {
    const host = /^(?:[a-z]+:\/\/)?(?:[^/@\s]*@)?([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?=[:/?#]|$)/i.exec(word)?.[1];
    if (host?.includes(".") === true || host === "localhost") return host;
  }
  return undefined;
}

/** A speakable name; undefined for code. */
function named(name: string): Pick<ReadCommand, "what"> {
  return /^[\w.@:-]{1,40}$/.test(name) && /[a-z]/i.test(name) ? { what: name } : {};
}

/** One command of a line as words. */
interface SimpleCommand {
  readonly words: readonly string[];
  /** Run through `sudo` or similar. */
  readonly elevated: boolean;
  /** Receives input from a pipe. */
  readonly isFed: boolean;
}

const MAX_COMMANDS = 50;
/** Here-documents are input, not commands. */
const HERE_DOCUMENT = /<<-?[ \t]*(["']?)(\w+)\1([^\n]*)\n(?:[^\n]*\n)*?[ \t]*\2(?![^\n])/g;
const TOKEN = /"(?:[^"\\]|\\.)*"?|'[^']*'?|\|\||&&|[|;&\n]|(?:[^\s"'|;&\\]|\\.|&(?=\d)|(?<=>)&)+/g;
const BETWEEN = /^(?:\|\||&&|[|;&\n])$/;

/** The simple commands of a shell text without their wrappers. Quoted text is one word. */
function simpleCommands(text: string): readonly SimpleCommand[] {
  const commands: SimpleCommand[] = [];
  let words: string[] = [];
  let isFed = false;
  const end = (feeds: boolean) => {
    if (words.length > 0 && commands.length < MAX_COMMANDS) commands.push({ ...unwrapped(words), isFed });
    words = [];
    isFed = feeds;
  };
  for (const [token] of text.replaceAll(HERE_DOCUMENT, "$3").matchAll(TOKEN)) {
    if (BETWEEN.test(token)) end(token === "|");
    else words.push(token);
  }
  end(false);
  return commands;
}

const ELEVATING = new Set(["sudo", "doas", "su", "runas", "pkexec"]);
const WRAPPERS = new Set("env time nohup nice exec command timeout xargs npx bunx pnpx stdbuf setsid then do else !".split(" "));

function unwrapped(words: readonly string[]): Omit<SimpleCommand, "isFed"> {
  let elevated = false;
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] ?? "";
    const name = baseName(word);
    const isOption = at > 0 && (/^(?:-|\d+[smhd]?$)/.test(word) || /^-[ug]$/.test(words[at - 1] ?? ""));
    if (ELEVATING.has(name)) elevated = true;
    else if (!WRAPPERS.has(name) && !isOption && !/^\w+=/.test(word)) break;
  }
  return { words: words.slice(at).map(unquoted), elevated };
}

function baseName(path: string): string {
  const parts = unquoted(path).split(/[/\\]/);
  return parts.findLast((part) => part !== "") ?? path;
}

function unquoted(word: string): string {
  return word.replace(/^(["'])(.*)\1$/s, "$2");
}
