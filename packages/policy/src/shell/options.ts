import { isExact, type ShellWord } from "./shell-command.ts";

/** The options of one program, as far as one must know them to find where they end. */
export interface OptionTable {
  /** One letter each, without a value. */
  readonly flags?: string;
  /** One letter each, with a value: attached, or the next word. */
  readonly values?: string;
  /** Long names without a value, or with one after `=`. */
  readonly long?: readonly string[];
  /** Long names whose value is after `=`, or the next word. */
  readonly longValues?: readonly string[];
  /** `-10` is an option. */
  readonly numbers?: boolean;
}

export type Options =
  | { readonly ok: true; readonly operand: number; readonly seen: ReadonlyMap<string, ShellWord | undefined> }
  | { readonly ok: false; readonly why: string };

/**
 * Where the options end and the operands begin, from `start` on. An option that is not in the table may or may not take the
 * next word with it: then nobody can say which word is the program, and that is said.
 */
export function readOptions(words: readonly ShellWord[], start: number, table: OptionTable): Options {
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

interface Taken {
  readonly names: readonly string[];
  /** The one that has a value, which is the next word where `value` is left out. */
  readonly valued?: string;
  readonly value?: string;
}

function longOption(text: string, { long = [], longValues = [] }: OptionTable): Taken | undefined {
  const [name = "", ...rest] = text.split("=");
  const value = rest.join("=");
  if (longValues.includes(name)) return rest.length > 0 ? { names: [], valued: name, value } : { names: [], valued: name };
  if (!long.includes(name)) return undefined;
  return rest.length > 0 ? { names: [], valued: name, value } : { names: [name] };
}

function shortOptions(text: string, { flags = "", values = "", numbers = false }: OptionTable): Taken | undefined {
  if (numbers && /^-\d+$/.test(text)) return { names: [] };
  const names: string[] = [];
  for (let index = 1; index < text.length; index++) {
    const letter = text[index] ?? "";
    if (flags.includes(letter)) names.push(`-${letter}`);
    else if (values.includes(letter)) {
      const value = text.slice(index + 1);
      return value === "" ? { names, valued: `-${letter}` } : { names, valued: `-${letter}`, value };
    } else return undefined;
  }
  return { names };
}
