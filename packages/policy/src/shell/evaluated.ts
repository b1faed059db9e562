import type { ParameterExpansionPart } from "unbash";
import type { ShellScope } from "./scope.ts";
import { isExact, type ShellWord } from "./shell-command.ts";

/** Operators of `[[` that evaluate an operand as arithmetic or as the subscript of a name. */
const EVALUATING = /^-(?:eq|ne|lt|le|gt|ge|v|R)$/;
/** A subscript with a command in it: `a[$(…)]`. */
const SUBSCRIPT = /\[[^\][]*(?:\$\(|`)/;
const COMMAND = /\$\(|`/;

/** Whether a builtin evaluates one of its words (a name that may have a subscript, arithmetic) and runs a command in it. */
export function evaluatesCommand([program, ...words]: readonly ShellWord[]): boolean {
  const name = program?.text ?? "";
  const texts = words.map(({ text }) => text);
  const has = (evaluated: readonly string[]) => evaluated.some((text) => COMMAND.test(text));
  if (/^(?:\[|test|printf|wait)$/.test(name)) {
    const isCompared = (index: number) => EVALUATING.test(texts[index + 1] ?? "") || EVALUATING.test(texts[index - 1] ?? "");
    return has(texts.filter((_, index) => texts[index - 1] === "-p" || isCompared(index)));
  }
  if (/^(?:let|read|unset|mapfile|readarray|getopts)$/.test(name)) return has(texts.filter((text) => !text.startsWith("-")));
  if (!/^(?:declare|typeset|local|export|readonly)$/.test(name)) return false;
  return has(texts.some((text) => /^-\w*i/.test(text)) ? texts : texts.map((text) => text.split("=", 1)[0] ?? ""));
}

/** In a shell without arithmetic, `((a b))` is a command in two pairs of parentheses. */
export function isAmbiguous(text: string): boolean {
  return /[\w'"]\s+(?:[A-Za-z_'"]|-{1,2}[A-Za-z])/.test(text.replaceAll(/\$\([^()]*\)|`[^`]*`/g, "0"));
}

/**
 * Arithmetic evaluates the values of variables, and a subscript in a value may start a command. Openly written commands are found with
 * all others; this finds commands that result only from the evaluation.
 */
export function runsInArithmetic(text: string, { variables }: ShellScope): boolean {
  const names = [...text.matchAll(/[A-Za-z_]\w*/g)].map(([name]) => variables.get(name)?.text ?? "");
  const quoted = [...text.matchAll(/'([^']*)'/g)].map(([, inside = ""]) => inside);
  return [...names, ...quoted].some((value) => COMMAND.test(value));
}

/** `${x@P}` runs the contents of x. */
export function runsInParameter({ operation }: ParameterExpansionPart): boolean {
  return operation?.type === "Transform" && operation.operand.value.includes("P");
}

/** Whether a test with this operator evaluates words other than numbers, and whether a command in one of them certainly runs. */
export function evaluatedInTest(operator: string, words: readonly ShellWord[]): "no" | "maybe" | "runs" {
  if (!EVALUATING.test(operator)) return "no";
  if (words.some(({ text }) => SUBSCRIPT.test(text))) return "runs";
  return words.every((word) => isExact(word) && /^-?\d*$/.test(word.text)) ? "no" : "maybe";
}

/** In zsh, `*(e:'command':)` runs the command for every file. */
export function runsInGlob(pattern: string): boolean {
  return /^(?:e[^|]|\+|.*[^\w]e[:'"[{(])/.test(pattern);
}
