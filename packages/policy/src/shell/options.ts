import { GLOBAL_VALUES, type PrefixWrapper, WITH_SUBCOMMANDS } from "../catalogue/programs.ts";
import { isExact, type ShellWord } from "./shell-command.ts";

/** The options of one program, as far as needed to find where they end. */
export type OptionTable = Pick<PrefixWrapper, "flags" | "values" | "long" | "longValues" | "numbers">;

export type OptionsEnd =
  | { readonly ok: true; readonly operand: number; readonly seen: ReadonlyMap<string, ShellWord | undefined> }
  | { readonly ok: false; readonly why: string };

/**
 * Finds where the options end and the operands begin, starting at `start`. An option that is not in the table may or may not take the
 * next word, so the program is ambiguous and the result says so.
 */
export function readOptions(words: readonly ShellWord[], start: number, table: OptionTable): OptionsEnd {
  const seen = new Map<string, ShellWord | undefined>();
  let index = start;
  for (; index < words.length; index++) {
    const word = words[index];
    if (word === undefined) break;
    const { text } = word;
    if (!isExact(word)) {
      if (/^[^-$`*?[{~]/.test(text)) break;
      return { ok: false, why: `\`${text}\` may hold options, and is only known when it runs` };
    }
    if (text === "--") return { ok: true, operand: index + 1, seen };
    if (text === "-" || !text.startsWith("-")) break;
    const taken = text.startsWith("--") ? longOption(text, table) : shortOptions(text, table);
    if (taken === undefined) return { ok: false, why: `the option \`${text}\` is not known here` };
    for (const name of taken.names) seen.set(name, undefined);
    if (taken.valued === undefined) continue;
    seen.set(taken.valued, taken.value === undefined ? words[index + 1] : { text: taken.value });
    if (taken.value === undefined) index++;
  }
  return { ok: true, operand: index, seen };
}

/** `valued` is the option with a value; the value is the next word if `value` is absent. */
interface Taken {
  readonly names: readonly string[];
  readonly valued?: string;
  readonly value?: string;
}

function longOption(text: string, { long = "", longValues = "" }: OptionTable): Taken | undefined {
  const [name = "", ...rest] = text.split("=");
  const mayHave = hasWord(longValues, name);
  if (!mayHave && !hasWord(long, name)) return undefined;
  if (rest.length > 0) return { names: [], valued: name, value: rest.join("=") };
  return mayHave ? { names: [], valued: name } : { names: [name] };
}

function shortOptions(text: string, { flags = "", values = "", numbers = false }: OptionTable): Taken | undefined {
  if (numbers && /^-\d+$/.test(text)) return { names: [] };
  const names: string[] = [];
  for (let index = 1; index < text.length; index++) {
    const letter = text[index] ?? "";
    if (flags.includes(letter)) names.push(`-${letter}`);
    else if (values.includes(letter)) {
      const value = text.slice(index + 1);
      return { names, valued: `-${letter}`, ...(value === "" ? {} : { value }) };
    } else return undefined;
  }
  return { names };
}

/** Whether a space-separated list contains a word. */
export function hasWord(list: string, word: string): boolean {
  return ` ${list} `.includes(` ${word} `);
}

const NO_OPTIONS: ReadonlySet<string> = new Set();
const valued = new Map<string, ReadonlySet<string>>();

/** Options before the subcommand that take the next word as their value. */
export function valuedOptions(program: string): ReadonlySet<string> {
  if (!Object.hasOwn(GLOBAL_VALUES, program)) return NO_OPTIONS;
  const known = valued.get(program) ?? new Set(GLOBAL_VALUES[program]?.split(" "));
  valued.set(program, known);
  return known;
}

/** The first word after the program's own options, and what follows it. */
export function subcommand(program: string, words: readonly ShellWord[]): { readonly name: string; readonly rest: readonly ShellWord[] } {
  const withValue = valuedOptions(program);
  for (let index = 1; index < words.length; index++) {
    const text = words[index]?.text ?? "";
    if (!text.startsWith("-")) return { name: text, rest: words.slice(index + 1) };
    if (withValue.has(text)) index++;
  }
  return { name: "", rest: [] };
}

/** Whether the program's first word is a subcommand. */
export function hasSubcommands(program: string): boolean {
  return Object.hasOwn(GLOBAL_VALUES, program) || WITH_SUBCOMMANDS.has(program);
}

/** The program, its subcommand and the words after it, without the options in between: `git -C x push` is `git push`. */
export function withoutGlobalOptions(program: string, words: readonly ShellWord[]): readonly ShellWord[] {
  const [first] = words;
  if (first === undefined || !Object.hasOwn(GLOBAL_VALUES, program)) return words;
  const { name, rest } = subcommand(program, words);
  return name === "" || rest.length === words.length - 2 ? words : [first, { text: name }, ...rest];
}
