import { CATALOGUE } from "../catalogue/catalogue.ts";
import { DANGERS, type Danger } from "../catalogue/dangers.ts";
import { DELETING_NAME, DELETING_OPTION, DESTROYING_QUERY, TEXT_OPTION } from "../catalogue/patterns.ts";
import { isPublicPart, isSecretPath } from "../catalogue/secrets.ts";
import { CHANGING_VERBS, WHOLE_TEXTS } from "../catalogue/verbs.ts";
import { hasInOrder } from "../match/command-pattern.ts";
import { isInside, programName } from "../paths.ts";
import { readShell, readWords } from "../shell/read-shell.ts";
import { type ForeignCode, isExact, type SimpleCommand } from "../shell/shell-command.ts";
import { isElsewhere } from "./addresses.ts";
import { type CommandEffects, commandEffects, NOWHERE } from "./command-effects.ts";
import { hasOption } from "./command-form.ts";
import { isHubAddress, readsSecret } from "./conditions.ts";
import { HARMLESS, isInCatalogue, Look, OWN_CODE } from "./look.ts";
import { pathDangers } from "./path-dangers.ts";
import { type CodeReading, readCode } from "./read-code.ts";
import { readSql } from "./read-sql.ts";
import { followLinks, isOrdinary, isReplaceable, type TargetContext, targetKind } from "./target.ts";
import { type Touched, touchedBy } from "./touched.ts";

/** The findings in one simple command. */
export interface CommandFindings {
  readonly effects: CommandEffects;
  /** Ids of dangers. */
  readonly dangers: readonly string[];
  /** Program, options and operands are understood, and none of them does harm. */
  readonly harmless: () => boolean;
}

const order = new Map(DANGERS.map((danger, index) => [danger.id, { danger, index }]));
const NONE: readonly Danger[] = [];

/** The definitions of dangers, in the order in which they are told. */
export function toDangers(ids: readonly string[]): readonly Danger[] {
  if (ids.length === 0) return NONE;
  const found = [...new Set(ids)].flatMap((id) => order.get(id) ?? []);
  return found.sort((a, b) => a.index - b.index).map(({ danger }) => danger);
}

/** Maximum nesting of commands in the arguments of other commands. */
const MAX_DEPTH = 2;

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
  const look = new Look(command, context, { effects, code, afterFetch });
  const found = look.dangers();
  for (const one of touched) if (one.access !== undefined || !isWrapper) found.push(...touchedDangers(one, look));
  if (code !== undefined) found.push(...codeDangers(code, look, depth));
  // An unknown program may start the command in its last words, and its verbs are taken at face value.
  if (found.length === 0 && !isWrapper && mayMeanMore(command) && !look.isListed(HARMLESS)) found.push(...guessedDangers(look, depth));
  return { effects, dangers: found, harmless: () => found.length === 0 && isHarmless(look) };
}

const TEMPLATE = /\.(?:example|sample|template|dist|test|ci|dev|development|docker|defaults?)$/;

function touchedDangers(touched: Touched, look: Look): readonly string[] {
  const { command, effects, context } = look;
  if (touched.access === "read") {
    // A link's target can be written through the link.
    return command.name === "ln" ? pathDangers({ path: touched.path, sure: true }, context, true) : [];
  }
  const mayWrite = () => command.name === "git" || look.isListed(OWN_CODE) || !look.isListed(HARMLESS);
  const isGuess = touched.access === undefined && !effects.known && command.code === undefined;
  const found = pathDangers(touched, context, isGuess, mayWrite);
  if (!found.includes("write-secret")) return found;
  // Appending, or copying from a template, does not lose an existing secret.
  const isEmptied = (command.truncates ?? []).some((word) => touchedBy(word, command, "write").path === touched.path);
  const keeps = (!isEmptied && command.writes.length > 0) || command.name === "ln" || command.words.some(({ text }) => TEMPLATE.test(text));
  return keeps ? found.filter((id) => id !== "write-secret") : found;
}

