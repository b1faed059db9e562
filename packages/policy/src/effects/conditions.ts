import { HARMLESS_SETTING } from "../catalogue/git-settings.ts";
import { isKnownPackage } from "../catalogue/known-packages.ts";
import { MADE, UNVERSIONED } from "../catalogue/paths.ts";
import {
  CHECKED_OUT_FILE,
  HELPER,
  LOADING_OPTION,
  NAMES_HELPER,
  OWN_PROGRAM_FOLDER,
  PACKAGE_VERB,
  PLAIN_PROGRAM,
  PROGRAM_FOLDER,
  RUN_FLAG,
  SECRET_VARIABLE,
  SHOWING_PROGRAM,
  SOUGHT_SECRET,
  USUAL_INTERFACE,
  USUAL_SERVER,
  VALUED,
} from "../catalogue/patterns.ts";
import { isPublicPart, isSecretPath } from "../catalogue/secrets.ts";
import { AGENT_HOMES, LOADERS } from "../catalogue/variables.ts";
import { hasInOrder } from "../match/command-pattern.ts";
import { basename, isInside } from "../paths.ts";
import { constantOutput } from "../shell/constant-output.ts";
import { includes, subcommand } from "../shell/options.ts";
import { HOLE, isExact, joinWords, type ShellWord, type SimpleCommand, WILD } from "../shell/shell-command.ts";
import { hostOf, isElsewhere, isInternal, isLoopback, isUnknownHost, portOf, remoteHost } from "./addresses.ts";
import { operandsOf } from "./command-effects.ts";
import type { Look } from "./look.ts";
import { isAtHome, MIN_SEVERAL, type TargetContext, targetKind } from "./target.ts";
import { type Touched, touchedBy } from "./touched.ts";

/** The port that the hub listens on unless it is told another. */
const HUB_PORT = 4747;

const MAX_HANDED_WORDS = 40;

