import { INTERPRETERS, type Interpreter } from "../catalogue/programs.ts";
import { type ForeignCode, isExact, type ShellInput, type ShellWord, UNKNOWN_PART } from "./shell-command.ts";

/** Code in another language that a program is given to run, and why it is unknown, if it is. */
export function foreignCode(name: string, words: readonly ShellWord[], input: ShellInput | undefined): ForeignCode | undefined {
  const interpreter = interpreterOf(name);
  if (interpreter === undefined) return unknownInterpreter(words);
  const { language, files = [], asks } = interpreter;
  const { texts, operands } = codeIn(words, interpreter);
  if (words.some(({ text }, index) => index > 0 && files.some((option) => isFileOption(text, option))))
    return { language, text: join(texts), unread: `\`${name}\` runs a file that is not read here` };
  if (texts.length > 0) return toCode(language, texts, name);
  const [script] = operands;
  if (script?.process !== undefined) return { language, text: "", unread: `what \`${name}\` runs is only known when it runs` };
  const readsInput =
    asks?.includes(script?.text ?? "") ?? (script === undefined || language === "sql" || operands.some(({ text }) => isStdin(text)));
  if (interpreter.input !== true || !readsInput) return undefined;
  if (input?.kind === "text") return toCode(language, [input.word], name);
  // `jq … | python3 -m json.tool` and `psql -l | cat` do not run their input.
  const isAlone = words.length === 1 || words.slice(1).every(({ text }) => /^-[iquBEsS]+$/.test(text));
  const runs = input === undefined ? script?.text === "/dev/stdin" : script !== undefined || isAlone || language === "sql";
  return runs ? { language, text: "", unread: `what is fed to \`${name}\` is only known when it runs` } : undefined;
}

function isStdin(text: string): boolean {
  return text === "-" || text === "/dev/stdin";
}

function codeIn(words: readonly ShellWord[], { options = [], words: verbs, first, from }: Interpreter) {
  const texts: ShellWord[] = [];
  const operands: ShellWord[] = [];
  for (let index = 1; index < words.length; index++) {
    const word = words[index];
    if (word === undefined) break;
    const { text } = word;
    const takesNext = options.some((one) => text === one || isClusterEnd(text, one));
    const value = takesNext ? words[++index] : attachedCode(word, options);
    if (value !== undefined) texts.push(value);
    else if (!takesNext && (!text.startsWith("-") || text === "-")) operands.push(word);
  }
  if (texts.length === 0 && first === true) texts.push(...operands.slice(0, 1));
  if (from !== undefined) texts.push(...operands.slice(from));
  if (verbs?.includes(operands[0]?.text ?? "") === true) texts.push(...operands.slice(1, 2));
  return { texts, operands };
}

/** `--eval=code`, and `-ecode` if it looks like code. */
function attachedCode({ text, shape }: ShellWord, options: readonly string[]): ShellWord | undefined {
  const long = options.find((one) => one.startsWith("--") && text.startsWith(`${one}=`));
  const short = options.find((one) => one.length === 2 && text.startsWith(one) && /[\s(;'"!{.]/.test(text));
  const length = long === undefined ? short?.length : long.length + 1;
  if (length === undefined) return undefined;
  return { text: text.slice(length), ...(shape === undefined ? {} : { shape: shape.slice(length) }) };
}

function toCode(language: string, texts: readonly ShellWord[], name: string): ForeignCode {
  const code: ForeignCode = { language, text: join(texts) };
  // If only a part is interpolated (`print($x)`), the rest is read; if it could be anything, nothing is.
  const unknown = texts.some((word) => !isExact(word) && (word.process !== undefined || isMostlyUnknown(word, language)));
  return unknown ? { ...code, unread: `the code that \`${name}\` is given is only known when it runs` } : code;
}

function isMostlyUnknown({ text, shape = text }: ShellWord, language: string): boolean {
  if (shape.replaceAll(UNKNOWN_PART, "").trim().length < 4) return true;
  // A value inside quotes remains a value, unless a query's code is built from it.
  return (
    /\$\(|`/.test(text) &&
    shape.includes(UNKNOWN_PART) &&
    language !== "sql" &&
    language !== "redis" &&
    !/^[^\0]*["'][^"'\0]*\0/.test(shape)
  );
}

/** An unknown program with an argument that looks like code. */
function unknownInterpreter(words: readonly ShellWord[]): ForeignCode | undefined {
  const code = words.find(({ text }, index) => {
    const before = index < 2 ? "" : (words[index - 1]?.text ?? "");
    const takesCode = /^(?:-e|-E|--eval|--execute|--expr|--expression)$/.test(before) || (before === "eval" && index === 2);
    return takesCode && /\w[.(:]|[;{"']|\w\s*\(/.test(text);
  });
  return code === undefined ? undefined : { language: "other", text: code.text };
}

function isFileOption(text: string, option: string): boolean {
  if (text === option) return true;
  return option.startsWith("--") ? text.startsWith(`${option}=`) : option.length === 2 && text.startsWith(option) && !text.startsWith("--");
}

function join(texts: readonly ShellWord[]): string {
  return texts.map(({ text }) => text).join("\n");
}

/** The language of a program that runs scripts. */
export function scriptLanguage(name: string): string | undefined {
  return interpreterOf(name)?.language;
}

function interpreterOf(name: string): Interpreter | undefined {
  if (Object.hasOwn(INTERPRETERS, name)) return INTERPRETERS[name];
  return name.startsWith("py") && /^(?:python|pypy)[\d.]*$/.test(name) ? INTERPRETERS["python"] : undefined;
}

function isClusterEnd(text: string, option: string): boolean {
  return option.length === 2 && /^-[A-Za-z]{2,6}$/.test(text) && text.endsWith(option.slice(1));
}
