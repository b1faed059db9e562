import { EFFECT_CATALOGUE } from "../catalogue/catalogue.ts";
import { DANGERS, type Danger } from "../catalogue/dangers.ts";
import { nameSet } from "../catalogue/names.ts";
import { DELETING_NAME, DELETING_OPTION, DESTROYING_QUERY, TEXT_OPTION, WHOLE_TEXTS } from "../catalogue/patterns.ts";
import { hidesSecret } from "../catalogue/secrets.ts";
import { hasInOrder } from "../match/command-pattern.ts";
import { isInside, programName } from "../paths.ts";
import { readShell, readWords } from "../shell/read-shell.ts";
import { type ForeignCode, isExact, type SimpleCommand } from "../shell/shell-command.ts";
import { isElsewhere } from "./addresses.ts";
import { type CommandEffects, commandEffects, NULL_DEVICE } from "./command-effects.ts";
import { hasOption } from "./command-form.ts";
import { isHubAddress, readsSecret } from "./conditions.ts";
import { ExaminedCommand, HARMLESS_EFFECT, isInCatalogue, OWN_CODE_EFFECT } from "./examined-command.ts";
import { pathDangers } from "./path-dangers.ts";
import { type CodeReading, readCode } from "./read-code.ts";
import { readSql } from "./read-sql.ts";
import { followLinks, isOrdinary, isReplaceable, pathKindOf, type TargetContext } from "./target.ts";
import { type TouchedPath, toTouchedPath } from "./touched-path.ts";

/** The findings in one simple command. */
export interface CommandFindings {
  readonly effects: CommandEffects;
  /** Ids of dangers. */
  readonly dangers: readonly string[];
  /** Program, options and operands are understood, and none of them is harmful. */
  readonly harmless: () => boolean;
}

const order = new Map(DANGERS.map((danger, index) => [danger.id, { danger, index }]));
const NONE: readonly Danger[] = [];

/** The definitions of dangers, in the order in which they are reported. */
export function toDangers(ids: readonly string[]): readonly Danger[] {
  if (ids.length === 0) return NONE;
  const found = [...new Set(ids)].flatMap((id) => order.get(id) ?? []);
  return found.sort((a, b) => a.index - b.index).map(({ danger }) => danger);
}

/** Maximum nesting of commands in the arguments of other commands. */
const MAX_DEPTH = 2;
const MAX_WORDS = 40;
const MAX_TEXT = 4096;

interface Circumstances {
  /** Something was fetched by an earlier command of the same text. */
  readonly afterFetch?: boolean;
  /** Its nesting depth in the arguments of other commands. */
  readonly depth?: number;
  /** The command that it starts is checked separately. */
  readonly isWrapper?: boolean;
}

export function findInCommand(command: SimpleCommand, context: TargetContext, circumstances: Circumstances = {}): CommandFindings {
  const { depth = 0, afterFetch = false, isWrapper = false } = circumstances;
  const own = commandEffects(command);
  const touched = command.name === "ln" ? own.touched : followLinks(own.touched, context);
  const effects = touched === own.touched ? own : { ...own, touched };
  const code = command.code === undefined ? undefined : readCode(command.code);
  const look = new ExaminedCommand(command, context, { effects, code, afterFetch });
  const found = look.dangers();
  for (const one of touched) if (one.access !== undefined || !isWrapper) found.push(...touchedDangers(one, look));
  if (code !== undefined) found.push(...codeDangers(code, { command, context, depth }));
  // The last words of an unknown program may be a command that it starts; its verbs are taken literally.
  if (found.length === 0 && !isWrapper && mayMeanMore(command) && !look.isListed(HARMLESS_EFFECT))
    found.push(...guessedDangers(look, depth));
  return { effects, dangers: found, harmless: () => found.length === 0 && isHarmless(look) };
}

const TEMPLATE = /\.(?:example|sample|template|dist|test|ci|dev|development|docker|defaults?)$/;

function touchedDangers(touched: TouchedPath, look: ExaminedCommand): readonly string[] {
  const { command, effects, context } = look;
  // A link's target can be written through the link.
  if (touched.access === "read") return command.name === "ln" ? pathDangers({ path: touched.path, sure: true }, context, true) : [];
  const mayWrite = () => command.name === "git" || look.isListed(OWN_CODE_EFFECT) || !look.isListed(HARMLESS_EFFECT);
  const isGuess = touched.access === undefined && !effects.known && command.code === undefined;
  const found = pathDangers(touched, context, isGuess, mayWrite);
  if (!found.includes("write-secret")) return found;
  // Appending, or copying from a template, does not lose an existing secret.
  const isEmptied = (command.truncates ?? []).some((word) => toTouchedPath(word, command).path === touched.path);
  const keeps = (!isEmptied && command.writes.length > 0) || command.name === "ln" || command.words.some(({ text }) => TEMPLATE.test(text));
  return keeps ? found.filter((id) => id !== "write-secret") : found;
}

