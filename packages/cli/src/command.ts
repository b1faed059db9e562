import { type ParseArgsConfig, parseArgs } from "node:util";
import { formatList } from "@earshot/narrate/amounts";
import { nearest } from "@earshot/protocol/nearest";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { createUsageError } from "@earshot/terminal/usage";

export interface OptionDeclaration {
  readonly type: "string" | "boolean";
  readonly short?: string;
  readonly multiple?: boolean;
  readonly default?: string | boolean | readonly string[];
  /** The placeholder in the help: `TEXT`. */
  readonly value?: string;
  readonly about: string;
  readonly choices?: readonly string[];
  /** Shown and completed as `--no-NAME`, because it is on by default. */
  readonly negative?: true;
}

type Options = Readonly<Record<string, OptionDeclaration>>;
type Value<Declared extends OptionDeclaration> = Declared["type"] extends "boolean"
  ? boolean
  : Declared extends { readonly multiple: true }
    ? readonly string[]
    : Declared extends { readonly choices: readonly (infer Choice)[] }
      ? Choice
      : string;
type Values<Declared extends Options> = {
  readonly [Name in keyof Declared]: Value<Declared[Name]> | (Declared[Name] extends { readonly default: unknown } ? never : undefined);
};

/** A command's declaration, from which help, errors, completion and documentation are derived. */
export interface Declaration<Declared extends Options = Options> {
  /** One word, or two: `hub stop`. */
  readonly name: string;
  /** `ID` is required, `[ID]` optional, `FILE…` may repeat. */
  readonly positionals: readonly string[];
  /** Further usage lines, without `earshot` and the name. */
  readonly usage?: readonly string[];
  /** A command follows `--`. */
  readonly takesCommand?: true;
  readonly about: string;
  readonly options: Declared;
  /** Mutually exclusive options. */
  readonly exclusive?: readonly (readonly (keyof Declared & string)[])[];
  readonly notes?: string;
  readonly examples?: readonly string[];
}

export interface CommandInput<Declared extends Options> {
  readonly values: Values<Declared>;
  readonly positionals: readonly string[];
  /** The words after `--`; undefined without it. */
  readonly command: readonly string[] | undefined;
  /** As it was typed. */
  readonly argv: readonly string[];
}

export interface CliCommand<Ports extends readonly unknown[] = readonly unknown[]> {
  (argv: readonly string[], io: CommandIo, ...ports: Ports): Promise<number>;
  readonly declaration: Declaration;
}

/** A command that parses its declared arguments and prints its help on request. */
export function command<const Declared extends Options, Ports extends readonly unknown[]>(
  declaration: Declaration<Declared>,
  run: (input: CommandInput<Declared>, io: CommandIo, ...ports: Ports) => Promise<number>,
): CliCommand<Ports> {
  const plain = declaration as unknown as Declaration;
  const call = async (argv: readonly string[], io: CommandIo, ...ports: Ports): Promise<number> => {
    const input = readInput(plain, argv);
    if (input !== "help") return run(input as unknown as CommandInput<Declared>, io, ...ports);
    io.out(helpOf(plain));
    return EXIT.ok;
  };
  return Object.assign(call, { declaration: plain });
}

function readInput(declaration: Declaration, argv: readonly string[]): CommandInput<Options> | "help" {
  const end = declaration.takesCommand === true ? argv.indexOf("--") : -1;
  const words = end < 0 ? [...argv] : argv.slice(0, end);
  if (isHelpAsked(words, declaration.options)) return "help";
  const { values, positionals } = parse(declaration, words);
  for (const [name, { choices }] of Object.entries(declaration.options)) {
    const given = (values as Readonly<Record<string, unknown>>)[name];
    if (choices === undefined || given === undefined) continue;
    for (const one of [given].flat()) checkChoice(`--${name}`, String(one), choices);
  }
  for (const names of declaration.exclusive ?? []) {
    const given = names.filter((name) => ![undefined, false].includes((values as Readonly<Record<string, never>>)[name]));
    if (given.length > 1)
      throw createUsageError(`${formatList(given.map((name) => `--${name}`))} contradict each other.`, "Give one of them.");
  }
  checkPositionals(declaration, positionals);
  return { values: values as CommandInput<Options>["values"], positionals, command: end < 0 ? undefined : argv.slice(end + 1), argv };
}

function isHelpAsked(words: readonly string[], options: Options): boolean {
  const end = words.indexOf("--");
  const before = end < 0 ? words : words.slice(0, end);
  const takesValue = (word: string | undefined) =>
    word !== undefined &&
    Object.entries(options).some(([name, { type, short }]) => type === "string" && (word === `--${name}` || word === `-${short}`));
  return before.some((word, index) => (word === "--help" || word === "-h") && !takesValue(before[index - 1]));
}

