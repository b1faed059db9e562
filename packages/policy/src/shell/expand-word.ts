import type { DoubleQuotedChild, ParsedScript, Word, WordPart } from "unbash";
import { expandBraces } from "./braces.ts";
import type { ShellScope } from "./scope.ts";
import { isExact, type ShellWord, UNKNOWN_PART, UNKNOWN_TEXT } from "./shell-command.ts";

export interface WordContext {
  readonly scope: ShellScope;
  readonly home: string | undefined;
  /** The value of `$(…)` if it is known before it runs. */
  readonly substitute?: (script: ParsedScript, scope: ShellScope) => ShellWord | undefined;
}

type Expansion = Exclude<DoubleQuotedChild, { readonly type: "Literal" }>;

const MAX_CHARACTERS = 65_536;

/**
 * The words that one written word expands to: none, or several if braces or a constant with spaces are unquoted. Anything known only at
 * run time is a hole.
 */
export function expandWord(word: Word, context: WordContext): readonly ShellWord[] {
  const { parts } = word;
  if (parts === undefined) return [expandLiteral(word.value, word.text, context)];
  return alternatives(parts).flatMap((way) => new Fields(context, true).addAll(way));
}

/** Expands to one text, without splitting: the value of an assignment, a here-string. */
export function expandToText(word: Word, context: WordContext): ShellWord {
  return word.parts === undefined ? expandLiteral(word.value, word.text, context) : expandParts(word.parts, context);
}

/** The body of a here-document: parameters and substitutions are expanded, quotes are literal. */
export function expandParts(parts: readonly WordPart[], context: WordContext): ShellWord {
  return new Fields(context, false).addAll(parts)[0] ?? { text: "" };
}

/** Builds words from pieces: an unquoted constant with spaces ends one word and begins the next. */
class Fields {
  readonly #context: WordContext;
  readonly #splits: boolean;
  readonly #done: ShellWord[] = [];
  #text = "";
  #shape = "";
  #open = false;
  #exact = true;
  #process: "<" | ">" | undefined;

  constructor(context: WordContext, splits: boolean) {
    this.#context = context;
    this.#splits = splits;
  }

  addAll(parts: readonly WordPart[]): readonly ShellWord[] {
    for (const [index, part] of parts.entries()) this.#addPart(part, index === 0 && this.#splits);
    this.#finish();
    return this.#done;
  }

  #addPart(part: WordPart, isFirst: boolean): void {
    switch (part.type) {
      case "Literal":
        // One side of `{a,}` may be empty.
        if (part.value !== "") this.#add(expandLiteral(part.value, isFirst ? part.text : "", this.#context));
        break;
      case "SingleQuoted":
      case "AnsiCQuoted":
        this.#literal(part.value);
        break;
      case "Glob":
      case "ExtendedGlob":
        this.#add({ text: part.text, shape: UNKNOWN_TEXT });
        break;
      case "BraceExpansion":
        this.#add({ text: part.text, shape: UNKNOWN_PART });
        break;
      case "ProcessSubstitution":
        this.#add({ text: part.text, shape: UNKNOWN_PART });
        this.#process = part.operator;
        break;
      case "DoubleQuoted":
      case "LocaleString":
        this.#literal("");
        for (const child of part.parts)
          if (child.type === "Literal") this.#literal(child.value);
          else this.#addExpansion(child, true);
        break;
      default:
        this.#addExpansion(part, false);
    }
  }

  #literal(text: string): void {
    this.#open = true;
    this.#append(text, clean(text), true);
  }

  #add({ text, shape }: ShellWord): void {
    this.#open = true;
    this.#append(text, shape ?? clean(text), shape === undefined);
  }

  #addExpansion(part: Expansion, quoted: boolean): void {
    const value = expansionValue(part, this.#context);
    // If IFS is set, word boundaries are unknown.
    if (value === undefined || (!quoted && this.#context.scope.variables.has("IFS"))) this.#add({ text: part.text, shape: UNKNOWN_PART });
    else this.#split(value, quoted);
  }

  /** An unquoted value is split at white space, and its stars are patterns. */
  #split(word: ShellWord, quoted: boolean): void {
    const shape = word.shape ?? clean(word.text);
    if (quoted || !this.#splits || !/[\s*?[]/.test(shape)) {
      this.#append(word.text, shape, word.shape === undefined);
      return;
    }
    for (const [index, piece] of shape.split(/[ \t\n]+/).entries()) {
      if (index > 0) this.#finish();
      if (piece === "") continue;
      const wild = piece.replaceAll(GLOB, UNKNOWN_TEXT);
      this.#append(piece.replaceAll(UNKNOWN_PART, "…").replaceAll(UNKNOWN_TEXT, "*"), wild, word.shape === undefined && wild === piece);
    }
  }

  #append(text: string, shape: string, exact: boolean): void {
    // Constants that contain each other may grow without bound; beyond the limit the word is unknown.
    if (this.#text.length + text.length > MAX_CHARACTERS) {
      this.#exact = false;
      this.#shape = UNKNOWN_PART;
      return;
    }
    this.#text += text;
    this.#shape += shape;
    this.#open ||= text !== "";
    this.#exact &&= exact;
  }

  #finish(): void {
    if (this.#open) {
      const shape = this.#exact ? {} : { shape: this.#shape };
      this.#done.push({ text: this.#text, ...shape, ...(this.#process === undefined ? {} : { process: this.#process }) });
    }
    this.#text = "";
    this.#shape = "";
    this.#open = false;
    this.#exact = true;
    this.#process = undefined;
  }
}