function codeDangers(code: CodeReading, { command, context }: Pick<Look, "command" | "context">, depth: number): readonly string[] {
  const found = [...code.dangers];
  for (const text of code.commands) found.push(...textDangers(text, { command, context, depth, isRun: true }));
  if (code.addresses?.some((address) => isHubAddress(address, context)) === true) found.push("earshot-decides");
  for (const text of code.paths) {
    const word = { text: text.replace(/^~/, context.home ?? "~") };
    const touched = touchedBy(word, command, code.writes ? "write" : "read");
    // A file of that name, whatever folder it is put together with.
    const anywhere = /^\/?\.[\w.-]+(?:\/[\w.-]+)*$/.test(text)
      ? { ...touched, path: `${context.home ?? ""}/${text.replace(/^\//, "")}` }
      : touched;
    found.push(...pathDangers(touched, context), ...pathDangers(anywhere, context));
    const effects = { touched: [touched], readsOnly: true, shows: true, known: true };
    if (!code.writes && readsSecret({ command: { ...command, name: "cat" }, effects, context })) found.push("secret-read");
  }
  return found;
}

/** The dangers in code that a tool other than a shell is given. */
export function dangersInCode(code: ForeignCode, context: TargetContext): readonly string[] {
  return codeDangers(readCode(code), { command: nowhere(context), context }, 0);
}

/** The dangers in a text that a tool other than a shell may give to one. */
export function dangersInText(text: string, context: TargetContext): readonly string[] {
  return textDangers(text, { command: nowhere(context), context, depth: 0 });
}

/** Code that runs in the workspace and is not a shell command. */
function nowhere({ roots: [root] }: TargetContext): SimpleCommand {
  return { name: "", words: [], assignments: [], reads: [], writes: [], via: [], cwd: { path: root, sure: true } };
}

interface TextAt {
  readonly command: SimpleCommand;
  readonly context: TargetContext;
  readonly depth: number;
  /** It is certain that it runs. */
  readonly isRun?: boolean;
}

/** The dangers in a text, where a shell reads it. */
function textDangers(text: string, { command: { cwd }, context, depth, isRun = false }: TextAt): readonly string[] {
  if (depth >= MAX_DEPTH || text.length > 4096) return [];
  const { commands, inspectable } = readShell(text, { cwd: cwd.path, home: context.home });
  const found = commands.flatMap((one) => findInCommand(one, context, { depth: depth + 1 }).dangers);
  return isRun && !inspectable ? [...found, "code-runs"] : found;
}

const MAX_WORDS = 40;

/** Whether one of its words could be a command, a query, code, or a verb that changes something: few are. */
function mayMeanMore({ name, words, input }: SimpleCommand): boolean {
  if (input?.kind === "text" || DELETING_NAME.test(name)) return true;
  return words.some(
    ({ text, process }, index) =>
      index > 0 &&
      index < MAX_WORDS &&
      (process !== undefined ||
        DELETING_OPTION.test(text) ||
        /[\s(]|\w[.:-]\w/.test(text) ||
        CHANGING_VERBS.has(text.toLowerCase().replace(/s$/, "")) ||
        isInCatalogue(programName(text))),
  );
}

/** An unknown program may start the command in its last words, or in one of its words. */
function guessedDangers(look: Look, depth: number): readonly string[] {
  const { command, words } = look;
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
    const found = textDangers(command.input.word.text, { command, context: look.context, depth });
    if (found.length > 0) return found;
    const inCode = codeDangers(readCode({ language: "other", text: command.input.word.text }), look, depth);
    if (inCode.includes("code-deletes")) return ["code-deletes"];
    if (CHANGING_VERBS.has(/^\s*([a-z]+)\s/.exec(command.input.word.text)?.[1] ?? "")) return ["tool-changes"];
  }
  const tells = hasOption(words, ["-n", "--dry-run", "--dryrun", "--help", "-h", "--check", "--what-if", "--preview", "--diff"]);
  return depth > 0 || tells || look.isListed(OWN_CODE) || !changesByVerb(look) ? [] : ["tool-changes"];
}