/** Conditions of a row beyond words, options, patterns and kinds of files. */
export const CONDITIONS: Readonly<Record<string, (look: Look, value: string) => boolean>> = {
  // Files
  several: (look) => {
    const kept = deletedIn(look).filter((one) => targetKind(one, look.context) === "kept");
    return kept.length >= MIN_SEVERAL || kept.some(({ shape }) => shape?.includes(WILD) === true);
  },
  unversioned: (look) => deletedIn(look).some((one) => UNVERSIONED.test(one.path) && targetKind(one, look.context) === "kept"),
  "finds-kept": findsKept,
  empties: (look) => emptied(look).some((one) => /^(?:kept|outside|system|unknown|broad)$/.test(targetKind(one, look.context))),
  "onto-itself": overwritesItself,
  away: ({ effects, context }) => {
    const source = effects.touched.some((one) => one.access === "delete" && /^(?:kept|broad|unknown)$/.test(targetKind(one, context)));
    const written = effects.touched.filter((one) => one.access === "write" && one.shape?.startsWith(HOLE) !== true);
    return source && written.length > 0 && !written.some((one) => context.roots.some((root) => isInside(one.shape ?? one.path, root)));
  },
  "into-file": ({ effects, context }) => effects.touched.some((one) => one.access === "write" && targetKind(one, context) !== "device"),
  // Git and packages
  pathspec: ({ words }) => checksOutPaths(subcommand("git", words).rest.map(({ text }) => text)),
  setting: ({ words }, which) => readsSetting(words, which),
  foreign: ({ words }, ecosystem) => namedPackages(words, ecosystem).some((name) => !isKnownPackage(ecosystem, name)),
  "creates-foreign": ({ words }) =>
    namedPackages(words, "npm").some((name) => !isKnownPackage("npm", name) && !isKnownPackage("npm", `create-${name}`)),
  "runs-foreign": ({ words, command: { name } }) => {
    const registry = name === "uvx" ? "pypi" : "npm";
    return runPackages(words).some((one) => one !== "earshot" && !isKnownPackage(registry, one));
  },
  "foreign-image": ({ words }) => {
    const image = imageOf(words)?.replace(/^docker\.io\/library\//, "");
    return image !== undefined && /[/\0]/.test(image) && !isKnownPackage("images", image.replace(/[:@].*$/, ""));
  },
  // What leaves the machine, and what comes in
  "reads-secret": readsSecret,
  "secret-variable": ({ words, command: { name } }) =>
    words.some(({ text }, index) => index > 0 && (SECRET_VARIABLE.test(text) || (name === "printenv" && SECRET_VARIABLE.test(`$${text}`)))),
  "looks-for-secrets": ({ words, command, context }) => {
    const isOutside = (word: ShellWord) => /^[~/]/.test(word.text) && !isAtHome(touchedBy(word, command, "read"), context);
    return words.slice(1).some(({ text }) => SOUGHT_SECRET.test(text)) && words.slice(1).some(isOutside);
  },
  // A program of which nothing is known is given a file with secrets.
  "hands-over-secret": (look) => {
    const { words, command, effects } = look;
    if (effects.known || look.isListedHarmless() || words.length > MAX_HANDED_WORDS) return false;
    return words.some((word, index) => {
      if (index === 0 || /^-/.test(word.text) || /^-/.test(words[index - 1]?.text ?? "") || !isExact(word)) return false;
      const { path } = touchedBy(word, command, "read");
      return isSecretPath(path) && !isPublicPart(path);
    });
  },
  // The value of a variable that holds a secret goes to a server that is not known for an interface of its own.
  "secret-elsewhere": (look) =>
    look.words.some(({ text }) => SECRET_VARIABLE.test(text)) &&
    goesElsewhere(look) &&
    !look.words.some(({ text, shape }) => USUAL_INTERFACE.test(hostOf(shape ?? text) ?? "")),
  // The files of a folder outside of the workspace are served.
  "serves-outside": ({ words, command, context }) =>
    words.some((word, index) => index > 0 && /^[~/.]/.test(word.text) && !isAtHome(touchedBy(word, command, "read"), context)),
  "names-program": (look) => {
    const { name, via } = look.command;
    const outer = via.at(-1);
    return outer?.kind === "text" && NAMES_HELPER.test(outer.name) && name !== "" && !HELPER.test(name) && !look.isListedHarmless();
  },
  elsewhere: goesElsewhere,
  "at-home": (look) => look.words.length > 1 && !goesElsewhere(look),
  "computed-address": (look) => {
    const isAddress = ({ text, shape }: ShellWord, before: string) =>
      shape?.includes(HOLE) === true &&
      (/\$\(|`/.test(text) || SECRET_VARIABLE.test(text)) &&
      (/^-?-d/.test(before) || /^\$\(|^`/.test(text) || (/[./:]/.test(text) && !includes(VALUED.network, before))) &&
      !/^(?:-o|--output|-m|--max-time|-u|--user)$/.test(before);
    return look.words.some((word, index) => index > 0 && isAddress(word, look.words[index - 1]?.text ?? "")) && goesElsewhere(look);
  },
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
      .some((host) => isUnknownHost(host.shape ?? host.text)),
  "known-host": ({ words }) =>
    hostsIn(words)
      .slice(0, 1)
      .some((host) => isExact(host) && !isUnknownHost(host.text)),
  "to-unknown-host": ({ words, command: { name } }) => {
    const copies = name === "scp" || name === "rsync";
    return hostsIn(words)
      .slice(copies ? -1 : 0)
      .some(({ text, shape }) => {
        const host = remoteHost(shape ?? text) ?? (copies ? undefined : hostOf(text.replace(/^.*@/, "")));
        return host !== undefined && isUnknownHost(host);
      });
  },
  metadata: ({ words }) => words.some(({ text }, index) => index > 0 && isInternal(text)),
  fetched: ({ afterFetch, command }) => afterFetch && runsFile(command),
  otherwise: (look) => !look.isListedHarmless(),
  // Earshot, agents and code
  "other-home": ({ command }) => command.assignments.some(({ name }) => AGENT_HOMES.test(name)),
  "other-earshot": ({ command }) => command.assignments.some(({ name }) => name.startsWith("EARSHOT_")),
  "hub-address": ({ words, context }) => words.some(({ text }) => isHubAddress(text, context)),
  "kills-earshot": killsEarshot,
  "loads-code": ({ command, context }) =>
    command.assignments.length > 0 && command.assignments.some(({ name, value }) => loadsCode(name, value.text, context, command)),
  "exports-loader": ({ words, context, command }) =>
    words.some(({ text }) => {
      const [, name = "", value = ""] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
      return name !== "" && loadsCode(name, value, context, command);
    }),
  "code-understood": ({ code, command }) => command.code !== undefined && code?.harmless === true,
};

export function isHubAddress(text: string, { port = HUB_PORT }: TargetContext): boolean {
  return text.includes(":") && portOf(text) === port && isLoopback(text);
}

function deletedIn({ effects }: Look): readonly Touched[] {
  return effects.touched.filter(({ access }) => access === "delete");
}

/** The words without options, and without the values of those that take one. */
function operandsWithout(words: readonly ShellWord[], valued: string): readonly ShellWord[] {
  return operandsOf(words.filter((_, index) => index === 0 || !includes(valued, words[index - 1]?.text ?? "")));
}

function hostsIn(words: readonly ShellWord[]): readonly ShellWord[] {
  return operandsWithout(words, VALUED.hosts);
}

/** The words after an option. */
function valuesOf(words: readonly ShellWord[], options: string): readonly string[] {
  return words.flatMap(({ text }, index) => (includes(options, words[index - 1]?.text ?? "") ? [text] : []));
}

function findsKept({ words, context, command }: Look): boolean {
  const end = words.findIndex(({ text }, index) => index > 0 && /^[-!(]/.test(text));
  const roots = words.slice(1, Math.max(1, end)).map((word) => targetKind(touchedBy(word, command, "delete"), context));
  if (roots.length > 0 && roots.every((kind) => kind === "made" || kind === "temporary")) return false;
  const names = valuesOf(words, "-name -iname -path -wholename").map((name) => basename(name.replace(/\/\*$/, "")).replaceAll("*", "x"));
  return names.length === 0 || !names.every((name) => MADE.test(name));
}

const FROM_NOTHING: ReadonlySet<string> = new Set(["cp", "install", "tee", "dd", "cat", "rsync", "sponge"]);

/** Files that are left with nothing in them. */
function emptied({ command, effects, args }: Look): readonly Touched[] {
  const { name, truncates = [], input, words } = command;
  if (truncates.length === 0 && !FROM_NOTHING.has(name)) return [];
  const written = () => effects.touched.filter(({ access }) => access === "write");
  const reads = input?.kind === "file" ? input.word.text : "";
  if (name === "tee" && input?.kind === "text") return input.word.text.trim() === "" ? written() : [];
  if (FROM_NOTHING.has(name) && (reads === "/dev/null" || /(?:^|[\s=])\/dev\/null(?:\s|$)/.test(args))) return written();
  if (truncates.length === 0 || (name === "" && words.length > 0)) return [];
  const says = /^(?::|true|)$/.test(name) ? "" : (constantOutput(command)?.text ?? "x");
  return says.trim() === "" ? truncates.map((word) => touchedBy(word, command, "write")) : [];
}

const ENCRYPTS: ReadonlySet<string> = new Set(["openssl", "gpg", "age", "ccrypt"]);

function overwritesItself({ command, effects, words, operands }: Look): boolean {
  if (ENCRYPTS.has(command.name)) {
    const given = valuesOf(words, "-in -out -i -o --output");
    const all = command.name === "openssl" ? given : [...given, ...operands.slice(-1).map(({ text }) => text)];
    return given.some((one) => all.indexOf(one) !== all.lastIndexOf(one));
  }
  if (command.truncates === undefined) return false;
  const written = new Set(command.truncates.map((word) => touchedBy(word, command, "write").path));
  if (written.has("/dev/null")) return false;
  const sources = command.input?.kind === "pipe" ? command.input.from : [];
  const piped = sources.flatMap((one) => one.words.slice(1).map((word) => touchedBy(word, one, "read")));
  const read = [...effects.touched.filter(({ access }) => access === "read"), ...piped];
  return read.some(({ path, shape }) => shape === undefined && written.has(path));
}

/** `git checkout` of paths throws away what was changed in them; of a branch it does not. */
function checksOutPaths(texts: readonly string[]): boolean {
  if (texts.some((text) => /^(?:-b|-B|--orphan|--detach|-d|-t|--track|-p|--patch)$/.test(text))) return false;
  if (texts.includes("--")) return texts.indexOf("--") < texts.length - 1;
  const operands = texts.filter((text) => !text.startsWith("-"));
  return operands.length > 1 || operands.some((text) => CHECKED_OUT_FILE.test(text));
}

/** `option`, `clone`: with `-c` git is told what to run. `runs`: by `git config`. `harmless`: how things look, or it is only asked. */
function readsSetting(words: readonly ShellWord[], which: string): boolean {
  const { rest } = subcommand("git", words);
  if (which === "option" || which === "clone") {
    if (!words.some(({ text }) => text === "-c" || text.startsWith("--config"))) return false;
    const seen = which === "clone" ? words : words.slice(0, words.length - rest.length);
    const attached = seen.flatMap(({ text }) => /^--config(?:-env)?=(.*)$/.exec(text)?.[1] ?? []);
    return [...valuesOf(seen, "-c --config"), ...attached].some((setting) => !HARMLESS_SETTING.test(setting));
  }
  const looks = rest.some(({ text }) => includes("--get --get-all --get-regexp --get-urlmatch -l --list get list", text));
  const operands = operandsWithout([{ text: "config" }, ...rest], "--file -f --type --default --blob");
  const [name, value] = operands.filter(({ text }) => !/^(?:set|unset|add)$/.test(text));
  const asks = looks || name === undefined || value === undefined;
  const changes = rest.some(({ text }) => /^--(?:unset|remove|rename|edit)|^-e$/.test(text));
  const plain = !changes && (asks || HARMLESS_SETTING.test(`${name.text}=${value.text}`));
  return which === "harmless" ? plain : !asks && !plain;
}

/** Packages installed from a registry, without those already present. */
function namedPackages(words: readonly ShellWord[], ecosystem: string): readonly string[] {
  const added = ecosystem === "pypi" ? valuesOf(words, "--with") : ecosystem === "crates" ? valuesOf(words, "--git") : [];
  if (ecosystem === "pypi" && added.length > 0) return added;
  const operands = operandsWithout(words, VALUED.packages).map(({ text }) => text);
  const from = operands.findIndex((text) => !PACKAGE_VERB.test(text));
  const named =
    from < 0
      ? []
      : operands.slice(
          from,
          operands.slice(0, from).some((verb) => /^(?:run|create|init|innit|dlx|exec|x)$/.test(verb)) ? from + 1 : undefined,
        );
  return [...named.filter((name) => !isHere(name, ecosystem)), ...added];
}

function isHere(name: string, ecosystem: string): boolean {
  if (/\.(?:tgz|tar\.gz|whl|zip|gem|deb|vsix|nupkg)$/.test(name)) return false;
  if (ecosystem === "go") return !/^[\w-]+(?:\.[\w-]+)+\//.test(name) || name.startsWith("./");
  return /^(?:\.{1,2}(?:\/.*)?|\.\[.*\]|\/.*|~\/.*|(?:file|link|workspace|portal):.*)$/.test(name);
}

/** Packages that `npx` and similar programs fetch and run. */
function runPackages(words: readonly ShellWord[]): readonly string[] {
  const operands = operandsWithout(words, VALUED.packages);
  const program = operands.find(({ text }) => !PACKAGE_VERB.test(text));
  const before = program === undefined ? words : words.slice(0, words.indexOf(program));
  const named = valuesOf(before, "-p --package --from --with");
  return (named.length > 0 ? named : program === undefined ? [] : [program.text]).map((name) => name.replace(/(?<=.)@[^/]*$/, ""));
}

/** The image of `docker run`: the first operand after the options. */
function imageOf(words: readonly ShellWord[]): string | undefined {
  for (let index = words.findIndex(({ text }) => /^(?:run|create)$/.test(text)) + 1; index > 0 && index < words.length; index++) {
    const { text = "", shape } = words[index] ?? {};
    if (!text.startsWith("-")) return (shape ?? text).toLowerCase();
    if (!RUN_FLAG.test(text)) index++;
  }
  return undefined;
}

/** Everything below a folder, or the one file that is searched. */
const SEARCHED = new RegExp(`/${HOLE}$`);

/** Files with secrets that a program shows, copies or sends. */
export function readsSecret({ command, effects, context }: Pick<Look, "command" | "effects" | "context">): boolean {
  const { name, reads } = command;
  if (name === "ln" || !effects.shows) return false;
  const isSecret = (path: string) =>
    isSecretPath(path.includes(WILD) ? path.replaceAll(WILD, "x") : path) && !isPublicPart(path.replaceAll(HOLE, ""));
  const isOwn = ({ path }: Touched) => context.roots.some((root) => isInside(path, root));
  const redirected =
    reads.length > 0 && reads.map((word) => touchedBy(word, command, "read")).some(({ path, shape }) => isSecret(shape ?? path));
  if (redirected && !/^(?:wc|test|\[|docker|gh|npm)$/.test(name)) return true;
  if (!effects.known && !SHOWING_PROGRAM.test(name)) return false;
  // From the workspace into the workspace.
  const stays = /^(?:cp|mv|rsync|install)$/.test(name) && effects.touched.every((one) => one.access !== "write" || isOwn(one));
  return effects.touched.some((one) => {
    const path = (one.shape ?? one.path).replace(SEARCHED, "");
    if (one.access === "write" || (one.access === "delete" && name !== "mv")) return false;
    // Everything in a home, or on a disk, is looked through.
    const everything = path !== (one.shape ?? one.path) && !isOwn({ ...one, path });
    if (everything && /^(?:broad|system)$/.test(targetKind({ path, sure: true }, context))) return true;
    return isSecret(path) && !(stays && isOwn(one));
  });
}

/** Whether an address among the words is one of another machine; where none is named, it could be any. */
function goesElsewhere({ words }: Look): boolean {
  const given = words.filter(
    ({ text }, index) => index > 0 && !/^[-@]|^[^/]*@\S*\.\w+$/.test(text) && !includes(VALUED.network, words[index - 1]?.text ?? ""),
  );
  const hosts = given.flatMap(({ text, shape }) => hostOf(shape ?? text) ?? (shape !== undefined && /^\0|:\/\//.test(shape) ? "\0" : []));
  if (hosts.length === 0) return !words.some(({ text }) => isLoopback(text));
  return hosts.some((host) => host === "" || host.includes(HOLE) || !isLoopback(`http://${host}`));
}

/** A file is run by its path, or given to what runs such files. */
function runsFile({ name, words }: SimpleCommand): boolean {
  const [program, ...rest] = words;
  if (program?.text.includes("/") === true && !PROGRAM_FOLDER.test(program.text)) return true;
  if (/^(?:make|gmake|cmake|ninja|just|ant|npm|pnpm|yarn|bun|cargo|go|mvn|gradle|rake|composer)$/.test(name)) return true;
  const runs = /^(?:sh|bash|zsh|dash|ksh|source|\.|python[\d.]*|node|perl|ruby|php|deno|bun)$/.test(name);
  return runs && rest.some(({ text }) => !text.startsWith("-"));
}

const HUB_COMMAND_LINE = "node /usr/lib/node_modules/earshot/packages/cli/bin/earshot.cjs start";

function killsEarshot({ args, command, context, operands }: Look): boolean {
  const port = String(context.port ?? HUB_PORT);
  const isMeant = (text: string) => /earshot/i.test(text.replaceAll(/[[\]'"\\()?*.^$]/g, "")) || hasInOrder(text, [port]);
  const sources = [command.input, ...command.via.map(({ input }) => input)].flatMap((input) => (input?.kind === "pipe" ? input.from : []));
  if ([args, ...command.via.map(({ words }) => joinWords(words)), ...sources.map(({ words }) => joinWords(words))].some(isMeant))
    return true;
  if (!/^(?:pkill|killall)$/.test(command.name)) return false;
  // A pattern of `pkill` that fits the hub's own command line.
  const parts = (operands.at(-1)?.text.toLowerCase() ?? "").split(/[\^$[\]()\\.*+?]+/).filter((part) => part !== "");
  return parts.length > 0 && hasInOrder(HUB_COMMAND_LINE, parts);
}

function loadsCode(name: string, value: string, context: TargetContext, command: SimpleCommand): boolean {
  const [, when] = LOADERS.find(([names]) => names.test(name)) ?? [];
  switch (when) {
    case "any":
      return name !== "ENV" || /[/.]/.test(value);
    case "options":
      return LOADING_OPTION.test(value);
    case "program":
      return !PLAIN_PROGRAM.test(value);
    case "address":
      return !USUAL_SERVER.test(value) && isElsewhere(value.split(",", 1)[0] ?? "");
    case "folders":
      return value
        .split(":")
        .some(
          (folder) =>
            (name === "PATH" && /^\.{1,2}(?:\/|$)/.test(folder) && !OWN_PROGRAM_FOLDER.test(folder)) ||
            isForeignFolder(folder, context, command),
        );
    default:
      return false;
  }
}

/** Neither in the workspace nor among the places where programs are installed. */
function isForeignFolder(folder: string, { roots, home }: TargetContext, { cwd }: SimpleCommand): boolean {
  if (!/[/.]/.test(folder) || /^\$\(|^`/.test(folder)) return false;
  const text = folder.replaceAll(/\$\{?PWD\}?/g, cwd.path ?? ".").replace(/^\$\{?HOME\}?|^~/, home ?? "/home/x");
  if (text.startsWith("$")) return false;
  const { path } = touchedBy({ text }, { cwd }, "read");
  return (
    !roots.some((root) => isInside(path, root)) &&
    !PROGRAM_FOLDER.test(path) &&
    !(home !== undefined && path !== home && isInside(path, home))
  );
}
