import type { DoubleQuotedChild, ParsedScript, Word, WordPart } from "unbash";
import { expandBraces } from "./braces.ts";
import type { Scope } from "./scope.ts";
import { HOLE, isExact, type ShellWord, WILD } from "./shell-command.ts";

export interface WordContext {
  readonly scope: Scope;
  readonly home: string | undefined;
  /** What `$(…)` stands for, where that is known before it runs. */
  readonly substitute?: (script: ParsedScript, scope: Scope) => ShellWord | undefined;
}

/**
 * The words that one written word becomes: none or several, where braces, or a constant with spaces, stand outside of
 * quotes. Whatever only the run itself can tell is a hole.
 */
export function expandWord(word: Word, context: WordContext): readonly ShellWord[] {
  const parts = word.parts;
  if (parts === undefined) return [expandLiteral(word.value, word.text, context)];
  const ways = alternatives(parts);
  return ways.flatMap((way) => {
    const fields = new Fields();
    for (const [index, part] of way.entries()) addPart(fields, part, index === 0, context);
    return fields.done();
  });
}

/** As one text, without splitting: the value of an assignment, a here-string. */
export function expandToText(word: Word, context: WordContext): ShellWord {
  const parts = word.parts;
  if (parts === undefined) return expandLiteral(word.value, word.text, context);
  return expandParts(parts, context);
}

/** The body of a here-document: parameters and substitutions are filled in, quotes are not. */
export function expandParts(parts: readonly WordPart[], context: WordContext): ShellWord {
  const fields = new Fields(false);
  for (const part of parts) addPart(fields, part, false, context);
  return fields.done()[0] ?? { text: "" };
}

const MAX_CHARACTERS = 65_536;

/** Builds words from pieces: a constant with spaces outside of quotes ends one and begins the next. */
class Fields {
  readonly #splits: boolean;
  readonly #done: ShellWord[] = [];
  #text = "";
  #shape = "";
  #open = false;
  #exact = true;
  #process: "<" | ">" | undefined;

  constructor(splits = true) {
    this.#splits = splits;
  }

  literal(text: string): void {
    this.#open = true;
    this.#append(text, clean(text), true);
  }

  /** `shown` for people; `mark` in its place for whoever compares. */
  unknown(shown: string, mark: string): void {
    this.#open = true;
    this.#append(shown, mark, false);
  }

  substitution(shown: string, process: "<" | ">"): void {
    this.unknown(shown, HOLE);
    this.#process = process;
  }

  /** A value outside of quotes: split at white space, and its stars are patterns. */
  split(word: ShellWord, splits: boolean): void {
    const shape = word.shape ?? clean(word.text);
    if (!splits || !this.#splits || !/[\s*?[]/.test(shape)) {
      this.#append(word.text, shape, word.shape === undefined);
      return;
    }
    const [first = "", ...others] = shape.split(/[ \t\n]+/);
    this.#piece(first, word.shape === undefined);
    for (const other of others) {
      this.#finish();
      this.#piece(other, word.shape === undefined);
    }
  }

  done(): readonly ShellWord[] {
    this.#finish();
    return this.#done;
  }

  #piece(text: string, exact: boolean): void {
    if (text === "") return;
    const shape = text.replaceAll(/[*?]|\[[^\]]*\]/g, WILD);
    this.#append(text.replaceAll(HOLE, "…").replaceAll(WILD, "*"), shape, exact && shape === text);
  }

  #append(text: string, shape: string, exact: boolean): void {
    // Constants that hold one another grow beyond all measure: nobody follows them there.
    if (this.#text.length + text.length > MAX_CHARACTERS) {
      this.#exact = false;
      this.#shape = HOLE;
      return;
    }
    this.#text += text;
    this.#shape += shape;
    this.#open = this.#open || text !== "";
    this.#exact = this.#exact && exact;
  }

  #finish(): void {
    if (this.#open) {
      this.#done.push({
        text: this.#text,
        ...(this.#exact ? {} : { shape: this.#shape }),
        ...(this.#process === undefined ? {} : { process: this.#process }),
      });
    }
    this.#text = "";
    this.#shape = "";
    this.#open = false;
    this.#exact = true;
    this.#process = undefined;
  }
}