/** The value of `$(…)`, `$name` and `${name}`; operations that change the value are not evaluated. */
function expansionValue(part: Expansion, context: WordContext): ShellWord | undefined {
  if (part.type === "CommandExpansion") return part.script === undefined ? undefined : context.substitute?.(part.script, context.scope);
  if (part.type === "SimpleExpansion") return lookUp(part.text.slice(1), context);
  if (part.type !== "ParameterExpansion") return undefined;
  const isPlain = part.operation === undefined && part.index === undefined && part.prefix === undefined;
  return isPlain ? lookUp(part.parameter, context) : undefined;
}

function lookUp(name: string, { scope, home }: WordContext): ShellWord | undefined {
  const known = scope.variables.get(name);
  if (known !== undefined) return known ?? undefined;
  if (name === "HOME" && home !== undefined) return { text: home };
  if (name === "TMPDIR") return { text: "/tmp" };
  return name === "PWD" && scope.cwd.path !== undefined && scope.cwd.sure ? { text: scope.cwd.path } : undefined;
}

function expandLiteral(value: string, written: string, context: WordContext): ShellWord {
  if (!written.startsWith("~")) return { text: clean(value) };
  // `~name` is another user's home folder, or an earlier folder.
  const [user = ""] = value.split("/", 1);
  const home = user === "~" ? lookUp("HOME", context) : undefined;
  if (home !== undefined && isExact(home)) return { text: home.text + value.slice(1) };
  return { text: value, shape: UNKNOWN_PART + value.slice(user.length) };
}

const MAX_WAYS = 64;
const MAX_PARTS = 64;
const GLOB = /[*?]|\[[^\]]{0,1000}\]/g;

/** Braces are expanded first: each alternative is the word with one choice for every pair. */
function alternatives(parts: readonly WordPart[]): readonly (readonly WordPart[])[] {
  if (parts.length > MAX_PARTS || !parts.some(({ type }) => type === "BraceExpansion")) return [parts];
  let ways: readonly (readonly WordPart[])[] = [[]];
  for (const part of parts) {
    const words = part.type === "BraceExpansion" ? expandBraces(part.text) : undefined;
    const isKnown = words !== undefined && words.length * ways.length <= MAX_WAYS;
    const choices = isKnown ? words.map((text) => toParts(text, part)) : [[part]];
    ways = ways.flatMap((way) => choices.map((choice) => [...way, ...choice]));
  }
  return ways;
}

/** One choice of braces; its stars are patterns. */
function toParts(choice: string, { pos, end }: WordPart): readonly WordPart[] {
  return choice.split(new RegExp(`(${GLOB.source})`)).map((text, index): WordPart => {
    const part = { value: text, text, pos, end };
    return index % 2 === 0 ? { type: "Literal", ...part } : { type: "Glob", kind: "star", ...part };
  });
}

function clean(text: string): string {
  return text.includes(UNKNOWN_PART) || text.includes(UNKNOWN_TEXT)
    ? text.replaceAll(UNKNOWN_PART, "\ufffd").replaceAll(UNKNOWN_TEXT, "\ufffd")
    : text;
}