/** The dangers in one word of a command that is itself a command, a query or code. */
function wordDangers({ command, context, words }: Look, index: number, depth: number): readonly string[] {
  const text = words[index]?.text ?? "";
  if (DESTROYING_QUERY.test(text) && readSql(text) === "destroys") return ["sql-destroys"];
  const found: string[] = [];
  if (/\w\(|^\(\S+ .*\)$/s.test(text)) {
    const inCode = codeDangers(readCode({ language: "other", text }), { command, context }, depth);
    found.push(...inCode.filter((id) => /^(?:code-deletes|write-startup|agent-settings|earshot-files)$/.test(id)));
  }
  if (/\s/.test(text)) {
    const isForPeople = TEXT_OPTION.test(words[index - 1]?.text ?? "") || TEXT_OPTION.test(text);
    const value = text.replace(/^--?[\w-]+=/, "");
    if (!isForPeople) found.push(...textDangers(value, { command, context, depth }));
    return found;
  }
  // `--command=rm` names the program, and the words behind it are its own.
  const program = text.replace(/^--?[\w-]+=/, "");
  if (/^[\w/]/.test(program) && isInCatalogue(programName(program))) {
    const inner = readWords([{ text: program }, ...words.slice(index + 1)], { cwd: command.cwd.path, home: context.home });
    for (const one of inner)
      if (one.words.length > 1 || one.via.length > 0) found.push(...findInCommand(one, context, { depth: depth + 1 }).dangers);
  }
  return found;
}

/** One of its first words says that it deletes, publishes or takes something out of use. */
function changesByVerb({ operands, words, command }: Look): boolean {
  const isVerb = (part: string) => CHANGING_VERBS.has(part.toLowerCase().replace(/(?<=...)s$/, ""));
  if (DELETING_NAME.test(command.name) || words.some(({ text }) => DELETING_OPTION.test(text))) return true;
  return operands.slice(0, 3).some(({ text }) => /^[A-Za-z][\w.:-]*$/.test(text) && text.split(/[.:-]/).some(isVerb));
}

/** Programs that an administrator starts every day, and that change nothing but what they are for. */
const WITH_RIGHTS = /^(?:apt|apt-get|dnf|yum|apk|pacman|systemctl|service|docker)$/;

function isHarmless(look: Look): boolean {
  const { command, effects, context, code } = look;
  const { name, words, via } = command;
  if (words.length > 0 && !look.isListedHarmless()) return false;
  // A script of the project is silent in `guard`; what its name promises is not known to be harmless.
  if (look.isListed(OWN_CODE) && changesByVerb(look)) return false;
  if (command.code !== undefined && code?.harmless !== true) return false;
  const changed = effects.touched.filter(({ access }) => access === "write" || access === "delete");
  if (changed.length > 0 && via.some(({ kind }) => kind === "privileged") && !WITH_RIGHTS.test(name)) return false;
  if (
    changed.length > 0 &&
    name !== "ln" &&
    effects.touched.some((one) => one.access === (name === "mv" ? "delete" : "read") && isForeign(one, context))
  )
    return false;
  if (look.isListed(OWN_CODE) && words.some(({ text }) => /:\/\//.test(text) && isElsewhere(text))) return false;
  const isKept = (one: Touched) => one.access === "delete" && name !== "mv" && name !== "git" && !isReplaceable(one, context);
  return changed.every((one) => isOrdinary(one, context) && !isKept(one));
}

/** A source from outside of the workspace, or with secrets: what is written of it is not known. */
function isForeign(one: Touched, context: TargetContext): boolean {
  const path = one.shape ?? one.path;
  if (isSecretPath(path) && !isPublicPart(path)) return true;
  return !NOWHERE.test(path) && !context.roots.some((root) => isInside(path, root)) && targetKind(one, context) !== "made";
}

/** Whether a text that was not taken apart has the words of some form of a danger in it. */
export function mentionsDanger(id: string, text: string): boolean {
  const small = text.toLowerCase();
  return CATALOGUE.some(([effect, [form]]) => {
    if (effect !== id && (id !== "any" || effect === HARMLESS || effect === OWN_CODE)) return false;
    const plain = form.replaceAll(/ !?\[[^\]]*\](?:=\S+)?| <[^>]*>| \{[^}]*\}| !?~\S+/g, "").split(" ");
    const words = plain.filter((step) => !/[*/]/.test(step)).map((step) => step.toLowerCase().split("|"));
    return words.length > 0 && words.every((choices) => choices.some((word) => hasInOrder(small, [word])));
  });
}

/** Ids of dangers that are seen in a text as a whole, and in none of its commands. */
export function findInText(text: string): readonly string[] {
  const candidates = WHOLE_TEXTS.filter(({ needs }) => needs.some((one) => text.includes(one)));
  if (candidates.length === 0) return [];
  const plain = text.replaceAll(/[[\]'"\\]/g, "");
  return candidates.filter(({ pattern }) => pattern.test(plain)).map(({ effect }) => effect);
}