/** The context of a text or code. */
interface Surroundings {
  readonly command: SimpleCommand;
  readonly context: TargetContext;
  readonly depth: number;
}

function codeDangers(code: CodeReading, at: Surroundings): readonly string[] {
  const { command, context } = at;
  const found = [...code.dangers, ...code.commands.flatMap((text) => textDangers(text, at, true))];
  if (code.addresses?.some((address) => isHubAddress(address, context)) === true) found.push("earshot-decides");
  for (const text of code.paths) {
    const touched = toTouchedPath({ text: text.replace(/^~/, context.home ?? "~") }, command, code.writes ? "write" : "read");
    // A file with this name, whatever folder the code joins it with.
    const isName = /^\/?\.[\w.-]+(?:\/[\w.-]+)*$/.test(text);
    const anywhere = isName ? { ...touched, path: `${context.home ?? ""}/${text.replace(/^\//, "")}` } : touched;
    found.push(...pathDangers(touched, context), ...pathDangers(anywhere, context));
    const effects = { touched: [touched], readsOnly: true, shows: true, known: true };
    if (!code.writes && readsSecret({ command: { ...command, name: "cat" }, effects, context })) found.push("secret-read");
  }
  return found;
}

/** The dangers in code that is given to a tool other than a shell. */
export function dangersInCode(code: ForeignCode, context: TargetContext): readonly string[] {
  return codeDangers(readCode(code), inWorkspace(context));
}

/** The dangers in a text that a tool other than a shell may pass to a shell. */
export function dangersInText(text: string, context: TargetContext): readonly string[] {
  return textDangers(text, inWorkspace(context));
}

/** Code that runs in the workspace and is not a shell command. */
function inWorkspace(context: TargetContext): Surroundings {
  const cwd = { path: context.roots[0], sure: true };
  return { command: { name: "", words: [], assignments: [], reads: [], writes: [], via: [], cwd }, context, depth: 0 };
}

/** The dangers in a text if a shell reads it; with `isRun` it certainly runs. */
function textDangers(text: string, { command: { cwd }, context, depth }: Surroundings, isRun = false): readonly string[] {
  if (depth >= MAX_DEPTH || text.length > MAX_TEXT) return [];
  const { commands, inspectable } = readShell(text, { cwd: cwd.path, home: context.home });
  const found = commands.flatMap((one) => findInCommand(one, context, { depth: depth + 1 }).dangers);
  return isRun && !inspectable ? [...found, "code-runs"] : found;
}

/** Verbs of an unknown program that suggest a permanent change, or one that affects others. */
const CHANGING_VERBS = nameSet("changing verbs");

