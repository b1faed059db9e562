import { ROW_PATTERNS } from "../catalogue/patterns.ts";
import { joinWords, type ShellWord } from "../shell/shell-command.ts";
import type { PathKind } from "./target.ts";

/** The compiled form of a command; catalogue/catalogue.ts describes the syntax. */
export interface CommandForm {
  readonly steps: readonly Step[];
  readonly options: readonly OptionGroup[];
  /** Each test must fit some argument. */
  readonly somewhere: readonly WordTest[];
  readonly patterns: readonly { readonly pattern: RegExp | undefined; readonly forbidden: boolean }[];
  readonly targets: ReadonlySet<PathKind> | undefined;
  readonly conditions: readonly { readonly name: string; readonly value: string }[];
}

/** The words of one command, in the views that forms need. */
export interface SeenWords {
  readonly words: readonly ShellWord[];
  /** Everything after the program, with single spaces. */
  readonly args: string;
  readonly options: readonly { readonly text: string; readonly next: string }[];
  /** Options before the subcommand that take the next word as their value. */
  readonly valued: ReadonlySet<string>;
}

/** An operand, or with `any` any number of operands. */
type Step = "any" | WordTest;
type WordTest = (word: string) => boolean;

interface OptionGroup {
  readonly names: readonly string[];
  readonly forbidden: boolean;
  readonly value: WordTest | undefined;
}

const PARTS = /(!?)\[([^\]]{0,2000})\](?:=(\S+))?(?= |$)|<([^>]{0,200})>|\{([^}]{0,200})\}|(!?)~(\S+)|\S+/g;

/** Compiles the part of a form after the program. */
export function compileForm(text: string): CommandForm {
  const form = {
    steps: [] as Step[],
    options: [] as OptionGroup[],
    somewhere: [] as WordTest[],
    patterns: [] as CommandForm["patterns"][number][],
    targets: undefined as CommandForm["targets"],
    conditions: [] as CommandForm["conditions"][number][],
  };
  for (const [part, not, names, value, kinds, condition, notPattern, pattern] of text.matchAll(PARTS)) {
    if (names !== undefined)
      form.options.push({ names: names.split(" "), forbidden: not === "!", value: value === undefined ? undefined : wordTest(value) });
    else if (kinds !== undefined) form.targets = new Set(kinds.split(" ") as PathKind[]);
    else if (pattern !== undefined) form.patterns.push({ pattern: ROW_PATTERNS[pattern], forbidden: notPattern === "!" });
    else if (condition !== undefined) {
      const [name = "", argument = ""] = condition.split(/:(.*)/s);
      form.conditions.push({ name, value: argument });
    } else if (part === "**") form.steps.push("any");
    else if (isSomewhere(part)) form.somewhere.push(wordTest(part.slice(1, -1)));
    else form.steps.push(wordTest(part));
  }
  return form;
}

function isSomewhere(part: string): boolean {
  return part.length > 2 && part.startsWith("/") && part.endsWith("/");
}

