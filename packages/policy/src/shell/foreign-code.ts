import type { ForeignCode, ShellInput, ShellWord } from "./shell-command.ts";

interface Interpreter {
  readonly language: string;
  /** Options whose value is code. A single letter may end a cluster: `perl -ne`. */
  readonly options?: readonly string[];
  /** Subcommands whose first operand is code. */
  readonly words?: readonly string[];
  /** The first operand is code, when no option gives any. */
  readonly first?: boolean;
  /** Operands from here on are code: the second of `sqlite3 file 'select'`. */
  readonly from?: number;
  /** It reads code from the standard input when it is given none. */
  readonly input?: boolean;
}

const PYTHON: Interpreter = { language: "python", options: ["-c"], input: true };
const JAVASCRIPT: Interpreter = { language: "javascript", options: ["-e", "--eval", "-p", "--print", "-pe"], input: true };
const AWK: Interpreter = { language: "awk", options: ["-e", "--source"], first: true };
const SQL: Interpreter = { language: "sql", options: ["-c", "--command", "-e", "--execute", "-Q", "-q", "--query"], input: true };

const INTERPRETERS: Readonly<Record<string, Interpreter>> = {
  python: PYTHON,
  pypy: PYTHON,
  node: JAVASCRIPT,
  nodejs: JAVASCRIPT,
  bun: { ...JAVASCRIPT, input: false },
  tsx: JAVASCRIPT,
  "ts-node": JAVASCRIPT,
  deno: { language: "javascript", words: ["eval"] },
  perl: { language: "perl", options: ["-e", "-E"], input: true },
  ruby: { language: "ruby", options: ["-e"], input: true },
  php: { language: "php", options: ["-r", "-B", "-R", "-E"], input: true },
  lua: { language: "lua", options: ["-e"], input: true },
  rscript: { language: "r", options: ["-e"] },
  osascript: { language: "applescript", options: ["-e"], input: true },
  swift: { language: "swift", options: ["-e"] },
  awk: AWK,
  gawk: AWK,
  mawk: AWK,
  nawk: AWK,
  sed: { language: "sed", options: ["-e", "--expression"], first: true },
  gsed: { language: "sed", options: ["-e", "--expression"], first: true },
  psql: SQL,
  mysql: SQL,
  mariadb: SQL,
  sqlcmd: SQL,
  clickhouse: SQL,
  "clickhouse-client": SQL,
  duckdb: { ...SQL, from: 1 },
  sqlite3: { language: "sql", from: 1, options: ["-cmd"], input: true },
  mongosh: { language: "javascript", options: ["--eval"], input: true },
  mongo: { language: "javascript", options: ["--eval"], input: true },
  "redis-cli": { language: "redis", from: 0, input: true },
  bq: { language: "sql", words: ["query"] },
};

/** A text in another language that a program is given to run; what it does is guessed from its words at most. */
export function foreignCode(name: string, words: readonly ShellWord[], input: ShellInput | undefined): ForeignCode | undefined {
  const interpreter = interpreterOf(name);
  if (interpreter === undefined) return undefined;
  const { language, options = [] } = interpreter;
  const texts: string[] = [];
  const operands: string[] = [];
  for (let index = 1; index < words.length; index++) {
    const text = words[index]?.text ?? "";
    const option = options.find((one) => text === one || isClusterEnd(text, one));
    const attached = options.find((one) => one.startsWith("--") && text.startsWith(`${one}=`));
    if (option !== undefined) texts.push(words[++index]?.text ?? "");
    else if (attached !== undefined) texts.push(text.slice(attached.length + 1));
    else if (!text.startsWith("-") || text === "-") operands.push(text);
  }
  if (texts.length === 0 && interpreter.first === true) texts.push(...operands.slice(0, 1));
  if (interpreter.from !== undefined) texts.push(...operands.slice(interpreter.from));
  if (interpreter.words?.includes(operands[0] ?? "") === true) texts.push(...operands.slice(1));
  const fromInput =
    interpreter.input === true && texts.length === 0 && (operands.length === 0 || operands[0] === "-" || language === "sql");
  if (fromInput && input?.kind === "text") texts.push(input.word.text);
  return texts.length === 0 ? undefined : { language, text: texts.join("\n") };
}

/** The language of a program that runs scripts. */
export function scriptLanguage(name: string): string | undefined {
  return interpreterOf(name)?.language;
}

function interpreterOf(name: string): Interpreter | undefined {
  if (Object.hasOwn(INTERPRETERS, name)) return INTERPRETERS[name];
  return name.startsWith("py") && /^(?:python|pypy)[\d.]*$/.test(name) ? PYTHON : undefined;
}

function isClusterEnd(text: string, option: string): boolean {
  return option.length === 2 && /^-[A-Za-z]{2,6}$/.test(text) && text.endsWith(option.slice(1));
}
