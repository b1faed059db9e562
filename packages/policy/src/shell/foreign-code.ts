import { INTERPRETERS, type Interpreter } from "../catalogue/interpreters.ts";
import { type ForeignCode, HOLE, isExact, type ShellInput, type ShellWord } from "./shell-command.ts";

/** A text in another language that a program is given to run, and why it is not known, where it is not. */
export function foreignCode(name: string, words: readonly ShellWord[], input: ShellInput | undefined): ForeignCode | undefined {
  const interpreter = interpreterOf(name);
  if (interpreter === undefined) return unknownInterpreter(words);
  const { language, files = [] } = interpreter;
  const { texts, operands } = codeIn(words, interpreter);
  const file = words.find(({ text }, index) => index > 0 && files.some((option) => isFileOption(text, option)));
  if (file !== undefined) return { language, text: join(texts), unread: `\`${name}\` runs a file that is not read here` };
  if (texts.length > 0) return toCode(language, texts, name);
  const [script] = operands;
  if (script?.process !== undefined) return { language, text: "", unread: `what \`${name}\` runs is only known when it runs` };
  const asks = interpreter.asks?.includes(operands[0]?.text ?? "") === true;
  if (interpreter.input !== true || !(asks || (interpreter.asks === undefined && readsInput(language, operands)))) return undefined;
  return fromInput(name, language, { words, script }, input);
}

interface GivenCode {
  readonly texts: readonly ShellWord[];
  readonly operands: readonly ShellWord[];
}

function codeIn(words: readonly ShellWord[], { options = [], words: verbs, first, from }: Interpreter): GivenCode {
  const texts: ShellWord[] = [];
  const operands: ShellWord[] = [];
  for (let index = 1; index < words.length; index++) {
    const word = words[index];
    if (word === undefined) break;
    const { text } = word;
    const option = options.find((one) => text === one || isClusterEnd(text, one));
    const value = option === undefined ? attachedCode(word, options) : words[++index];
    if (value !== undefined) texts.push(value);
    else if (option === undefined && (!text.startsWith("-") || text === "-")) operands.push(word);
  }
  if (texts.length === 0 && first === true) texts.push(...operands.slice(0, 1));
  if (from !== undefined) texts.push(...operands.slice(from));
  if (verbs?.includes(operands[0]?.text ?? "") === true) texts.push(...operands.slice(1, 2));
  return { texts, operands };
}

/** `--eval=code`, and `-ecode` where it looks like code. */
function attachedCode(word: ShellWord, options: readonly string[]): ShellWord | undefined {
  const { text, shape } = word;
  const long = options.find((one) => one.startsWith("--") && text.startsWith(`${one}=`));
  const short = options.find((one) => one.length === 2 && text.startsWith(one) && /[\s(;'"!{.]/.test(text));
  const length = long === undefined ? short?.length : long.length + 1;
  if (length === undefined) return undefined;
  return shape === undefined ? { text: text.slice(length) } : { text: text.slice(length), shape: shape.slice(length) };
}

function readsInput(language: string, operands: readonly ShellWord[]): boolean {
  return operands.length === 0 || operands.some(({ text }) => text === "-" || text === "/dev/stdin") || language === "sql";
}

function fromInput(
  name: string,
  language: string,
  { words, script }: { readonly words: readonly ShellWord[]; readonly script: ShellWord | undefined },
  input: ShellInput | undefined,
): ForeignCode | undefined {
  if (input?.kind === "text") return toCode(language, [input.word], name);
  const unread = `what is fed to \`${name}\` is only known when it runs`;
  if (input !== undefined) {
    // `jq … | python3 -m json.tool` and `psql -l | cat` run nothing that is fed to them.
    const runs =
      script !== undefined || words.length === 1 || words.slice(1).every(({ text }) => /^-[iquBEsS]+$/.test(text)) || language === "sql";
    return runs ? { language, text: "", unread } : undefined;
  }
  if (script?.text === "/dev/stdin") return { language, text: "", unread };
  return undefined;
}

function toCode(language: string, texts: readonly ShellWord[], name: string): ForeignCode {
  const code: ForeignCode = { language, text: join(texts) };
  // Where only a part is filled in (`print($x)`), the rest is read; where it could be anything, nothing is.
  const unknown = texts.some((word) => !isExact(word) && (word.process !== undefined || isMostlyUnknown(word, language)));
  return unknown ? { ...code, unread: `the code that \`${name}\` is given is only known when it runs` } : code;
}

function isMostlyUnknown({ text, shape = text }: ShellWord, language: string): boolean {
  if (shape.replaceAll(HOLE, "").trim().length < 4) return true;
  // A value inside of quotes stays a value, unless the code of a query is built of it.
  return /\$\(|`/.test(text) && shape.includes(HOLE) && language !== "sql" && language !== "redis" && !/^[^\0]*["'][^"'\0]*\0/.test(shape);
}

/** An unknown program with an argument that looks like code. */
function unknownInterpreter(words: readonly ShellWord[]): ForeignCode | undefined {
  for (const [index, { text }] of words.entries()) {
    const code = words[index + 1];
    if (
      index > 0 &&
      code !== undefined &&
      (/^(?:-e|-E|--eval|--execute|--expr|--expression)$/.test(text) || (text === "eval" && index === 1)) &&
      /\w[.(:]|[;{"']|\w\s*\(/.test(code.text)
    )
      return { language: "other", text: code.text };
  }
  return undefined;
}

function isFileOption(text: string, option: string): boolean {
  return (
    text === option ||
    (option.startsWith("--") && text.startsWith(`${option}=`)) ||
    (option.length === 2 && text.startsWith(option) && text.length > 2 && !text.startsWith("--"))
  );
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