/** The alternatives for a form's first word, one of which must occur in the command; undefined if any word may. */
export function firstWords(text: string): readonly string[] | undefined {
  const [first = ""] = text.split(" ", 1);
  return first === "" || /^!|[*[<{~]/.test(first) || isSomewhere(first) ? undefined : first.toLowerCase().split("|");
}

/** One of several words, case-insensitive; `*` matches any letters, `[0-7]` one of several. */
function wordTest(alternatives: string): WordTest {
  const all = alternatives.toLowerCase().split("|");
  const plain = new Set(all.filter((one) => !/[*[]/.test(one)).map((one) => one.replaceAll("\\", "")));
  const patterns = all
    .filter((one) => /[*[]/.test(one))
    .map((one) =>
      one
        .replaceAll("\\", "")
        .replaceAll(/[.+?^${}()]/g, "\\$&")
        .replaceAll("*", "[\\s\\S]*"),
    );
  const pattern = patterns.length === 0 ? undefined : new RegExp(`^(?:${patterns.join("|")})$`);
  return (word) => {
    const small = word.toLowerCase();
    return plain.has(small) || pattern?.test(small) === true;
  };
}

export function toSeenWords(words: readonly ShellWord[], valued: ReadonlySet<string>): SeenWords {
  const options: SeenWords["options"][number][] = [];
  for (let index = 1; index < words.length; index++) {
    const text = words[index]?.text ?? "";
    if (text === "--") break;
    if (/^[-+/]./s.test(text)) options.push({ text, next: words[index + 1]?.text ?? "" });
  }
  let args: string | undefined;
  return {
    words,
    valued,
    options,
    get args() {
      args ??= joinWords(words.slice(1));
      return args;
    },
  };
}

/** Whether words have the steps, options and arguments of a form. With `exactly`, anything unknown fits nothing. */
export function hasForm(seen: SeenWords, { steps, options, somewhere, patterns }: CommandForm, exactly: boolean): boolean {
  if (steps.length > 0 && !hasSteps(seen, steps, exactly)) return false;
  for (const group of options) if (hasGroup(seen, group) === group.forbidden) return false;
  for (const test of somewhere) if (!seen.words.some(({ text }, index) => index > 0 && test(text))) return false;
  return patterns.every(({ pattern, forbidden }) => pattern?.test(seen.args) === !forbidden);
}

/**
 * Whether the operands begin with the steps. An unknown option may take a value: without `exactly`, the word after it may be its value or
 * the next step.
 */
function hasSteps({ words, valued }: SeenWords, steps: readonly Step[], exactly: boolean): boolean {
  const visit = (step: number, at: number, afterUnknown: boolean): boolean => {
    const wanted = steps[step];
    if (wanted === undefined) return true;
    const text = words[at]?.text;
    if (text === undefined) return false;
    if (text.startsWith("-") && text !== "-") {
      // A form may name an option as a word; a star does not match one.
      if (wanted !== "any" && wanted(text) && !wanted("\0")) return visit(step + 1, at + 1, false);
      return valued.has(text) ? visit(step, at + 2, false) : visit(step, at + 1, text !== "--" && !text.includes("="));
    }
    if (wanted === "any") return visit(step + 1, at, false) || visit(step, at + 1, false);
    if (wanted(text) && visit(step + 1, at + 1, false)) return true;
    return ((afterUnknown && !exactly) || text.startsWith("+")) && visit(step, at + 1, false);
  };
  return visit(0, 1, false);
}

/** Values that negate an option. */
const TAKEN_BACK = /^(?:false|no|none|off|never)$/i;

function hasGroup({ options }: SeenWords, { names, value }: OptionGroup): boolean {
  let found = false;
  for (const { text, next } of options) {
    if (text.startsWith("--no-") && names.some((name) => name.startsWith("--") && name.startsWith(`--${text.slice(5)}`))) found = false;
    const own = names.find((name) => isOption(text, name));
    if (own === undefined) continue;
    const at = text.indexOf("=");
    const attached = at >= 0 ? text.slice(at + 1) : own.length === 2 && text.length > 2 && text.startsWith(own) ? text.slice(2) : undefined;
    if (value === undefined) found = at < 0 || !TAKEN_BACK.test(attached ?? "");
    else if (value(attached ?? next)) found = true;
  }
  return found;
}

/** Whether the words contain one of the options: see `isOption`. */
export function hasOption(words: readonly ShellWord[], options: readonly string[]): boolean {
  if (options.length === 0) return false;
  for (const { text } of words) {
    if (text === "--") return false;
    if (/^[-+/]./.test(text) && options.some((option) => isOption(text, option))) return true;
  }
  return false;
}

/**
 * A letter also matches inside a cluster (`-rf`) or with a value (`-Xdelete`), a long option with a value or abbreviated (`--recur`), any
 * other only literally.
 */
function isOption(text: string, option: string): boolean {
  if (text === option) return true;
  if (option.startsWith("--")) {
    const [name = ""] = text.split("=", 1);
    return text.startsWith("--") && (name === option || (name.length > 4 && option.startsWith(name)));
  }
  if (option.length !== 2) return text.startsWith(`${option}=`);
  if (!text.startsWith("-") || text.startsWith("--")) return false;
  return text.startsWith(option) || (/^-[A-Za-z0-9]+$/.test(text) && text.includes(option.slice(1)));
}
