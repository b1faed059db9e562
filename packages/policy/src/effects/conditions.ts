import { isKnownPackage } from "../catalogue/known-packages.ts";
import { BUILD_OUTPUT, UNVERSIONED } from "../catalogue/paths.ts";
import * as patterns from "../catalogue/patterns.ts";
import { hidesSecret, isPublicPart, isSecretPath } from "../catalogue/secrets.ts";
import { AGENT_HOMES } from "../catalogue/variables.ts";
import { hasInOrder } from "../match/command-pattern.ts";
import { basename, isInside } from "../paths.ts";
import { constantOutput } from "../shell/constant-output.ts";
import { hasWord, subcommand } from "../shell/options.ts";
import { isExact, joinWords, type ShellWord, type SimpleCommand, UNKNOWN_PART, UNKNOWN_TEXT } from "../shell/shell-command.ts";
import { hostInWord, isInternal, isLoopbackWord, isUnknownHost, portInWord, remoteHost } from "./addresses.ts";
import type { ExaminedCommand } from "./examined-command.ts";
import { loadsCode } from "./loads-code.ts";
import { namedPackages, operandsWithout, runPackages, valuesOf } from "./named-packages.ts";
import { isAtHome, MIN_ASKED_DELETIONS, pathKindOf, type TargetContext } from "./target.ts";
import { type TouchedPath, toTouchedPath } from "./touched-path.ts";

/** The hub's default port. */
const HUB_PORT = 4747;

const MAX_HANDED_WORDS = 40;