function addPart(fields: Fields, part: WordPart, isFirst: boolean, context: WordContext): void {
  switch (part.type) {
    case "Literal":
      addLiteral(fields, part.value, isFirst ? part.text : "", context);
      break;
    case "SingleQuoted":
    case "AnsiCQuoted":
      fields.literal(part.value);
      break;
    case "Glob":
    case "ExtendedGlob":
      fields.unknown(part.text, WILD);
      break;
    case "BraceExpansion":
      fields.unknown(part.text, HOLE);
      break;
    case "ProcessSubstitution":
      fields.substitution(part.text, part.operator);
      break;
    case "DoubleQuoted":
    case "LocaleString":
      fields.literal("");
      for (const child of part.parts) addQuoted(fields, child, context);
      break;
    default:
      addExpansion(fields, part, false, context);
  }
}

function addLiteral(fields: Fields, value: string, written: string, context: WordContext): void {
  // One side of `{a,}` may be nothing at all.
  if (value === "") return;
  const { text, shape } = expandLiteral(value, written, context);
  if (shape === undefined) fields.literal(text);
  else fields.unknown(text, shape);
}

function addQuoted(fields: Fields, part: DoubleQuotedChild, context: WordContext): void {
  if (part.type === "Literal") fields.literal(part.value);
  else addExpansion(fields, part, true, context);
}

function addExpansion(
  fields: Fields,
  part: Exclude<DoubleQuotedChild, { readonly type: "Literal" }>,
  quoted: boolean,
  context: WordContext,
): void {
  const value = expansionValue(part, context);
  if (value === undefined) fields.unknown(part.text, HOLE);
  // With an IFS of its own, nobody knows where words end.
  else if (!quoted && context.scope.variables.has("IFS")) fields.unknown(part.text, HOLE);
  else fields.split(value, !quoted);
}

function expansionValue(part: Exclude<DoubleQuotedChild, { readonly type: "Literal" }>, context: WordContext): ShellWord | undefined {
  if (part.type === "CommandExpansion") return part.script === undefined ? undefined : context.substitute?.(part.script, context.scope);
  const name = constantName(part);
  return name === undefined ? undefined : lookUp(name, context);
}

/** `$name` and `${name}`; whatever changes the value on the way is not followed. */
function constantName(part: Exclude<DoubleQuotedChild, { readonly type: "Literal" }>): string | undefined {
  if (part.type === "SimpleExpansion") return part.text.slice(1);
  if (part.type !== "ParameterExpansion") return undefined;
  return part.operation === undefined && part.index === undefined && part.prefix === undefined ? part.parameter : undefined;
}

function lookUp(name: string, { scope, home }: WordContext): ShellWord | undefined {
  const known = scope.variables.get(name);
  if (known !== undefined) return known ?? undefined;
  if (name === "HOME" && home !== undefined) return { text: home };
  if (name === "TMPDIR") return { text: "/tmp" };
  if (name === "PWD" && scope.cwd.path !== undefined && scope.cwd.sure) return { text: scope.cwd.path };
  return undefined;
}

function expandLiteral(value: string, written: string, context: WordContext): ShellWord {
  if (!written.startsWith("~")) return { text: clean(value) };
  if (value === "~" || value.startsWith("~/")) {
    const home = lookUp("HOME", context);
    if (home !== undefined && isExact(home)) return { text: home.text + value.slice(1) };
    return { text: value, shape: HOLE + value.slice(1) };
  }
  // Another user's home, or an older folder.
  const end = value.indexOf("/");
  return { text: value, shape: HOLE + (end < 0 ? "" : value.slice(end)) };
}

const MAX_WAYS = 64;
const MAX_PARTS = 64;

/** Braces come first: each way is the word with one choice at every pair. */
function alternatives(parts: readonly WordPart[]): readonly (readonly WordPart[])[] {
  if (parts.length > MAX_PARTS || !parts.some(({ type }) => type === "BraceExpansion")) return [parts];
  let ways: readonly (readonly WordPart[])[] = [[]];
  for (const part of parts) {
    const words = part.type === "BraceExpansion" ? expandBraces(part.text) : undefined;
    if (part.type !== "BraceExpansion" || words === undefined || words.length * ways.length > MAX_WAYS) {
      ways = ways.map((way) => [...way, part]);
      continue;
    }
    const { pos, end } = part;
    const choices = words.map((text): WordPart[] =>
      text
        .split(/([*?]|\[[^\]]*\])/)
        .map(
          (piece, index): WordPart =>
            index % 2 === 0
              ? { type: "Literal", value: piece, text: piece, pos, end }
              : { type: "Glob", kind: "star", value: piece, text: piece, pos, end },
        ),
    );
    ways = ways.flatMap((way) => choices.map((choice) => [...way, ...choice]));
  }
  return ways;
}

function clean(text: string): string {
  return text.includes(HOLE) || text.includes(WILD) ? text.replaceAll(HOLE, "\ufffd").replaceAll(WILD, "\ufffd") : text;
}