/** Whether one of its words could be a command, a query, code, or a verb that changes something. Few commands have such words. */
function mayMeanMore({ name, words, input }: SimpleCommand): boolean {
  if (input?.kind === "text" || DELETING_NAME.test(name)) return true;
  return words
    .slice(1, MAX_WORDS)
    .some(
      ({ text, process }) =>
        process !== undefined ||
        DELETING_OPTION.test(text) ||
        /[\s(]|\w[.:-]\w/.test(text) ||
        CHANGING_VERBS.has(text.toLowerCase().replace(/s$/, "")) ||
        isInCatalogue(programName(text)),
    );
}

/** An unknown program may start a command given in its last words, or in one of its words. */
function guessedDangers(look: ExaminedCommand, depth: number): readonly string[] {
  const { command, words, context } = look;
  const at = { command, context, depth };
  if (depth >= MAX_DEPTH) return [];
  for (let index = 1; index < Math.min(words.length, MAX_WORDS); index++) {
    const word = words[index];
    // The output of another program is passed to an unknown program.
    if (word?.process === "<") return ["code-unread"];
    if (word === undefined || !isExact(word) || command.code?.text.includes(word.text) === true) continue;
    const found = wordDangers(look, index, depth);
    if (found.length > 0) return found;
  }
  if (command.input?.kind === "text") {
    const { text } = command.input.word;
    const found = textDangers(text, at);
    if (found.length > 0) return found;
    if (codeDangers(readCode({ language: "other", text }), at).includes("code-deletes")) return ["code-deletes"];
    if (CHANGING_VERBS.has(/^\s*([a-z]+)\s/.exec(text)?.[1] ?? "")) return ["tool-changes"];
  }
  const tells = hasOption(words, ["-n", "--dry-run", "--dryrun", "--help", "-h", "--check", "--what-if", "--preview", "--diff"]);
  // The operands of a program whose use of paths is known are files, not verbs.
  return depth > 0 || tells || look.effects.known || look.isListed(OWN_CODE_EFFECT) || !changesByVerb(look) ? [] : ["tool-changes"];
}

/** The dangers in one word of a command that is itself a command, a query or code. */
function wordDangers({ command, context, words }: ExaminedCommand, index: number, depth: number): readonly string[] {
  const at = { command, context, depth };
  const text = words[index]?.text ?? "";
  if (DESTROYING_QUERY.test(text) && readSql(text) === "destroys") return ["sql-destroys"];
  const isCode = /\w\(|^\(\S+ .*\)$/s.test(text);
  const inCode = isCode ? codeDangers(readCode({ language: "other", text }), at) : [];
  const found = inCode.filter((id) => /^(?:code-deletes|write-startup|agent-settings|earshot-files)$/.test(id));
  const value = text.replace(/^--?[\w-]+=/, "");
  if (/\s/.test(text)) {
    const isForPeople = TEXT_OPTION.test(words[index - 1]?.text ?? "") || TEXT_OPTION.test(text);
    return isForPeople ? found : [...found, ...textDangers(value, at)];
  }
  // `--command=rm` names the program, and the words after it are its arguments.
  if (!/^[\w/]/.test(value) || !isInCatalogue(programName(value))) return found;
  const inner = readWords([{ text: value }, ...words.slice(index + 1)], { cwd: command.cwd.path, home: context.home });
  const whole = inner.filter((one) => one.words.length > 1 || one.via.length > 0);
  return [...found, ...whole.flatMap((one) => findInCommand(one, context, { depth: depth + 1 }).dangers)];
}

/** Whether one of its first words means deleting, publishing or taking something out of service. */
function changesByVerb({ operands, words, command }: ExaminedCommand): boolean {
  const isVerb = (part: string) => CHANGING_VERBS.has(part.toLowerCase().replace(/(?<=...)s$/, ""));
  if (DELETING_NAME.test(command.name) || words.some(({ text }) => DELETING_OPTION.test(text))) return true;
  return operands.slice(0, 3).some(({ text }) => /^[A-Za-z][\w.:-]*$/.test(text) && text.split(/[.:-]/).some(isVerb));
}

/** Programs that administrators commonly run with elevated rights and that change only what they are for. */
const WITH_RIGHTS = /^(?:apt|apt-get|dnf|yum|apk|pacman|systemctl|service|docker)$/;

function isHarmless(look: ExaminedCommand): boolean {
  const { command, effects, context, code } = look;
  const { name, words, via } = command;
  const isOwnCode = look.isListed(OWN_CODE_EFFECT);
  if (words.length > 0 && !look.isListedHarmless()) return false;
  // `guard` does not ask about a project's own script; a script whose name promises a change is not known to be harmless.
  if (isOwnCode && (changesByVerb(look) || words.some(({ text }) => text.includes("://") && isElsewhere(text)))) return false;
  if (command.code !== undefined && code?.harmless !== true) return false;
  const changed = effects.touched.filter(({ access }) => access === "write" || access === "delete");
  if (changed.length === 0) return true;
  if (via.some(({ kind }) => kind === "privileged") && !WITH_RIGHTS.test(name)) return false;
  const sources = effects.touched.filter(({ access }) => name !== "ln" && access === (name === "mv" ? "delete" : "read"));
  if (sources.some((one) => isForeign(one, context))) return false;
  // A download replaces a file with unknown data.
  if (words.some(({ text }) => isElsewhere(text) && text.includes("://")) && !changed.every((one) => isReplaceable(one, context)))
    return false;
  const isKept = (one: TouchedPath) => one.access === "delete" && name !== "mv" && name !== "git" && !isReplaceable(one, context);
  return changed.every((one) => isOrdinary(one, context) && !isKept(one));
}

/** A source outside the workspace or with secrets: the data written from it is unknown. */
function isForeign(one: TouchedPath, context: TargetContext): boolean {
  const path = one.shape ?? one.path;
  if (hidesSecret(path)) return true;
  return !NULL_DEVICE.test(path) && !context.roots.some((root) => isInside(path, root)) && pathKindOf(one, context) !== "made";
}

/** Whether a text that was not parsed contains the words of some form of a danger. */
export function mentionsDanger(id: string, text: string): boolean {
  const small = text.toLowerCase();
  return EFFECT_CATALOGUE.some(([effect, [form]]) => {
    if (effect !== id && (id !== "any" || effect === HARMLESS_EFFECT || effect === OWN_CODE_EFFECT)) return false;
    const plain = form.replaceAll(/ !?\[[^\]]{0,2000}\](?:=\S+)?| <[^>]{0,200}>| \{[^}]{0,200}\}| !?~\S+/g, "").split(" ");
    const words = plain.filter((step) => !/[*/]/.test(step)).map((step) => step.toLowerCase().split("|"));
    return words.length > 0 && words.every((choices) => choices.some((word) => hasInOrder(small, [word])));
  });
}

/** Ids of dangers found in a text as a whole rather than in one of its commands. */
export function findInText(text: string): readonly string[] {
  const candidates = WHOLE_TEXTS.filter(({ needs }) => needs.some((one) => text.includes(one)));
  if (candidates.length === 0) return [];
  const plain = text.replaceAll(/[[\]'"\\]/g, "");
  return candidates.filter(({ pattern }) => pattern.test(plain)).map(({ effect }) => effect);
}