/** Conditions of a row other than words, options, patterns and kinds of files. */
export const ROW_CONDITIONS: Readonly<Record<string, (look: ExaminedCommand, value: string) => boolean>> = {
  // Files
  several: (look) => {
    const kept = deletedIn(look).filter((one) => pathKindOf(one, look.context) === "kept");
    return kept.length >= MIN_ASKED_DELETIONS || kept.some(({ shape }) => shape?.includes(UNKNOWN_TEXT) === true);
  },
  unversioned: (look) => deletedIn(look).some((one) => UNVERSIONED.test(one.path) && pathKindOf(one, look.context) === "kept"),
  "finds-kept": findsKept,
  empties: (look) => emptied(look).some((one) => /^(?:kept|outside|system|unknown|broad)$/.test(pathKindOf(one, look.context))),
  "onto-itself": overwritesItself,
  away: (look) => {
    const { effects, context } = look;
    const written = effects.touched.filter((one) => one.access === "write" && one.shape?.startsWith(UNKNOWN_PART) !== true);
    const stays = written.some((one) => context.roots.some((root) => isInside(one.shape ?? one.path, root)));
    return written.length > 0 && !stays && deletedIn(look).some((one) => /^(?:kept|broad|unknown)$/.test(pathKindOf(one, context)));
  },
  "into-file": ({ effects, context }) => effects.touched.some((one) => one.access === "write" && pathKindOf(one, context) !== "device"),
  // Git and packages
  pathspec: ({ words }) => checksOutPaths(subcommand("git", words).rest.map(({ text }) => text)),
  setting: ({ words }, which) => readsSetting(words, which),
  foreign: ({ words }, ecosystem) => namedPackages(words, ecosystem).some((name) => !isKnownPackage(ecosystem, name)),
  "creates-foreign": ({ words }) =>
    namedPackages(words, "npm").some((name) => !isKnownPackage("npm", name) && !isKnownPackage("npm", `create-${name}`)),
  "runs-foreign": ({ words, command: { name } }) =>
    runPackages(words).some((one) => one !== "earshot" && !isKnownPackage(name === "uvx" ? "pypi" : "npm", one)),
  "foreign-image": ({ words }) => {
    const image = imageOf(words)?.replace(/^docker\.io\/library\//, "") ?? "";
    return /[/\0]/.test(image) && !isKnownPackage("images", image.replace(/[:@][\s\S]*$/, ""));
  },
  // Data that leaves the machine, and code that enters it
  "reads-secret": readsSecret,
  "secret-variable": ({ words, command: { name } }) =>
    rest(words).some(({ text }) => isSecretVariable(text) || (name === "printenv" && isSecretVariable(`$${text}`))),
  "looks-for-secrets": (look) => {
    const isOutside = (word: ShellWord) => /^[~/]/.test(word.text) && isAway(word, look);
    return rest(look.words).some(({ text }) => patterns.SOUGHT_SECRET.test(text)) && rest(look.words).some(isOutside);
  },
  // An unknown program receives a file with secrets.
  "hands-over-secret": (look) => {
    const { words, command, effects } = look;
    if (effects.known || look.isListedHarmless() || words.length > MAX_HANDED_WORDS) return false;
    return words.some((word, index) => {
      if (index === 0 || word.text.startsWith("-") || textAt(words, index - 1).startsWith("-") || !isExact(word)) return false;
      const { path } = toTouchedPath(word, command);
      return hidesSecret(path);
    });
  },
  // The value of a secret variable goes to a server that is not known as an API server.
  "secret-elsewhere": (look) =>
    look.words.some(({ text }) => isSecretVariable(text)) &&
    goesElsewhere(look) &&
    !look.words.some(({ text, shape }) => patterns.USUAL_INTERFACE.test(hostInWord(shape ?? text) ?? "")),
  // The files of a folder outside the workspace are served.
  "serves-outside": (look) => rest(look.words).some((word) => /^[~/.]/.test(word.text) && isAway(word, look)),
  "names-program": (look) => {
    const { name, via } = look.command;
    const outer = via.at(-1);
    const isNamed = outer?.kind === "text" && patterns.NAMES_HELPER.test(outer.name);
    return isNamed && name !== "" && !patterns.HELPER_PROGRAMS.test(name) && !look.isListedHarmless();
  },
  elsewhere: goesElsewhere,
  "at-home": (look) => look.words.length > 1 && !goesElsewhere(look),
  "computed-address": (look) =>
    look.words.some((word, index) => index > 0 && isComputedAddress(word, textAt(look.words, index - 1))) && goesElsewhere(look),
  fed: ({ command: { input } }) => input !== undefined && !(input.kind === "file" && input.word.text === "/dev/null"),
  "fed-by": ({ command: { input }, operands }, sources) =>
    input?.kind === "pipe" &&
    operands.every(({ text }) => text === "-" || text === "/dev/stdin") &&
    input.from.some(({ name }) => sources.split(",").includes(name)),
  "endless-input": ({ command: { input, reads } }) =>
    reads.some(({ text }) => /^\/dev\/(?:zero|u?random)$/.test(text)) ||
    (input?.kind === "pipe" && input.from.some((one) => /^yes\b|\/dev\/(?:zero|u?random)/.test(joinWords(one.words)))),
  "in-elsewhere": ({ command }) => command.via.some(({ kind }) => kind === "elsewhere"),
  "unknown-host": ({ words }) =>
    hostsIn(words)
      .slice(0, 1)
      .some(({ text, shape }) => isUnknownHost(shape ?? text)),
  "known-host": ({ words }) =>
    hostsIn(words)
      .slice(0, 1)
      .some((host) => isExact(host) && !isUnknownHost(host.text)),
  "to-unknown-host": ({ words, command: { name } }) => {
    const copies = name === "scp" || name === "rsync";
    const to = ({ text, shape }: ShellWord) =>
      remoteHost(shape ?? text) ?? (copies ? undefined : hostInWord(text.slice(text.lastIndexOf("@") + 1)));
    return hostsIn(words)
      .slice(copies ? -1 : 0)
      .some((word) => isUnknownHost(to(word) ?? ""));
  },
  metadata: ({ words }) => rest(words).some(({ text }) => isInternal(text)),
  fetched: ({ afterFetch, command }) => afterFetch && runsFile(command),
  otherwise: (look) => !look.isListedHarmless(),
  // Earshot, agents and code
  "other-home": ({ command }) => command.assignments.some(({ name }) => AGENT_HOMES.test(name)),
  "other-earshot": ({ command }) => command.assignments.some(({ name }) => name.startsWith("EARSHOT_")),
  "hub-address": ({ words, context }) => words.some(({ text }) => isHubAddress(text, context)),
  "kills-earshot": killsEarshot,
  "loads-code": ({ command, context }) => command.assignments.some(({ name, value }) => loadsCode(name, value.text, context, command)),
  "exports-loader": ({ words, context, command }) =>
    words.some(({ text }) => {
      const [, name = "", value = ""] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
      return name !== "" && loadsCode(name, value, context, command);
    }),
  "code-understood": ({ code, command }) => command.code !== undefined && code?.harmless === true,
};

export function isHubAddress(text: string, { port = HUB_PORT }: TargetContext): boolean {
  return text.includes(":") && portInWord(text) === port && isLoopbackWord(text);
}

function rest(words: readonly ShellWord[]): readonly ShellWord[] {
  return words.slice(1);
}

function textAt(words: readonly ShellWord[], index: number): string {
  return words[index]?.text ?? "";
}

function isSecretVariable(text: string): boolean {
  return patterns.SECRET_VARIABLE.test(text);
}

/** Whether a word is a path outside both the workspace and the temporary folders. */
function isAway(word: ShellWord, { command, context }: ExaminedCommand): boolean {
  return !isAtHome(toTouchedPath(word, command), context);
}

function deletedIn({ effects }: ExaminedCommand): readonly TouchedPath[] {
  return effects.touched.filter(({ access }) => access === "delete");
}

function hostsIn(words: readonly ShellWord[]): readonly ShellWord[] {
  return operandsWithout(words, patterns.VALUED.hosts);
}

function findsKept({ words, context, command }: ExaminedCommand): boolean {
  const end = words.findIndex(({ text }, index) => index > 0 && /^[-!(]/.test(text));
  const kinds = words.slice(1, Math.max(1, end)).map((word) => pathKindOf(toTouchedPath(word, command), context));
  if (kinds.length > 0 && kinds.every((kind) => kind === "made" || kind === "temporary")) return false;
  const names = valuesOf(words, "-name -iname -path -wholename").map((name) => basename(name.replace(/\/\*$/, "")).replaceAll("*", "x"));
  return names.length === 0 || !names.every((name) => BUILD_OUTPUT.test(name));
}

/** Programs that write their standard input to a file. */
const COPIES_INPUT = /^(?:cp|tee|dd|cat|sponge)$/;

/** Files that are left empty. */
function emptied({ command, effects }: ExaminedCommand): readonly TouchedPath[] {
  const { name, truncates = [], input, words, reads } = command;
  const written = () => effects.touched.filter(({ access }) => access === "write");
  if (name === "tee" && input?.kind === "text") return input.word.text.trim() === "" ? written() : [];
  const sources = effects.touched.filter(({ access }) => access === "read");
  const isCopied = reads.length === 0 || COPIES_INPUT.test(name);
  if (isCopied && sources.length > 0 && sources.every(({ path }) => path === "/dev/null")) return written();
  if (truncates.length === 0 || (name === "" && words.length > 0)) return [];
  const says = /^(?::|true|)$/.test(name) ? "" : (constantOutput(command)?.text ?? "x");
  return says.trim() === "" ? truncates.map((word) => toTouchedPath(word, command, "write")) : [];
}

function overwritesItself({ command, effects, words, operands }: ExaminedCommand): boolean {
  const { name, truncates = [], input } = command;
  if (/^(?:openssl|gpg|age|ccrypt)$/.test(name)) {
    const given = valuesOf(words, "-in -out -i -o --output");
    const all = name === "openssl" ? given : [...given, ...operands.slice(-1).map(({ text }) => text)];
    return given.some((one) => all.indexOf(one) !== all.lastIndexOf(one));
  }
  const written = new Set(truncates.map((word) => toTouchedPath(word, command).path));
  if (written.size === 0 || written.has("/dev/null")) return false;
  const sources = input?.kind === "pipe" ? input.from : [];
  const piped = sources.flatMap((one) => one.words.slice(1).map((word) => toTouchedPath(word, one)));
  const read = [...effects.touched.filter(({ access }) => access === "read"), ...piped];
  return read.some(({ path, shape }) => shape === undefined && written.has(path));
}

/** `git checkout` of paths discards their changes; `git checkout` of a branch does not. */
function checksOutPaths(texts: readonly string[]): boolean {
  if (texts.some((text) => /^(?:-b|-B|--orphan|--detach|-d|-t|--track|-p|--patch)$/.test(text))) return false;
  if (texts.includes("--")) return texts.indexOf("--") < texts.length - 1;
  const operands = texts.filter((text) => !text.startsWith("-"));
  return operands.length > 1 || operands.some((text) => patterns.CHECKED_OUT_FILE.test(text));
}

/**
 * `option`, `clone`: a `-c` setting names something that git runs. `runs`: `git config` sets it. `harmless`: the setting only changes
 * appearance, or is only read.
 */
function readsSetting(words: readonly ShellWord[], which: string): boolean {
  const isHarmless = (setting: string) => patterns.HARMLESS_SETTING.test(setting);
  const { rest: after } = subcommand("git", words);
  if (which === "option" || which === "clone") {
    if (!words.some(({ text }) => text === "-c" || text.startsWith("--config"))) return false;
    const seen = which === "clone" ? words : words.slice(0, words.length - after.length);
    const attached = seen.flatMap(({ text }) => /^--config(?:-env)?=(.*)$/.exec(text)?.[1] ?? []);
    return ![...valuesOf(seen, "-c --config"), ...attached].every(isHarmless);
  }
  const looks = after.some(({ text }) => hasWord("--get --get-all --get-regexp --get-urlmatch -l --list get list", text));
  const operands = operandsWithout([{ text: "config" }, ...after], "--file -f --type --default --blob");
  const [name, value] = operands.filter(({ text }) => !/^(?:set|unset|add)$/.test(text));
  const asks = looks || name === undefined || value === undefined;
  const changes = after.some(({ text }) => /^--(?:unset|remove|rename|edit)|^-e$/.test(text));
  const plain = !changes && (asks || isHarmless(`${name.text}=${value.text}`));
  return which === "harmless" ? plain : !asks && !plain;
}

/** The image of `docker run`: the first operand after the options. */
function imageOf(words: readonly ShellWord[]): string | undefined {
  for (let index = words.findIndex(({ text }) => /^(?:run|create)$/.test(text)) + 1; index > 0 && index < words.length; index++) {
    const { text = "", shape } = words[index] ?? {};
    if (!text.startsWith("-")) return (shape ?? text).toLowerCase();
    if (!patterns.RUN_FLAG.test(text)) index++;
  }
  return undefined;
}

/** The suffix for everything below a folder, or for the one file that is searched. */
const SEARCHED = new RegExp(`/${UNKNOWN_PART}$`);

/** Files with secrets that a program shows, copies or sends. */
export function readsSecret({ command, effects, context }: Pick<ExaminedCommand, "command" | "effects" | "context">): boolean {
  const { name, reads } = command;
  if (name === "ln" || !effects.shows) return false;
  const isSecret = (path: string) => isSecretPath(path.replaceAll(UNKNOWN_TEXT, "x")) && !isPublicPart(path.replaceAll(UNKNOWN_PART, ""));
  const isOwn = (path: string) => context.roots.some((root) => isInside(path, root));
  const redirected = reads.map((word) => toTouchedPath(word, command)).some(({ path, shape }) => isSecret(shape ?? path));
  if (redirected && !/^(?:wc|test|\[|docker|gh|npm)$/.test(name)) return true;
  if (!effects.known && name !== "" && !patterns.SHOWING_PROGRAM.test(name)) return false;
  // Copies or moves within the workspace.
  const stays = /^(?:cp|mv|rsync|install)$/.test(name) && effects.touched.every((one) => one.access !== "write" || isOwn(one.path));
  return effects.touched.some((one) => {
    if (one.access === "write" || (one.access === "delete" && name !== "mv")) return false;
    const whole = one.shape ?? one.path;
    const path = whole.replace(SEARCHED, "");
    // A whole home folder or disk is searched.
    const everything = path !== whole && !isOwn(path);
    if (everything && /^(?:broad|system)$/.test(pathKindOf({ path, sure: true }, context))) return true;
    return isSecret(path) && !(stays && isOwn(one.path));
  });
}

/** Whether an address, or the data sent to it, is computed from a command's output or a secret. */
function isComputedAddress({ text, shape }: ShellWord, before: string): boolean {
  if (shape?.includes(UNKNOWN_PART) !== true || !(/\$\(|`/.test(text) || isSecretVariable(text))) return false;
  if (/^(?:-o|--output|-m|--max-time|-u|--user)$/.test(before)) return false;
  return /^-?-d/.test(before) || /^\$\(|^`/.test(text) || (/[./:]/.test(text) && !hasWord(patterns.VALUED.network, before));
}

/** Whether one of the words is an address of another machine; if no address is given, it could be any machine. */
function goesElsewhere({ words }: ExaminedCommand): boolean {
  const isValue = (index: number) => hasWord(patterns.VALUED.network, textAt(words, index - 1));
  const given = words.filter(({ text }, index) => index > 0 && !/^[-@]|^(?=([^/]*@))\1\S*\.\w+$/.test(text) && !isValue(index));
  const hosts = given.flatMap(
    ({ text, shape }) => hostInWord(shape ?? text) ?? (shape !== undefined && /^\0|:\/\//.test(shape) ? "\0" : []),
  );
  if (hosts.length === 0) return !words.some(({ text }) => isLoopbackWord(text));
  return hosts.some((host) => host === "" || host.includes(UNKNOWN_PART) || !isLoopbackWord(`http://${host}`));
}

/** Whether a file is run by its path, or passed to a program that runs such files. */
function runsFile({ name, words: [program, ...others] }: SimpleCommand): boolean {
  if (program?.text.includes("/") === true && !patterns.PROGRAM_FOLDER.test(program.text)) return true;
  if (/^(?:make|gmake|cmake|ninja|just|ant|npm|pnpm|yarn|bun|cargo|go|mvn|gradle|rake|composer)$/.test(name)) return true;
  const runs = /^(?:sh|bash|zsh|dash|ksh|source|\.|python[\d.]*|node|perl|ruby|php|deno|bun)$/.test(name);
  return runs && others.some(({ text }) => !text.startsWith("-"));
}

const HUB_COMMAND_LINE = "node /usr/lib/node_modules/earshot/packages/cli/bin/earshot.cjs start";

function killsEarshot({ args, command, context, operands }: ExaminedCommand): boolean {
  const port = String(context.port ?? HUB_PORT);
  const isMeant = (text: string) => /earshot/i.test(text.replaceAll(/[[\]'"\\()?*.^$]/g, "")) || hasInOrder(text, [port]);
  const sources = [command.input, ...command.via.map(({ input }) => input)].flatMap((input) => (input?.kind === "pipe" ? input.from : []));
  if ([args, ...[...command.via, ...sources].map(({ words }) => joinWords(words))].some(isMeant)) return true;
  if (!/^(?:pkill|killall)$/.test(command.name)) return false;
  // A `pkill` pattern that matches the hub's own command line.
  const parts = (operands.at(-1)?.text.toLowerCase() ?? "").split(/[\^$[\]()\\.*+?]+/).filter((part) => part !== "");
  return parts.length > 0 && hasInOrder(HUB_COMMAND_LINE, parts);
}