function parse(declaration: Declaration, args: string[]) {
  const options = Object.fromEntries(
    Object.entries(declaration.options).map(([name, { type, short, multiple, default: usual }]) => [
      name,
      {
        type,
        ...(short === undefined ? {} : { short }),
        ...(multiple === undefined ? {} : { multiple }),
        ...(usual === undefined ? {} : { default: usual }),
      },
    ]),
  ) as NonNullable<ParseArgsConfig["options"]>;
  // Otherwise `--no-follow` would be read as the negation of `--follow` rather than as its own option.
  const allowNegative = Object.values(declaration.options).some(({ negative }) => negative === true);
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true, allowNegative });
  } catch (error) {
    throw toUsage(error, declaration);
  }
}

function toUsage(error: unknown, { name, options }: Declaration): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  const hint = `earshot ${name} --help`;
  if (error.code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") {
    const unknown = /'(-[^']*)'/.exec(error.message)?.[1] ?? "";
    const near = nearest(unknown, Object.entries(options).map(optionName))[0];
    return createUsageError(`There is no option ${unknown}.`, near === undefined ? hint : `Did you mean ${near}? All of them: ${hint}`);
  }
  if (String(error.code).startsWith("ERR_PARSE_ARGS"))
    return createUsageError(error.message.split(". ")[0] ?? "The options were not understood.", hint);
  return error;
}

export function checkChoice(option: string, value: string, choices: readonly string[]): void {
  if (choices.includes(value)) return;
  const near = nearest(value, choices)[0];
  const hint = near === undefined ? `Choose one of ${choices.join(", ")}.` : `Did you mean ${near}?`;
  throw createUsageError(`${option} cannot be ${JSON.stringify(value)}.`, hint);
}

function checkPositionals(declaration: Declaration, given: readonly string[]): void {
  const declared = declaration.positionals;
  const required = declared.filter((word) => !word.startsWith("["));
  const most = declared.some((word) => word.includes("…")) ? Number.POSITIVE_INFINITY : declared.length;
  const missing = required[given.length];
  const hint = usageLines(declaration)[0]?.trim() ?? "";
  if (missing !== undefined) throw createUsageError(`${missing.replace("…", "")} is missing.`, hint);
  if (given.length > most) throw createUsageError(`Unexpected argument: ${JSON.stringify(given[most])}.`, hint);
}

function usageLines({ name, positionals, usage: more = [], options }: Declaration): readonly string[] {
  const words = ["earshot", name, ...positionals, ...(Object.keys(options).length === 0 ? [] : ["[options]"])];
  return [words.join(" "), ...more.map((line) => `earshot ${name} ${line}`)];
}

const WIDTH = 128;

/** The text of `--help`. */
export function helpOf(declaration: Declaration): string {
  const { about, options, notes, examples = [] } = declaration;
  const [first = "", ...more] = usageLines(declaration);
  const rows = optionRows(options);
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  const lines = rows.flatMap(([name, text]) =>
    wrap(text, WIDTH - width - 4).map((line, index) => `  ${(index === 0 ? name : "").padEnd(width)}  ${line}`),
  );
  return [
    [`Usage: ${first}`, ...more.map((line) => `       ${line}`)].join("\n"),
    wrapAll(about),
    ...(lines.length === 0 ? [] : [lines.join("\n")]),
    ...(notes === undefined ? [] : [wrapAll(notes)]),
    ...(examples.length === 0 ? [] : [["Examples:", ...examples.map((line) => `  earshot ${line}`)].join("\n")]),
  ]
    .map((part) => `${part}\n`)
    .join("\n");
}

/** Each option as typed, and what it does. */
export function optionRows(options: Options): readonly (readonly [name: string, about: string])[] {
  return Object.entries(options).map(([name, option]) => {
    const { short, value = "TEXT", type, choices, about } = option;
    const typed = `${short === undefined ? "" : `-${short}, `}${optionName([name, option])}`;
    return [`${typed}${type === "boolean" ? "" : ` ${choices?.join("|") ?? value}`}`, about] as const;
  });
}

export function optionName([name, { negative }]: readonly [string, OptionDeclaration]): string {
  return negative === true ? `--no-${name}` : `--${name}`;
}

/** Wraps paragraphs; lines that begin with a space stay as they are. */
function wrapAll(text: string): string {
  return text
    .split("\n\n")
    .map((part) => (part.startsWith(" ") ? part : wrap(part.replaceAll("\n", " "), WIDTH).join("\n")))
    .join("\n\n");
}

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + word.length >= width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
